/**
 * Finds a repeated step by its arguments, as V8 finds a property by the last hidden class. Names are compared by `===`,
 * which compares two pointers for literals. Writing and hashing a key of the arguments took 40 % of the time of a
 * repeated chain. Found this way, one of five wheres costs a tenth (`npm run bench`: 0.37 → 0.04 of the best peer).
 */
import { isSame } from "../../ast/same.js";
import type { Remembered } from "./memory.js";

/** The target of a cached step. */
export interface Led<M> {
  readonly made: M;
  readonly step: Remembered;
}

/** A cached step with the arguments of its last use. Arguments with keys do not change. */
interface Way<M> {
  readonly led: Led<M>;
  /** The method, or what makes the step. */
  readonly of: unknown;
  readonly a: unknown;
  readonly b: unknown;
  readonly c: unknown;
}

/** More than a draft usually has. Further steps are found by their keys. */
const MOST = 8;

/** The cached next steps of one draft. */
export class ChainWays<M> {
  readonly #ways: Way<M>[] = [];
  #last = 0;

  find(of: unknown, a: unknown, b: unknown, c: unknown): M | undefined {
    const ways = this.#ways;
    for (let i = 0; i < ways.length; i++) {
      const way = ways[i];
      if (way === undefined || way.of !== of) continue;
      if (!(isSame(way.a, a) && isSame(way.b, b) && isSame(way.c, c))) continue;
      way.led.step.isUsed = true;
      return way.led.made;
    }
    return undefined;
  }

  /** Adds a way. If the list is full, it replaces another one. */
  add(way: Way<M>): void {
    if (this.#ways.length < MOST) this.#ways.push(way);
    else {
      this.#last = (this.#last + 1) % MOST;
      this.#ways[this.#last] = way;
    }
  }

  /** Removes the ways of the step with a key. */
  delete(key: string): void {
    for (let i = this.#ways.length - 1; i >= 0; i--)
      if (this.#ways[i]?.led.step.key === key) this.#ways.splice(i, 1);
  }
}
