/**
 * The base of every error that rowtype throws: an `Error` with a stable `code`.
 * The families (SQL, HTTP, OpenAPI) subclass it; nothing throws it directly.
 */

/** Whose errors a class has; a subclass has those of its base unless it says otherwise. */
export type ErrorFamily = "rowtype" | "sql" | "http";

/**
 * What errors are known by, those of another copy of this package too. JSON and stored data carry no symbols, and it
 * stands on the prototypes, so that no copy of an error's properties carries it either: data never pass for an error.
 */
const FAMILY: unique symbol = Symbol.for("rowtype.error-family");

/** Marks the errors of a class. */
export function brand(errors: { readonly prototype: object }, family: ErrorFamily): void {
  Object.defineProperty(errors.prototype, FAMILY, { value: family });
}

/** The family of an error, and undefined for everything that is none of rowtype's. */
export function familyOf(value: unknown): ErrorFamily | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  try {
    // Only `brand` above writes it.
    return (value as { readonly [FAMILY]?: ErrorFamily })[FAMILY];
  } catch {
    // A proxy may refuse every question.
    return undefined;
  }
}

/** An error that programs tell apart by its `code`; the message is for people. */
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

/** Whether an error says that a declaration cannot work, of whichever family: a program catches them by one name. */
export function isDeclarationError(value: unknown): boolean {
  // The errors of all families are coded.
  return familyOf(value) !== undefined && (value as CodedError).code === "DECLARATION";
}

const MAX_MESSAGE = 299;
const MAX_QUOTED = 80;
/**
 * A name from outside as it may stand in a message: quoted, control characters escaped, cut at 80 characters.
 * What is not text is named by its type, never by its value.
 */
export function quoted(name: unknown): string {
  if (typeof name !== "string") return describeType(name);
  return visible(JSON.stringify(name.length > MAX_QUOTED ? `${name.slice(0, MAX_QUOTED)}…` : name));
}

/** The type of a value in words: `null`, `an array`, `a Date`, `a string`; never the value itself. */
export function describeType(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  const type = typeof value;
  return type === "object" ? describeObject(value) : `a ${type}`;
}

/** A number for a message, and the type of whatever else it may be. */
export function counted(value: unknown): string {
  return typeof value === "number" ? String(value) : describeType(value);
}

function describeObject(value: unknown): string {
  try {
    if (Array.isArray(value)) return "an array";
    if (value instanceof Date) return "a Date";
    if (value instanceof Uint8Array) return "bytes";
  } catch {
    // A proxy may refuse every question.
  }
  return "an object";
}

/** A list of allowed names for a message, cut where it grows long. */
export function listed(names: Iterable<string>): string {
  let text = "";
  let left = 0;
  for (const name of names) {
    if (left > 0 || text.length + name.length > 150) left++;
    else text += text === "" ? name : `, ${name}`;
  }
  return left === 0 ? text : `${text} and ${left} more`;
}

/** A message as every error has it: nothing in it is hidden, and it is under 300 characters. */
export function bounded(message: string): string {
  // Whoever makes an error without types may give anything; its type is all that may be shown of it.
  if (typeof message !== "string") return typeof message;
  // What is cut off need not be read: a message may quote a text of megabytes.
  const clean = visible(message.slice(0, MAX_MESSAGE));
  if (clean.length <= MAX_MESSAGE && clean.length >= message.length) return clean;
  return `${clean.slice(0, MAX_MESSAGE - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

const PLAIN = /^[ -~]*$/;
// Controls, format characters (those that turn the direction of writing too), line and paragraph separators, halves of
// characters, and whatever else a font shows nothing for.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
// Where one of them is part of how a word or an emoji is spelled: Persian has a joiner in every other word.
const SPELLED =
  /(?<=[\p{scx=Arab}\p{scx=Deva}\p{scx=Beng}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}])[\u200c\u200d](?=[\p{scx=Arab}\p{scx=Deva}\p{scx=Beng}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}])|(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic})\ufe0f/gu;

/**
 * A text in which nothing is hidden: control characters, which would forge lines of a log, and characters that a
 * reader cannot see or that turn the text around them (U+202E, zero-width ones) are escaped, `\u202e`. The one
 * function for this: every error of every subpath shows names and texts from outside through it.
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

/** Whether a value is an object or a list all of whose own properties can be read. */
export function isReadable(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  return safely(() => {
    for (const key of Reflect.ownKeys(value)) Reflect.get(value, key);
    return true;
  });
}

/** Whether a value, an object or a function, has these methods. */
export function hasMethods<Name extends string>(
  value: unknown,
  names: readonly Name[],
): value is { readonly [N in Name]: (...args: never[]) => unknown } {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  return safely(() => names.every((name) => typeof Reflect.get(value, name) === "function"));
}

/** The answer to a question about a value; false where the value refuses to be asked. */
export function safely(question: () => boolean): boolean {
  try {
    return question();
  } catch {
    return false;
  }
}
