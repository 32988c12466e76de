/**
 * The builder cache of a database: a chain that is written again in every request is found again, with its
 * checked and rendered statement. A chain is cached after it was checked and rendered without problems; refused
 * chains leave nothing behind. A step without a key (it holds a foreign object or a long text, or comes from a
 * spec) is made again each time.
 */
import { Lru } from "../../core/lru.js";

/** An object with cached steps that lead on from it. */
export interface Branches {
  forget(key: string): void;
}

/**
 * The maximum number of cached steps of a database, and of the characters of their keys and texts. The memory
 * for the decoder and binders of a text is twenty to thirty times as large.
 */
const MOST_STEPS = 5_000;
const MOST_CHARACTERS = 750_000;

interface Step {
  // A table that is not referenced elsewhere is garbage collected, with its builders.
  readonly from: WeakRef<Branches>;
  readonly key: string;
  readonly weight: number;
}

/**
 * The steps of the chains of one database, for all tables. Beyond the limits the least recently used ones are
 * dropped.
 */
export class Memory {
  readonly #steps = new Lru<number, Step>({
    max: MOST_STEPS,
    maxWeight: MOST_CHARACTERS,
    weigh: ({ weight }) => weight,
    onEvict: ({ from, key }) => from.deref()?.forget(key),
  });

  /** Counts a step that leads from a place to the builder with an id. */
  add(id: number, from: WeakRef<Branches>, key: string): void {
    this.#steps.set(id, { from, key, weight: key.length });
  }

  /** A step was removed. */
  touch(id: number): void {
    this.#steps.get(id);
  }

  /** The number of characters of a step in all; above the limit it is not cached. */
  weigh(id: number, characters: number): void {
    const step = this.#steps.get(id);
    if (step !== undefined) this.#steps.set(id, { ...step, weight: step.key.length + characters });
  }
}
