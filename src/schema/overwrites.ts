/**
 * Schemas whose checks change the value (`.trim()`, `.overwrite()`). The change is made once, when a value comes in.
 * Stored values, and values that are about to be stored, already have it.
 */
import type { $ZodType } from "zod/v4/core";
import { childrenOf, someSchema } from "./graph.js";
import { withDefinition, withParts } from "./rebuild.js";

type Check = NonNullable<$ZodType["_zod"]["def"]["checks"]>[number];

/** Whether a check returns another value. */
export function overwrites(check: Check): boolean {
  return check._zod.def.check === "overwrite";
}

const overwritten = new WeakMap<$ZodType, $ZodType>();
const unchecked = new WeakMap<$ZodType, $ZodType>();
const overwriting = new WeakMap<$ZodType, $ZodType>();
const onlyOverwriting = new WeakMap<$ZodType, $ZodType | null>();

/** The schema of values after the overwrites: later checks apply to them, earlier checks applied to another value. */
export function afterOverwrites(schema: $ZodType): $ZodType {
  return copied(schema, overwritten, (checks) => checks.slice(checks.findLastIndex(overwrites) + 1));
}

/** The schema of values before the overwrites, which no check can judge; the schema itself if nothing overwrites. */
export function beforeOverwrites(schema: $ZodType): $ZodType {
  return copied(schema, unchecked, () => []);
}

/** The schema with its overwrites and no other check; `undefined` if nothing overwrites. */
export function onlyOverwrites(schema: $ZodType): $ZodType | undefined {
  let copy = onlyOverwriting.get(schema);
  if (copy === undefined) {
    const isPlain = beforeOverwrites(schema) === schema;
    copy = isPlain ? null : copied(schema, overwriting, (checks) => checks.filter(overwrites));
    onlyOverwriting.set(schema, copy);
  }
  return copy ?? undefined;
}

function copied(
  schema: $ZodType,
  copies: WeakMap<$ZodType, $ZodType>,
  left: (checks: Check[]) => Check[],
): $ZodType {
  const known = copies.get(schema);
  if (known !== undefined) return known;
  if (!someSchema(schema, "both", ({ _zod }) => (_zod.def.checks ?? []).some(overwrites))) return schema;
  const parts =
    childrenOf(schema, "both").length === 0
      ? schema
      : withParts(schema, (inner) => copied(inner, copies, left));
  const { checks = [] } = schema._zod.def;
  const kept = left(checks);
  const copy = kept.length === checks.length ? parts : withDefinition(parts, { checks: { value: kept } });
  copies.set(schema, copy);
  return copy;
}
