/** PostgreSQL's text form of arrays, `{a,"b c"}`. Ours have one dimension and no NULL items; others are refused. */
import type { Storage } from "../../declare/declaration.js";
import type { Grammar, ValueCodec } from "../grammar/grammar.js";
import { valueCodec } from "../grammar/value-codec.js";

/** The codec of arrays whose items have the codecs of a grammar. */
export function postgresArray(grammar: () => Pick<Grammar, "values" | "dates">): ValueCodec {
  return {
    encode: (values: readonly unknown[], { item = text }) => {
      const { encode } = valueCodec(item, grammar());
      // The items have already been checked against the same storage.
      return values.map((value) => encode(value as never, item));
    },
    decode: (value, { item = text }) => {
      const { decode } = valueCodec(item, grammar());
      return typeof value === "string" ? decodedItems(value, (one) => decode(one, item)) : undefined;
    },
  };
}

const text: Storage = { kind: "text" };

const NO_BARE = /["\\{}]/;

// By index, not by one regular expression over the whole text, which overflows the stack on long text.
function decodedItems(array: string, decode: (item: string) => unknown): unknown[] | undefined {
  const end = array.length - 1;
  if (array[0] !== "{" || array[end] !== "}" || end === 0) return undefined;
  const items: unknown[] = [];
  for (let at = 1; at < end; ) {
    const isQuoted = array[at] === '"';
    const close = isQuoted ? closingQuote(array, at + 1) : endOfBare(array, at, end);
    const item = isQuoted ? unescaped(array.slice(at + 1, close)) : array.slice(at, close);
    if (!isQuoted && (item === "" || item === "NULL" || NO_BARE.test(item))) return undefined;
    const decoded = decode(item);
    if (decoded === undefined) return undefined;
    items.push(decoded);
    at = isQuoted ? close + 1 : close;
    // A comma, which another item must follow.
    if (at !== end && (array[at++] !== "," || at === end)) return undefined;
  }
  return items;
}

function endOfBare(array: string, from: number, end: number): number {
  const comma = array.indexOf(",", from);
  return comma < 0 ? end : comma;
}

/** The index of the quote that ends an item; the end of the text if there is none. */
function closingQuote(array: string, from: number): number {
  for (let at = from; at < array.length; at++) {
    const code = array.charCodeAt(at);
    if (code === QUOTE) return at;
    // An escaped quote does not end the item.
    if (code === BACKSLASH) at++;
  }
  return array.length;
}

const QUOTE = 34;
const BACKSLASH = 92;

function unescaped(item: string): string {
  return item.includes("\\") ? item.replace(/\\(.)/gs, "$1") : item;
}
