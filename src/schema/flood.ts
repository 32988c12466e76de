/**
 * Stops at the first failures of a long list. Zod judges every item and keeps an issue for each that fails, so a
 * megabyte of wrong items costs it half a second; nobody is shown more than the first of them.
 */
import type { $ZodType } from "zod/v4/core";
import { safeParse } from "zod/v4/core";
import { peel } from "./inspect.js";
import { type Issue, MAX_FIELDS } from "./issues.js";
import { isSynchronous } from "./validate.js";

/** Shorter lists cost nothing worth saving. */
const LONG = 1_000;

/** The first failures of a list in the value that has as many as are ever shown; else `undefined`. */
export function floodOf(schema: $ZodType, value: unknown): readonly Issue[] | undefined {
  return visit(schema, value, []);
}

function visit(schema: $ZodType, value: unknown, path: readonly PropertyKey[]): readonly Issue[] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const def = peel(schema).inner._zod.def;
  if (def.type === "array" && Array.isArray(value)) {
    if (value.length > LONG)
      return isSynchronous(def.element) ? firstFailures(def.element, value, path) : undefined;
    return first(value, (item, i) => visit(def.element, item, [...path, i]));
  }
  if (def.type === "object") {
    return first(Object.entries(def.shape), ([key, field]) =>
      Object.hasOwn(value, key) ? visit(field, Reflect.get(value, key), [...path, key]) : undefined,
    );
  }
  if (def.type === "record") {
    const entries = Object.entries(value);
    if (entries.length > LONG && isSynchronous(def.valueType)) {
      const failures = firstFailures(def.valueType, Object.values(value), path);
      return failures?.map((issue) => ({ ...issue, path: named(issue.path, path.length, entries) }));
    }
  }
  return undefined;
}

function firstFailures(
  schema: $ZodType,
  items: readonly unknown[],
  path: readonly PropertyKey[],
): readonly Issue[] | undefined {
  const issues: Issue[] = [];
  for (const [i, item] of items.entries()) {
    const result = safeParse(schema, item);
    if (result.success) continue;
    for (const issue of result.error.issues)
      issues.push({ path: [...path, i, ...issue.path], message: issue.message });
    if (issues.length >= MAX_FIELDS) return issues;
  }
  return undefined;
}

/** The path of a record's value holds its position: the key belongs there. */
function named(
  path: readonly PropertyKey[],
  depth: number,
  entries: readonly (readonly [string, unknown])[],
): readonly PropertyKey[] {
  const key = entries[Number(path[depth])]?.[0] ?? "";
  return [...path.slice(0, depth), key, ...path.slice(depth + 1)];
}

function first<T, R>(items: readonly T[], find: (item: T, index: number) => R | undefined): R | undefined {
  for (const [i, item] of items.entries()) {
    const found = find(item, i);
    if (found !== undefined) return found;
  }
  return undefined;
}
