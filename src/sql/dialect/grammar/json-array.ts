/** Arrays as JSON text, for dialects without arrays: an item has the same form in the text as when it is bound. */
import type { Storage } from "../../declare/declaration.js";
import { kindOf } from "../../kind/kinds.js";
import type { Grammar, ValueCodec } from "./grammar.js";
import { valueCodec } from "./value-codec.js";

const text: Storage = { kind: "text" };

/** The codec of arrays whose items have the codecs of a grammar. */
export function jsonArray(grammar: () => Pick<Grammar, "values" | "dates">): ValueCodec {
  return {
    encode: (items: readonly unknown[], { item = text }) => {
      const form = kindOf(item).inJson ?? valueCodec(item, grammar());
      // The items have already been checked against the same storage.
      return jsonList(items.map((one) => form.encode(one as never, item)));
    },
    decode: (value, { item = text }) => {
      const parsed: unknown = typeof value === "string" ? JSON.parse(value) : undefined;
      if (!Array.isArray(parsed)) return undefined;
      const { inJson, ofJsonText } = kindOf(item);
      const decode = ofJsonText ?? inJson?.decode;
      const codec = valueCodec(item, grammar());
      const items = parsed.map((one) =>
        decode !== undefined && typeof one === "string" ? decode(one, item) : codec.decode(one, item),
      );
      return items.includes(undefined) ? undefined : items;
    },
  };
}

/** A list of encoded values as JSON text. */
export function jsonList(values: readonly unknown[]): string {
  return `[${values.map(listItem).join(",")}]`;
}

// The digits of a bigint unchanged: JSON.stringify refuses bigints, and a server reads 64-bit integers exactly. A
// server also reads all digits of a large double, and those are more than the double holds; with an exponent it reads
// the double.
function listItem(value: unknown): string {
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value))
    return value.toExponential();
  return JSON.stringify(value);
}
