/** Arrays as JSON text, where a dialect has no arrays: what the items are bound as is also what stands in the text. */
import type { Grammar, ValueCodec } from "./grammar.js";
import { valueCodec } from "./value-codec.js";

/** The codec of arrays whose items have the codecs of a grammar. */
export function jsonArray(grammar: () => Pick<Grammar, "values" | "dates">): ValueCodec {
  return {
    encode: (items: readonly unknown[], { item = { kind: "text" } }) =>
      jsonList(
        items.map((one) =>
          // JSON has no bytes, and its numbers no bigints that JSON.parse would keep.
          item.kind === "bytes"
            ? Buffer.from(one as Uint8Array).toString("base64")
            : item.kind === "bigint"
              ? String(one)
              : valueCodec(item, grammar()).encode(one as never, item),
        ),
      ),
    decode: (value, { item = { kind: "text" } }) => {
      const parsed: unknown = typeof value === "string" ? JSON.parse(value) : undefined;
      if (!Array.isArray(parsed)) return undefined;
      const items = parsed.map((one) =>
        item.kind === "bytes" && typeof one === "string"
          ? new Uint8Array(Buffer.from(one, "base64"))
          : valueCodec(item, grammar()).decode(one, item),
      );
      return items.includes(undefined) ? undefined : items;
    },
  };
}

/** A list of encoded values as JSON text. */
export function jsonList(values: readonly unknown[]): string {
  return `[${values.map(listItem).join(",")}]`;
}

// Digits of a bigint as they are: JSON.stringify refuses them, and a server reads 64-bit integers exactly. So it
// does the digits of a large number, which are more than the number holds; with an exponent it is a number again.
function listItem(value: unknown): string {
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value))
    return value.toExponential();
  return JSON.stringify(value);
}
