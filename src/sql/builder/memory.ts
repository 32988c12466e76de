/**
 * What a database remembers of its builders: a chain that is written anew in every request is found again, with all
 * that was checked and rendered for it. A chain is remembered once it was accepted, that is checked and rendered
 * whole: what was refused leaves nothing behind. A step that has no key, for it holds an object of somebody else's, a
 * long text, or comes from a spec, is made anew.
 */
import { Lru } from "../../core/lru.js";

/** What has steps that lead on from it. */
export interface Place {
  forget(key: string): void;
}

/**
 * How many steps a database remembers, and how many characters their keys and texts may have together. What hangs on
 * a text, its decoder and binders, is twenty to thirty times as large.
 */
const MOST_STEPS = 5_000;
const MOST_CHARACTERS = 750_000;

interface Step {
  // A table that nobody else holds goes, with its builders.
  readonly from: WeakRef<Place>;
  readonly key: string;
  readonly weight: number;
}

/** The steps of the chains of one database, whatever their tables. Beyond a bound those unused the longest go. */
export class Memory {
  readonly #steps = new Lru<number, Step>({
    max: MOST_STEPS,
    maxWeight: MOST_CHARACTERS,
    weigh: ({ weight }) => weight,
    onEvict: ({ from, key }) => from.deref()?.forget(key),
  });

  /** Counts a step that leads from a place to the builder with an id. */
  add(id: number, from: WeakRef<Place>, key: string): void {
    this.#steps.set(id, { from, key, weight: key.length });
  }

  /** A step was gone again. */
  touch(id: number): void {
    this.#steps.get(id);
  }

  /** How many characters hang on a step in all; too many are not remembered. */
  weigh(id: number, characters: number): void {
    const step = this.#steps.get(id);
    if (step !== undefined) this.#steps.set(id, { ...step, weight: step.key.length + characters });
  }
}
