/**
 * Which records of a batch could meet one row: those with equal keys, and those whose texts a collation may take for
 * equal. Such records need different statements, so a text that is equal for too many values costs a statement, and
 * nothing else.
 */
import type { Storage } from "../declare/declaration.js";
import { exactText } from "./exact-text.js";

/** Equal for two encoded values of a column if one row may be equal to both. */
export function meetingKey(value: unknown, storage: Storage): string | number {
  return typeof value === "number" && storage.integer === true ? value : meetingText(value, storage);
}

/** The same as a text. */
export function meetingText(value: unknown, storage: Storage): string {
  switch (storage.kind) {
    case "text":
      return foldedText(String(value));
    case "number":
      // A column of single precision is equal to all numbers that it rounds to the same.
      return String(storage.integer === true ? value : Math.fround(Number(value)));
    case "decimal":
      return typeof value === "string"
        ? value.replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "")
        : String(value);
    case "date":
      return isDay(storage) ? String(value).slice(0, 10) : String(value);
    case "json":
      return typeof value === "string" ? foldedText(exactText(JSON.parse(value))) : exactText(value);
    case "array": {
      const { item = { kind: "text" } } = storage;
      return Array.isArray(value)
        ? value.map((one) => meetingText(one, item)).join("\0")
        : foldedText(String(value));
    }
    default:
      return exactText(value);
  }
}

function isDay({ type }: Storage): boolean {
  return type !== undefined && /(?<![a-z])date(?![a-z])/i.test(JSON.stringify(type));
}

const PLAIN = /^[\x20-\x7e]*$/;

/** A text without case, accents, width, blanks and punctuation: equal for two texts that a collation takes for equal. */
export function foldedText(text: string): string {
  const folded = PLAIN.test(text) ? text.toLowerCase() : foldedLetters(text);
  return folded.replace(NO_LETTERS, "").replaceAll("ss", "s");
}

const NO_LETTERS = /[^\p{L}\p{N}\p{S}\uffff]/gu;

function foldedLetters(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toUpperCase()
    .toLowerCase()
    .replace(/[æœøđðħłþŧŋı]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/[\u30a1-\u30f6]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60))
    .replace(/[\u{10000}-\u{10ffff}]/gu, BEYOND);
}

/** Some collations give all characters beyond the first 65,536 one weight. */
const BEYOND = "\uffff";

const LETTERS: Readonly<Record<string, string>> = {
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ħ: "h",
  ł: "l",
  þ: "th",
  ŧ: "t",
  ŋ: "n",
  ı: "i",
};

/**
 * Splits items into rounds in which no key occurs twice: the first item of a key is in round 0, the next in round 1. A
 * server refuses to change a row twice in one statement; in successive rounds the last item wins. An item without a key
 * meets no other.
 */
export function roundsOf<T>(
  items: readonly T[],
  keyOf: (item: T) => string | number | undefined,
): (readonly T[])[] {
  const seen = new Map<string | number, number>();
  const later: T[][] = [];
  const first: T[] = [];
  for (const item of items) {
    const key = keyOf(item);
    const round = key === undefined ? 0 : (seen.get(key) ?? 0);
    if (key !== undefined) seen.set(key, round + 1);
    if (round === 0) first.push(item);
    else {
      later[round - 1] ??= [];
      later[round - 1]?.push(item);
    }
  }
  return later.length === 0 ? [items] : [first, ...later];
}
