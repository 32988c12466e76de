/** Which codec the values of a storage have on a dialect: dates have one by their declared type. */
import type { Storage } from "../declare/declaration.js";
import type { Grammar, ValueCodec } from "./grammar.js";

/** The codec of a column, an expression, or what an array holds. */
export function valueCodec(
  storage: Storage,
  { values, dates }: Pick<Grammar, "values" | "dates">,
): ValueCodec {
  if (storage.kind === "date") return dates(storage);
  return (storage.wide === true ? values.wide : undefined) ?? values[storage.kind];
}
