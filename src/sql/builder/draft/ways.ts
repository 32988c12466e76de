/**
 * How a step that was taken before is found by its arguments themselves, as V8 finds a property by the hidden class that
 * it saw last: names are compared by `===`, which for literals compares two pointers. To write a key of the arguments
 * and hash it was 40 % of a chain that is written again; so found, one of five wheres costs a tenth (`npm run bench`: 0.37 → 0.04 of the best peer).
 */
import { isSame } from "../../ast/same.js";
import type { Remembered } from "./memory.js";

/** Where a cached step leads. */
export interface Led<M> {
  readonly made: M;
  readonly step: Remembered;
}

/** A cached step with the arguments that it was last written with. Whatever has a key does not change. */
interface Way<M> {
  readonly led: Led<M>;
  /** The method, or what makes the step. */
  readonly of: unknown;
  readonly a: unknown;
  readonly b: unknown;
  readonly c: unknown;
}

/** More than a draft usually has; what is beyond is found by its key. */
const MOST = 8;

/** The ways that lead on from one draft. */
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

  /** Adds a way, in the place of another where there are many. */
  add(way: Way<M>): void {
    if (this.#ways.length < MOST) this.#ways.push(way);
    else {
      this.#last = (this.#last + 1) % MOST;
      this.#ways[this.#last] = way;
    }
  }

  /** Removes what leads where a key leads. */
  delete(key: string): void {
    for (let i = this.#ways.length - 1; i >= 0; i--)
      if (this.#ways[i]?.led.step.key === key) this.#ways.splice(i, 1);
  }
}
