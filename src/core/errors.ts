/**
 * The base of every error that rowtype throws: an `Error` with a stable `code`.
 * The families (SQL, HTTP, OpenAPI) subclass it; nothing throws it directly.
 */

/** The family of the errors of a class. A subclass inherits it from its base, unless `brand` marks it. */
type ErrorFamily = "rowtype" | "sql" | "http";

/**
 * The mark of our errors, including those of another copy of this package. JSON and stored data carry no symbols, and
 * the mark is on the prototypes: a copy of an error's properties does not carry it. Data never pass for an error.
 */
const FAMILY: unique symbol = Symbol.for("rowtype.error-family");

/** Marks the errors of a class. */
export function brand(errors: { readonly prototype: object }, family: ErrorFamily): void {
  Object.defineProperty(errors.prototype, FAMILY, { value: family });
}

/** The family of an error; `undefined` for any value that is not an error of rowtype. */
export function familyOf(value: unknown): ErrorFamily | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  try {
    // Only `brand` above writes it.
    return (value as { readonly [FAMILY]?: ErrorFamily })[FAMILY];
  } catch {
    // A proxy may throw at every access.
    return undefined;
  }
}

/** An error that programs recognise by its `code`. The message is for people. */
export abstract class CodedError<Code extends string = string> extends Error {
  static {
    brand(CodedError, "rowtype");
  }

  /** Stable across releases; listed in `docs/errors.md`. */
  readonly code: Code;

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(bounded(message), options);
    this.code = code;
  }

  override get name(): string {
    return this.constructor.name;
  }
}

/** A declaration that cannot work. It is thrown while the program starts, never while a request runs. */
export class DeclarationError extends CodedError<"DECLARATION"> {
  constructor(message: string, options?: ErrorOptions) {
    super("DECLARATION", message, options);
  }

  /** One name catches the errors of every family, including those of another copy of this package. */
  static override [Symbol.hasInstance](value: unknown): value is DeclarationError {
    // The errors of all families are coded.
    return familyOf(value) !== undefined && (value as CodedError).code === "DECLARATION";
  }
}

const MAX_MESSAGE = 299;
const MAX_QUOTED = 80;
/**
 * A name from outside in the form for a message: quoted, control characters escaped, cut at 80 characters. A value that
 * is not text is named by its type, never by its value.
 */
export function quoted(name: unknown): string {
  if (typeof name !== "string") return describeType(name);
  return visible(JSON.stringify(name.length > MAX_QUOTED ? `${name.slice(0, MAX_QUOTED)}…` : name));
}

/** The type of a value in words: `null`, `an array`, `a Date`, `a string`. Never contains the value itself. */
export function describeType(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  const type = typeof value;
  return type === "object" ? describeObject(value) : `a ${type}`;
}

/** A number for a message; the type of any other value. */
export function counted(value: unknown): string {
  return typeof value === "number" ? String(value) : describeType(value);
}

function describeObject(value: unknown): string {
  try {
    if (Array.isArray(value)) return "an array";
    if (value instanceof Date) return "a Date";
    if (value instanceof Uint8Array) return "bytes";
  } catch {
    // A proxy may throw at every access.
  }
  return "an object";
}

/** A list of allowed names for a message, cut if it is long. */
export function listed(names: Iterable<string>): string {
  let text = "";
  let left = 0;
  for (const name of names) {
    if (left > 0 || text.length + name.length > 150) left++;
    else text += text === "" ? name : `, ${name}`;
  }
  return left === 0 ? text : `${text} and ${left} more`;
}

