/**
 * A strict JSON reader of our own (RFC 8259) that knows its position. It finds facts that `JSON.parse` does not report:
 * the place of a mistake, duplicate keys, exact integers, the offset of a value. Slower: used only where needed.
 */
import { quoted } from "../core/errors.js";
import { type Difference, type Differences, isDifference } from "./check.js";
import { closingQuote } from "./json-scan.js";
import { fail, failDuplicate, MAX_DEPTH, setOwn } from "./source-text.js";

/** Reads a JSON text with exact integers. */
export function readJsonExactly(text: string): unknown {
  return new JsonReader(text).document();
}

/** The offsets of the differing values, by the difference, in a valid JSON text. */
export function locateInJson(text: string, differences: Differences): ReadonlyMap<Difference, number> {
  const reader = new JsonReader(text, differences);
  reader.document();
  return reader.found;
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

class JsonReader {
  readonly #text: string;
  readonly #path: (string | number)[] = [];
  /** The differences in the value that is being read. */
  #differences: Differences | undefined;
  #at = 0;
  readonly found = new Map<Difference, number>();

  constructor(text: string, differences?: Differences) {
    this.#text = text;
    this.#differences = differences;
  }

  document(): unknown {
    const value = this.#value();
    this.#skipSpace();
    if (this.#at < this.#text.length) this.#unexpected("the end of the text");
    return value;
  }

  #value(): unknown {
    this.#skipSpace();
    this.#note();
    switch (this.#text[this.#at]) {
      case "{":
        return this.#object();
      case "[":
        return this.#array();
      case '"':
        return this.#string();
      case "t":
        return this.#word("true", true);
      case "f":
        return this.#word("false", false);
      case "n":
        return this.#word("null", null);
      default:
        return this.#number();
    }
  }

  #object(): Record<string, unknown> {
    this.#enter();
    const start = this.#at;
    const object: Record<string, unknown> = {};
    if (this.#next() === "}") return this.#leave(object);
    for (;;) {
      if (this.#next() !== '"') this.#unexpected("a property name in double quotes");
      const offset = this.#at;
      const key = this.#string();
      if (Object.hasOwn(object, key)) {
        failDuplicate(key, this.#text, this.#firstOf(key, start), offset, this.#path);
      }
      if (this.#next() !== ":") this.#unexpected('":"');
      this.#at++;
      setOwn(object, key, this.#part(key));
      const end = this.#next();
      if (end === "}") return this.#leave(object);
      if (end !== ",") this.#unexpected('"," or "}"');
      this.#at++;
    }
  }

  /** The first position of a key in an object, found by reading the object again. `start` is after its brace. */
  #firstOf(key: string, start: number): number {
    this.#at = start;
    for (;;) {
      this.#skipSpace();
      const offset = this.#at;
      if (this.#string() === key) return offset;
      this.#next();
      this.#at++;
      this.#value();
      this.#next();
      this.#at++;
    }
  }

  #array(): unknown[] {
    this.#enter();
    const array: unknown[] = [];
    if (this.#next() === "]") return this.#leave(array);
    for (;;) {
      array.push(this.#part(array.length));
      const end = this.#next();
      if (end === "]") return this.#leave(array);
      if (end !== ",") this.#unexpected('"," or "]"');
      this.#at++;
    }
  }

  #string(): string {
    const start = this.#at;
    const end = closingQuote(this.#text, start);
    if (end === -1) this.#fail("expected a closing quote, found the end of the text", start);
    const body = this.#text.slice(start + 1, end);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the code looks for control characters.
    const control = body.search(/[\u0000-\u001f]/);
    if (control !== -1) {
      this.#fail("expected control characters in a string to be escaped", start + 1 + control);
    }
    this.#at = end + 1;
    if (!body.includes("\\")) return body;
    for (let i = body.indexOf("\\"); i !== -1; i = body.indexOf("\\", ESCAPE.lastIndex)) {
      ESCAPE.lastIndex = i;
      if (!ESCAPE.test(body)) this.#fail("expected a JSON escape after the backslash", start + 1 + i);
    }
    // Every part was checked: this returns a string and nothing else.
    return JSON.parse(`"${body}"`) as string;
  }

  #number(): number | bigint {
    NUMBER.lastIndex = this.#at;
    const source = NUMBER.exec(this.#text)?.[0];
    if (source === undefined) this.#unexpected("a value");
    const value = jsonNumber(source);
    if (value === undefined) this.#fail("expected a number that a double can hold", this.#at);
    this.#at += source.length;
    return value;
  }

  #word<T>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) this.#unexpected("a value");
    this.#at += word.length;
    return value;
  }

  #enter(): void {
    if (this.#path.length >= MAX_DEPTH) {
      const problem = `expected at most ${MAX_DEPTH} levels of nesting, found more`;
      fail("TOO_COMPLEX", problem, this.#text, this.#at, this.#path);
    }
    this.#at++;
  }

  #leave<T>(value: T): T {
    this.#at++;
    return value;
  }

  /** Skips white space and returns the next character; undefined at the end. */
  #next(): string | undefined {
    this.#skipSpace();
    return this.#text[this.#at];
  }

  #skipSpace(): void {
    for (;;) {
      const c = this.#text.charCodeAt(this.#at);
      if (c !== 32 && c !== 10 && c !== 13 && c !== 9) return;
      this.#at++;
    }
  }

  /** The value under a key or an index. */
  #part(key: string | number): unknown {
    const around = this.#differences;
    this.#differences = around === undefined || isDifference(around) ? undefined : around.get(key);
    this.#path.push(key);
    const value = this.#value();
    this.#path.pop();
    this.#differences = around;
    return value;
  }

  /** Stores the offset of a value that differs. */
  #note(): void {
    if (this.#differences !== undefined && isDifference(this.#differences))
      this.found.set(this.#differences, this.#at);
  }

  #unexpected(expected: string): never {
    const char = this.#text.codePointAt(this.#at);
    const found = char === undefined ? "the end of the text" : quoted(String.fromCodePoint(char));
    this.#fail(`expected ${expected}, found ${found}`, this.#at);
  }

  #fail(problem: string, offset: number): never {
    fail("INVALID_SYNTAX", problem, this.#text, offset, this.#path);
  }
}

/** The value of a JSON number: a bigint if a double would round an integer; undefined beyond the range of doubles. */
function jsonNumber(source: string): number | bigint | undefined {
  const value = Number(source);
  if (Number.isSafeInteger(value) || !/^-?\d+$/.test(source)) {
    return Number.isFinite(value) ? value : undefined;
  }
  return BigInt(source);
}
