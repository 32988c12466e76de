/**
 * Schemas whose checks change what they check (`.trim()`, `.overwrite()`). Such a change is made once: where a value
 * comes in. What is stored, or on its way to be, has it already.
 */
import type { $ZodType } from "zod/v4/core";
import { childrenOf, someSchema } from "./graph.js";
import { withDefinition, withParts } from "./rebuild.js";

type Check = NonNullable<$ZodType["_zod"]["def"]["checks"]>[number];

/** Whether a check gives another value. */
export function overwrites(check: Check): boolean {
  return check._zod.def.check === "overwrite";
}

const overwritten = new WeakMap<$ZodType, $ZodType>();
const unchecked = new WeakMap<$ZodType, $ZodType>();

/**
 * The schema of values that have been overwritten: the checks that come after an overwrite hold for them, those before
 * it held for another value.
 */
export function afterOverwrites(schema: $ZodType): $ZodType {
  return copied(schema, overwritten, (checks) => checks.slice(checks.findLastIndex(overwrites) + 1));
}

/** The schema of values that have not been overwritten yet, which no check can judge: where nothing overwrites, itself. */
export function beforeOverwrites(schema: $ZodType): $ZodType {
  return copied(schema, unchecked, () => []);
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
