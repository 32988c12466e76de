/**
 * The base of every error that rowtype throws: an `Error` with a stable `code`.
 * The families (SQL, HTTP, OpenAPI) subclass it; nothing throws it directly.
 */

/** An error that programs tell apart by its `code`; the message is for people. */
export abstract class CodedError<Code extends string = string> extends Error {
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
  return value instanceof CodedError && value.code === "DECLARATION";
}

const MAX_MESSAGE = 299;
const MAX_QUOTED = 80;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are taken out.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

/**
 * A name from outside as it may stand in a message: quoted, control characters escaped, cut at 80 characters.
 * What is not text is named by its type, never by its value.
 */
export function quoted(name: unknown): string {
  if (typeof name !== "string") return describeType(name);
  return JSON.stringify(name.length > MAX_QUOTED ? `${name.slice(0, MAX_QUOTED)}…` : name);
}

/** The type of a value in words: `null`, `an array`, `a Date`, `a string`; never the value itself. */
export function describeType(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  const type = typeof value;
  return type === "object" ? describeObject(value) : `a ${type}`;
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

// Control characters would forge lines of a log; a message may quote the text of a user's own refinement.
function bounded(message: string): string {
  const clean = message.replace(CONTROL, escaped);
  return clean.length > MAX_MESSAGE ? `${clean.slice(0, MAX_MESSAGE - 1)}…` : clean;
}

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