/** The message of an error: without hidden characters, and under 300 characters. */
export function bounded(message: string): string {
  // A caller without types may pass anything. Only its type may be shown.
  if (typeof message !== "string") return typeof message;
  // Only the beginning of the text is read: a message may quote a text of megabytes.
  const clean = visible(message.slice(0, MAX_MESSAGE));
  if (clean.length <= MAX_MESSAGE && clean.length >= message.length) return clean;
  return `${clean.slice(0, MAX_MESSAGE - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

const PLAIN = /^[ -~]*$/;
// Controls, format characters (including those that change the writing direction), line and paragraph separators,
// halves of characters, and all other characters that a font shows as nothing.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
// Places where one of them is part of the spelling of a word or an emoji: Persian has a joiner in every other word.
const SPELLED =
  /(?<=[\p{scx=Arab}\p{scx=Deva}\p{scx=Beng}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}])[\u200c\u200d](?=[\p{scx=Arab}\p{scx=Deva}\p{scx=Beng}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}])|(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic})\ufe0f/gu;

/**
 * A text without hidden characters: control characters, which would forge lines of a log, and characters that a reader
 * cannot see or that change the direction of the text (U+202E, zero-width ones) are escaped as `\u202e`. This is the
 * one function for it: every error of every subpath shows names and texts from outside through it.
 */
export function visible(text: string): string {
  if (typeof text !== "string") return typeof text;
  if (PLAIN.test(text)) return text;
  const spelled = new Set(Array.from(text.matchAll(SPELLED), ({ index }) => index));
  return text.replace(UNSEEN, (char, at: number) => (spelled.has(at) ? char : escaped(char)));
}

function escaped(char: string): string {
  const code = (char.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
}

/** Whether a value is an object or a list whose own properties can all be read. */
export function isReadable(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  return safely(() => {
    for (const key of Reflect.ownKeys(value)) Reflect.get(value, key);
    return true;
  });
}

/** Whether a value of an untyped caller is a list. A proxy that throws is not one. */
export function isList(value: unknown): value is readonly unknown[] {
  return safely(() => Array.isArray(value));
}

/** The words of a message about an object with known keys. */
interface KeyWords {
  /** The requirement as a clause: `the options of diff must be an object`. */
  readonly must: string;
  /** The noun for a key. */
  readonly noun: "key" | "option";
  /** The owner of the keys. */
  readonly of: string;
}

/** A caller's object that was read: what it holds under its known keys, or what is wrong with it. */
type ReadKeys = { readonly read: object } | { readonly fault: string };

/**
 * Reads an object that may have only these keys, each part of it once: what a getter gives later is never seen. Parts
 * of its prototypes are read as well.
 */
export function readKeys(
  value: unknown,
  keys: readonly string[] | ReadonlySet<string>,
  { must, noun, of }: KeyWords,
): ReadKeys {
  const known = new Set(keys);
  const read: Record<string, unknown> = {};
  let other: string | undefined;
  const isObject = safely(() => {
    if (typeof value !== "object" || value === null) return false;
    const own = Object.keys(value);
    other = own.find((key) => !known.has(key));
    for (const key of new Set([...own, ...known])) if (key in value) read[key] = Reflect.get(value, key);
    return true;
  });
  if (!isObject) return { fault: `${must}, not ${describeType(value)}` };
  if (other === undefined) return { read };
  return { fault: `unknown ${noun} ${quoted(other)} of ${of}; ${noun}s: ${listed(known)}` };
}

/** The parts of a caller's object by their names, each read once; `undefined` for a list and what cannot be read. */
export function readParts(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== "object" || value === null || isList(value)) return undefined;
  try {
    return { ...value };
  } catch {
    // A getter or a proxy may throw.
    return undefined;
  }
}

/** Whether a value, an object or a function, has these methods. */
export function hasMethods<Name extends string>(
  value: unknown,
  names: readonly Name[],
): value is { readonly [N in Name]: (...args: never[]) => unknown } {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  return safely(() => names.every((name) => typeof Reflect.get(value, name) === "function"));
}

/** The answer to a question about a value; false if the value throws. */
export function safely(question: () => boolean): boolean {
  try {
    return question();
  } catch {
    return false;
  }
}

/** Whether a value of an untyped caller is a Date. A proxy that throws is not one. */
export function isDate(value: unknown): value is Date {
  try {
    return value instanceof Date;
  } catch {
    return false;
  }
}
