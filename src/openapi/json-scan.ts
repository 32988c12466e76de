/**
 * One quick look over JSON before `JSON.parse` reads it, for what the parser would swallow: keys (to find
 * duplicates by their number), nesting, integers that a double would round. It does not judge the syntax.
 */
import { MAX_DEPTH } from "./source-text.js";

/** What the look found. */
export interface JsonScan {
  /** How many keys stand in the text, duplicates included. */
  readonly keys: number;
  /** Where integers stand that a double would round: start and end of each, in turn. */
  readonly integers: readonly number[];
  /** Whether something calls for the strict reader: too many levels, a number that `integers` cannot stand for. */
  readonly unusual: boolean;
}

/** Doubles from here on may stand for integers while `JSON.parse` runs. */
export const STAND_INS: number = 2 ** 1000;

const SAFE_DIGITS = 15;
const LONG = 300;

/** Looks over a text. When it is not JSON the result means nothing. */
export function scanJson(text: string): JsonScan {
  const integers: number[] = [];
  let unusual = false;
  let keys = 0;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c <= 32 || c === COMMA) continue;
    if (c === QUOTE) {
      i = closingQuote(text, i);
      if (i === -1) break;
    } else if (c === COLON) {
      keys++;
    } else if (c === BRACE || c === BRACKET) {
      if (++depth > MAX_DEPTH) unusual = true;
    } else if (c === CLOSING_BRACE || c === CLOSING_BRACKET) {
      depth--;
    } else if (c === MINUS || isDigit(c)) {
      const start = i;
      let whole = true;
      let exponent = false;
      let next = text.charCodeAt(++i);
      while (isDigit(next) || next === DOT || next === PLUS || next === MINUS || (next | 32) === E) {
        if (!isDigit(next)) whole = false;
        if ((next | 32) === E) exponent = true;
        next = text.charCodeAt(++i);
      }
      if (exponent || i - start > LONG) {
        unusual ||= !(Math.abs(Number(text.slice(start, i))) < STAND_INS);
      } else if (whole && i - start > SAFE_DIGITS && !Number.isSafeInteger(Number(text.slice(start, i)))) {
        // No number of JSON begins with a zero; `JSON.parse`, which sees a stand-in, could not refuse this one.
        if (text.charCodeAt(c === MINUS ? start + 1 : start) === ZERO) unusual = true;
        integers.push(start, i);
      }
      i--;
    }
  }
  return { keys, integers, unusual };
}

/** The offset of the quote that ends a string begun at `start`; -1 when none does. */
export function closingQuote(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && text.charCodeAt(end - 1) === BACKSLASH) {
    let first = end - 1;
    while (text.charCodeAt(first - 1) === BACKSLASH) first--;
    // An even number of backslashes escape each other and leave the quote alone.
    if ((end - first) % 2 === 0) break;
    end = text.indexOf('"', end + 1);
  }
  return end;
}

const isDigit = (c: number): boolean => c >= 48 && c <= 57;

const QUOTE = 34;
const PLUS = 43;
const COMMA = 44;
const MINUS = 45;
const DOT = 46;
const ZERO = 48;
const COLON = 58;
const BRACKET = 91;
const BACKSLASH = 92;
const CLOSING_BRACKET = 93;
const E = 101;
const BRACE = 123;
const CLOSING_BRACE = 125;
