/**
 * A bounded cache: above a number of entries, or a total weight, the least recently used entries are evicted. Every
 * cache of the package uses it. A hit costs one look-up and a few assignments.
 */

/** The limits and callbacks of a cache. */
interface LruOptions<K, V> {
  /** The maximum number of entries. */
  readonly max: number;
  /** The maximum total weight of all entries. If omitted, weight does not count. A heavier entry is not kept. */
  readonly maxWeight?: number;
  /** The weight of an entry when it is added. If omitted, 0. */
  readonly weigh?: (value: V, key: K) => number;
  /**
   * Called before an entry's eviction. After true the entry stays for one more round, and the next answer must be
   * false.
   */
  readonly wasUsed?: (value: V) => boolean;
  /** Called for an entry after its eviction. Not called for one that is deleted or replaced. */
  readonly onEvict?: (value: V, key: K) => void;
}

/** A map that evicts its least recently used entries. */
export class Lru<K, V> {
  readonly #entries = new Map<K, Entry<K, V>>();
  readonly #max: number;
  readonly #maxWeight: number;
  readonly #weigh: ((value: V, key: K) => number) | undefined;
  readonly #wasUsed: ((value: V) => boolean) | undefined;
  readonly #onEvict: ((value: V, key: K) => void) | undefined;
  // The ends of a list in order of use. Using the map's own order would cost a deletion and an insertion at every hit.
  #oldest: Entry<K, V> | undefined;
  #newest: Entry<K, V> | undefined;
  #weight = 0;

  constructor({ max, maxWeight, weigh, wasUsed, onEvict }: LruOptions<K, V>) {
    this.#max = max;
    this.#maxWeight = maxWeight ?? Number.POSITIVE_INFINITY;
    this.#weigh = weigh;
    this.#wasUsed = wasUsed;
    this.#onEvict = onEvict;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The total weight of all entries. */
  get weight(): number {
    return this.#weight;
  }

  /** The value of a key. The key becomes the most recently used one. */
  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry !== this.#newest) {
      this.#unlink(entry);
      this.#append(entry);
    }
    return entry.value;
  }

  /** Sets a value, and evicts the least recently used entries above the limits. */
  set(key: K, value: V): void {
    this.delete(key);
    const weight = this.#weigh?.(value, key) ?? 0;
    const entry: Entry<K, V> = { key, value, weight, older: undefined, newer: undefined };
    this.#entries.set(key, entry);
    this.#weight += weight;
    this.#append(entry);
    // An entry that is too heavy alone must not evict all the others first.
    if (weight > this.#maxWeight) this.#evict(entry);
    while (this.#oldest !== undefined && this.#isTooMuch()) this.#makeRoom(this.#oldest);
  }

  /** Removes a key without a call of `onEvict`. Returns whether it was present. */
  delete(key: K): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined) return false;
    this.#remove(entry);
    return true;
  }

  /** Removes everything without a call of `onEvict`. */
  clear(): void {
    this.#entries.clear();
    this.#oldest = undefined;
    this.#newest = undefined;
    this.#weight = 0;
  }

  /** The entries, the least recently used first. The last returned entry may be deleted during the iteration. */
  *entries(): IterableIterator<[K, V]> {
    let entry = this.#oldest;
    while (entry !== undefined) {
      const { newer } = entry;
      yield [entry.key, entry.value];
      entry = newer;
    }
  }

  #isTooMuch(): boolean {
    return this.#entries.size > this.#max || this.#weight > this.#maxWeight;
  }

  #makeRoom(entry: Entry<K, V>): void {
    if (this.#wasUsed?.(entry.value) !== true) {
      this.#evict(entry);
      return;
    }
    this.#unlink(entry);
    this.#append(entry);
  }

  #evict(entry: Entry<K, V>): void {
    this.#remove(entry);
    this.#onEvict?.(entry.value, entry.key);
  }

  #remove(entry: Entry<K, V>): void {
    this.#entries.delete(entry.key);
    this.#weight -= entry.weight;
    this.#unlink(entry);
  }

  #append(entry: Entry<K, V>): void {
    entry.older = this.#newest;
    entry.newer = undefined;
    if (this.#newest === undefined) this.#oldest = entry;
    else this.#newest.newer = entry;
    this.#newest = entry;
  }

  #unlink(entry: Entry<K, V>): void {
    if (entry.older === undefined) this.#oldest = entry.newer;
    else entry.older.newer = entry.newer;
    if (entry.newer === undefined) this.#newest = entry.older;
    else entry.newer.older = entry.older;
  }
}

interface Entry<K, V> {
  readonly key: K;
  readonly value: V;
  readonly weight: number;
  older: Entry<K, V> | undefined;
  newer: Entry<K, V> | undefined;
}
