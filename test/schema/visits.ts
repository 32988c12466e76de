/** Counts what is looked at while values are read and written by a schema. */

import * as z3 from "zod/v3";
import { config, globalConfig } from "zod/v4/core";

/** Counted so far: runs of parts of schemas, and reads of parts of values. */
export class Visits {
  readonly #most: number;
  count = 0;

  /** More visits than `most` end in an error, so that what takes for ever is told. */
  constructor(most: number) {
    this.#most = most;
  }

  visit(): void {
    if (++this.count > this.#most) throw new RangeError("too many visits");
  }

  /** A value whose reads are counted, at every depth. */
  watched(value: unknown): unknown {
    if (!isJson(value)) return value;
    const watched = Object.entries(value).map(([key, held]) => [key, this.watched(held)] as const);
    // A copy with watched parts: what freezes it makes it hold them for ever.
    const copy = Array.isArray(value) ? watched.map(([, held]) => held) : Object.fromEntries(watched);
    return new Proxy(copy, {
      get: (target, key) => {
        this.visit();
        return Reflect.get(target, key);
      },
      getOwnPropertyDescriptor: (target, key) => {
        this.visit();
        return Reflect.getOwnPropertyDescriptor(target, key);
      },
      has: (target, key) => {
        this.visit();
        return Reflect.has(target, key);
      },
    });
  }

  /**
   * Counts the runs of Zod 4's objects, lists and records that are made meanwhile, and takes its own memory away from
   * them, as `zod/mini` has none.
   */
  countingZod4<T>(work: () => T): T {
    const { memoizer } = globalConfig;
    config({
      memoizer: {
        alloc: (_schema, _payload, empty) => empty,
        guard: () => {},
        attach: (schema) => {
          const { _zod } = schema;
          _zod.deferred ??= [];
          _zod.deferred.push(() => {
            const { parse } = _zod;
            const counted: typeof parse = (payload, context) => {
              this.visit();
              return parse(payload, context);
            };
            if (_zod.run === parse) _zod.run = counted;
            _zod.parse = counted;
          });
        },
      },
    });
    const restore = () => config({ memoizer });
    let result: T;
    try {
      result = work();
    } catch (error) {
      restore();
      throw error;
    }
    if (result instanceof Promise) return result.finally(restore) as T;
    restore();
    return result;
  }

  /** The same for Zod 3, whose schemas all share their prototypes. */
  async countingZod3<T>(work: () => Promise<T>): Promise<T> {
    const classes = [
      z3.ZodObject,
      z3.ZodArray,
      z3.ZodRecord,
      z3.ZodUnion,
      z3.ZodIntersection,
      z3.ZodTuple,
      z3.ZodMap,
      z3.ZodSet,
    ];
    const parses = classes.map(({ prototype }) => prototype._parse);
    const count = () => this.visit();
    classes.forEach(({ prototype }, i) => {
      const parse = parses[i];
      prototype._parse = function counted(this: z3.ZodTypeAny, input) {
        count();
        return parse?.call(this as never, input) as never;
      };
    });
    try {
      return await work();
    } finally {
      classes.forEach(({ prototype }, i) => {
        const parse = parses[i];
        if (parse !== undefined) prototype._parse = parse as never;
      });
    }
  }
}

function isJson(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  return Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value));
}
