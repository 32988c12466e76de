/** The number of items that the checks of a list allow. */
import type { $ZodTypes } from "zod/v4/core";

/** Keywords of JSON Schema. */
interface ItemLimits {
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** As keywords. A set is a list on the wire, which may hold an item twice: the list is at least as long. */
export function itemLimits(schema: $ZodTypes): ItemLimits {
  let least: number | undefined;
  let most: number | undefined;
  for (const check of schema._zod.def.checks ?? []) {
    const def: object = check._zod.def;
    if ("minimum" in def && typeof def.minimum === "number") least = Math.max(least ?? 0, def.minimum);
    if ("maximum" in def && typeof def.maximum === "number" && !("size" in def))
      most = Math.min(most ?? def.maximum, def.maximum);
    const exact = "length" in def ? def.length : "size" in def ? def.size : undefined;
    if (typeof exact === "number") {
      least = Math.max(least ?? 0, exact);
      most = Math.min(most ?? exact, exact);
    }
  }
  const isList = schema._zod.def.type === "array" || schema._zod.def.type === "tuple";
  return {
    ...(least === undefined ? {} : { minItems: least }),
    ...(most === undefined || !isList || !Number.isFinite(most) ? {} : { maxItems: most }),
  };
}
