/** Numbers that look random, and are the same for a seed. */

/** Numbers that look random and are the same for a seed. */
export class Chance {
  #state: number;
  #params = 0;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  oneIn(count: number): boolean {
    return this.below(count) === 0;
  }

  of<T>(list: readonly T[]): T {
    const one = list[this.below(list.length)];
    if (one === undefined) throw new Error("a choice of nothing");
    return one;
  }

  /** A parameter name that no other place has. */
  param(): string {
    return `p${this.#params++}`;
  }
}
