/**
 * Objects whose members are made when they are first read. The specs of a table with relations repeat those of every
 * related table. Therefore their schemas are made level by level, as deep as a spec or a document goes.
 */
import type { ZodObject, ZodType } from "zod";
import * as z from "zod";

/** The keys of a spec by name, each with a function that makes its schema. */
export type Keys = Readonly<Record<string, () => ZodType>>;

/** The strict object of some keys. */
export function objectOf(keys: Keys): ZodObject {
  return z.strictObject(madeOnce(keys));
}

/** An object that makes each member once, when it is first read. No prototype: fields may have any name. */
export function madeOnce<T>(makers: Readonly<Record<string, () => T>>): Record<string, T> {
  const members: Record<string, T> = Object.create(null);
  for (const [name, make] of Object.entries(makers)) {
    let made: { readonly value: T } | undefined;
    const get = () => {
      made ??= { value: make() };
      return made.value;
    };
    Object.defineProperty(members, name, { enumerable: true, configurable: true, get });
  }
  return members;
}

/** A value that is made once for an object, and kept as long as the object. */
export function keptFor<K extends object, T>(make: (of: K) => T): (of: K) => T {
  const kept = new WeakMap<K, { readonly value: T }>();
  return (of) => {
    let known = kept.get(of);
    if (known === undefined) {
      known = { value: make(of) };
      kept.set(of, known);
    }
    return known.value;
  };
}
