/**
 * The builder cache of a database: a chain that is written again in every request is found again, with its
 * checked and rendered statement. A chain is cached after it was checked and rendered without problems; refused
 * chains leave nothing behind. A step without a key (it holds a foreign object or a long text, or comes from a
 * spec) is made again each time.
 */
import { Lru } from "../../../core/lru.js";

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

/** A cached step. */
export interface Remembered {
  // A table that is not referenced elsewhere is garbage collected, with its builders.
  readonly from: WeakRef<Branches>;
  readonly key: string;
  weight: number;
  /** Set where the step is found again. To put it behind all others each time would cost more than to find it. */
  isUsed: boolean;
}

/**
 * The steps of the chains of one database, for all tables. Beyond the limits the least recently used ones are
 * dropped:
 * those that were not found again since others last made room.
 */
export class ChainMemory {
  readonly #steps = new Lru<number, Remembered>({
    max: MOST_STEPS,
    maxWeight: MOST_CHARACTERS,
    weigh: ({ weight }) => weight,
    wasUsed: (step) => {
      const { isUsed } = step;
      step.isUsed = false;
      return isUsed;
    },
    onEvict: ({ from, key }) => from.deref()?.forget(key),
  });

  /** Counts a step that leads from a place to the builder with an id. */
  add(id: number, step: Remembered): void {
    this.#steps.set(id, step);
  }

  /** The number of characters of a step in all; above the limit it is not cached. */
  weigh(id: number, characters: number): void {
    const step = this.#steps.get(id);
    if (step === undefined) return;
    step.weight = step.key.length + characters;
    this.#steps.set(id, step);
  }
}
