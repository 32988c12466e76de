/** The codec of a storage on a dialect; that of a date depends on its declared type. */
import type { Storage } from "../../declare/declaration.js";
import type { Grammar, Indexing, ValueCodec, ValueForms } from "./grammar.js";

/** The codec of a column, an expression, or the items of an array. */
export function valueCodec(
  storage: Storage,
  { values, dates }: Pick<Grammar, "values" | "dates">,
): ValueCodec {
  if (storage.kind === "date") return dates(storage);
  return (storage.wide === true ? values.wide : undefined) ?? values[storage.kind];
}

/** The SQL type of a column without a declared type. */
export function columnType(
  storage: Storage,
  indexing: Indexing,
  { values }: Pick<Grammar, "values">,
): string {
  return values[storage.kind].type(storage, indexing);
}

/** A parameter `{0}` with the type of its kind, if the server needs it. */
export function typedParameter(storage: Storage, values: ValueForms): string {
  const type = values[storage.kind].parameter?.(storage);
  return type === undefined ? "{0}" : `CAST({0} AS ${type})`;
}

/** The text around a parameter `{0}` of a kind, if its values need one. */
export function boundIn(storage: Storage, { values }: Pick<Grammar, "values">): string | undefined {
  return values[storage.kind].bound?.(storage);
}

/** The same next to an expression, where no column gives the type of the value. */
export function boundBeside(storage: Storage, { values }: Pick<Grammar, "values">): string | undefined {
  const { bound, beside } = values[storage.kind];
  return (bound ?? beside)?.(storage);
}

/** A placeholder in its text. */
export function placedIn(template: string | undefined, placeholder: string): string {
  return template === undefined ? placeholder : template.replace("{0}", () => placeholder);
}
