/** The row that an upsert proposes. */
import type { Value } from "../types/expressions.js";
import type { Of } from "../types/results.js";
import { typedValue } from "./value.js";

/**
 * In an upsert, the value that the record proposes for a field; the name of the field alone is the stored value.
 * @example
 * import { coalesce, inserted } from "rowtype";
 * stock.insert().onConflict("item").doUpdate().set("note", coalesce(inserted("note"), field("note")));
 */
export function inserted<F extends string>(name: F): Value<Of<F, "same">, F> {
  // Its result exists only as a type.
  return typedValue({ kind: "inserted", name });
}
