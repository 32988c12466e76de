/**
 * The builder cache of a database: a chain that is repeated in every request is found again, with its checked and
 * rendered statement. A chain is cached when it is written for the second time and was checked and rendered without
 * problems: for a chain that is written once, most of the cost of caching would be its garbage collection. Refused chains are not cached. A step has no key if it holds a foreign object or a long text, or comes
 * from a spec. Such a step is made again each time.
 */
import { Lru } from "../../../core/lru.js";

/** An object with cached next steps. */
export interface Branches {
  forget(key: string): void;
}

/**
 * The maximum number of cached steps of a database, and of the characters of their keys and texts. The memory
 * for the decoder and binders of a text is twenty to thirty times as large.
 */
const MOST_STEPS = 5_000;
const MOST_CHARACTERS = 750_000;

/** How many chains are known to have been written once; a power of two. */
const RECENT = 16_384;

/** A cached step. */
export interface Remembered {
  // The reference is weak: an otherwise unreferenced table is garbage collected, with its builders.
  readonly from: WeakRef<Branches>;
  readonly key: string;
  weight: number;
  /** Set when the step is found again. Moving it to the end of the list each time would cost more than finding it. */
  isUsed: boolean;
}

/**
 * The steps of the chains of one database, for all tables. Beyond the limits the least recently used steps are dropped:
 * those that were not found since the last removal.
 */
export class ChainMemory {
  /** The hashes of chains written lately, each at the index that its last bits give. */
  readonly #written = new Int32Array(RECENT);
  #isFull = false;
  #turns = 0;
  readonly #steps = new Lru<number, Remembered>({
    max: MOST_STEPS,
    maxWeight: MOST_CHARACTERS,
    weigh: ({ weight }) => weight,
    wasUsed: (step) => {
      const { isUsed } = step;
      step.isUsed = false;
      return isUsed;
    },
    onEvict: ({ from, key }) => {
      this.#isFull = true;
      from.deref()?.forget(key);
    },
  });

  /**
   * Whether a chain is to be cached: it was written before, lately. Once there is no more room, one in sixteen of these
   * is: otherwise more chains in turn than there is room for would drop each other before they come again.
   * @param hash tells chains apart.
   */
  takes(hash: number): boolean {
    const place = hash & (RECENT - 1);
    if (this.#written[place] !== hash) {
      this.#written[place] = hash;
      return false;
    }
    return !this.#isFull || (++this.#turns & 15) === 0;
  }

  /** Counts a step that leads from a place to the builder with an id. */
  add(id: number, step: Remembered): void {
    this.#steps.set(id, step);
  }

  /** Sets the total number of characters of a step. Above the limit the step is not cached. */
  weigh(id: number, characters: number): void {
    const step = this.#steps.get(id);
    if (step === undefined) return;
    step.weight = step.key.length + characters;
    this.#steps.set(id, step);
  }
}
