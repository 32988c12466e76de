/**
 * Writes strings and numbers so that readers of YAML 1.1 and 1.2 read the same: plain if they can only mean text, as a
 * literal block if it keeps the lines, and in double quotes otherwise.
 */
import { digits } from "./writable.js";

/** A string on one line: a key, or a value where a block is not allowed. */
export function yamlString(value: string): string {
  return isPlain(value) ? value : inQuotes(value);
}

/**
 * A string as a value: a literal block if a block keeps its lines.
 * @param indent the spaces before each line of a block.
 */
export function yamlText(value: string, indent: string): string {
  if (!value.includes("\n")) return yamlString(value);
  if (!isBlock(value)) return inQuotes(value);
  const ends = value.endsWith("\n");
  const lines = (ends ? value.slice(0, -1) : value).replace(/^(?=.)/gm, indent);
  return `${ends ? "|" : "|-"}\n${lines}`;
}

/** A number, with the point that YAML 1.1 requires with an exponent. */
export function yamlNumber(value: number | bigint): string {
  const text = digits(value);
  if (text === "-0") return "-0.0";
  return text.includes("e") && !text.includes(".") ? text.replace("e", ".0e") : text;
}

/**
 * The reasons why a string cannot be plain: a beginning other than a letter, a digit or one of a few marks; a character
 * that is neither printable ASCII nor a letter, number, mark, sign or symbol; a colon or a space that ends something.
 */
const NOT_PLAIN = /^(?:[^\p{L}0-9_$/(\\^;]|$)|[^\x20-\x7e\p{L}\p{N}\p{M}\p{P}\p{S}]|:(?: |$)| #| $/u;
/** Words that some version of YAML reads as null or as a boolean. */
const WORDS = /^(?:y|n|yes|no|on|off|true|false|null)$/i;
/** Texts that may be read as a number, a date or a time (`E0`, by some readers), and some others. */
const NUMERIC = /^(?:[0-9][0-9a-fA-FxXoOtTzZ_.:+\- ]*|[eE][-+]?[0-9]+)$/;

function isPlain(value: string): boolean {
  return !NOT_PLAIN.test(value) && !WORDS.test(value) && !NUMERIC.test(value);
}

/**
 * The reasons why a string cannot be a block: white space at its beginning, more than one line feed at its end, a line
 * of only white space, a character that YAML does not print.
 */
const NOT_BLOCK =
  /^\s|\n\n$|[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10fffd}]/u;
const BLANK_LINE = /^[^\S\n]+$/m;

function isBlock(value: string): boolean {
  return !NOT_BLOCK.test(value) && !BLANK_LINE.test(value);
}

/** JSON's escapes are YAML's too. Characters that JSON does not escape and YAML does not print are escaped as well. */
function inQuotes(value: string): string {
  return JSON.stringify(value).replace(
    /[\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
