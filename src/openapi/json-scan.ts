/**
 * A quick scan of a JSON text that `JSON.parse` has read, for facts that the parser drops: the number of keys (if the
 * value has fewer, one was duplicated), and the digits of integers that a double rounds.
 */

/** The result of the scan. */
interface JsonScan {
  /** The number of keys in the text, including duplicates. */
  readonly keys: number;
  /** The integers that a double rounds, as written, in order; only if requested. */
  readonly integers: readonly string[];
}

/** Scans a text that is valid JSON. It skips from string to string: only keys and numbers matter. */
export function scanJson(text: string, withIntegers: boolean): JsonScan {
  const integers: string[] = [];
  const digits = /\d{16}/g;
  const nextRun = (): number => (digits.test(text) ? digits.lastIndex - 16 : Number.POSITIVE_INFINITY);
  let run = withIntegers ? nextRun() : Number.POSITIVE_INFINITY;
  let keys = 0;
  let outside = 0;
  for (;;) {
    const start = text.indexOf('"', outside);
    for (const limit = start === -1 ? text.length : start; run < limit; run = nextRun()) {
      digits.lastIndex = endOfDigits(text, digits.lastIndex);
      const integer = run < outside ? undefined : integerAt(text, run, digits.lastIndex);
      if (integer !== undefined) integers.push(integer);
    }
    if (start === -1) return { keys, integers };
    outside = closingQuote(text, start) + 1;
    let next = text.charCodeAt(outside);
    while (next <= SPACE) next = text.charCodeAt(++outside);
    if (next === COLON) keys++;
  }
}

function endOfDigits(text: string, offset: number): number {
  let end = offset;
  while (isDigit(text.charCodeAt(end))) end++;
  return end;
}

/** The number around a run of digits, if it is an integer that a double rounds. */
function integerAt(text: string, start: number, end: number): string | undefined {
  const begin = text.charCodeAt(start - 1) === MINUS ? start - 1 : start;
  if (isPartOfNumber(text.charCodeAt(begin - 1)) || isPartOfNumber(text.charCodeAt(end))) return undefined;
  const integer = text.slice(begin, end);
  return end - start === 16 && Number.isSafeInteger(Number(integer)) ? undefined : integer;
}

const isDigit = (char: number): boolean => char >= ZERO && char <= NINE;

/** Whether a character next to digits makes them part of a larger number. */
const isPartOfNumber = (char: number): boolean =>
  char === DOT || (char | LOWER_CASE) === E || char === PLUS || char === MINUS;

/** The offset of the quote that ends a string begun at `start`; -1 if the string does not end. */
export function closingQuote(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && text.charCodeAt(end - 1) === BACKSLASH) {
    let first = end - 1;
    while (text.charCodeAt(first - 1) === BACKSLASH) first--;
    // An even number of backslashes escape each other and do not escape the quote.
    if ((end - first) % 2 === 0) break;
    end = text.indexOf('"', end + 1);
  }
  return end;
}

const SPACE = 32;
const LOWER_CASE = 32;
const PLUS = 43;
const MINUS = 45;
const DOT = 46;
const ZERO = 48;
const NINE = 57;
const COLON = 58;
const BACKSLASH = 92;
const E = 101;
