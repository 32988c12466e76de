/**
 * How each dialect reads a value inside a JSON value. A value of another type than it is read as is NULL, as is a null
 * of JSON.
 */
import type { PathKey } from "../../words/paths.js";

/** What a value inside JSON is read as; as `json` it is the JSON text, of any type. */
export type MemberForm = "text" | "number" | "integer" | "boolean" | "json";

/** How a dialect reads paths. */
export interface PathGrammar {
  /** A JSON column `{f}` of a declared type, or another JSON value, as what paths lead into. */
  readonly document: (type: string | undefined) => string;
  /** The text of a path, for the places `{0}` of the templates. */
  readonly steps: (keys: readonly PathKey[]) => string;
  /** The value in the document `{f}`. */
  readonly member: { readonly [F in MemberForm]: string };
  /**
   * The document `{f}` with another value in it: `{0}` is the path, `{1}` the value as JSON text, `{2}` the path of what
   * holds it, in the document `{3}` as it is stored. Nothing changes where that is not an object, for a name, or not a list
   * with such a place, for a place.
   */
  readonly set: { readonly name: string; readonly place: string };
  /** The text of the path to a value that is set, if it is another than that of a value that is read. */
  readonly target?: (keys: readonly PathKey[]) => string;
  /** A document `{f}` as a column of a declared type keeps it. */
  readonly stored: (type: string | undefined) => string;
  /** The names that the server does not find. */
  readonly misses?: {
    readonly name: (name: string) => boolean;
    readonly feature: string;
    readonly hint: string;
  };
  /** Whether the value in the document `{f}` is a list, if a place in a list could lead to what is none. */
  readonly isList?: string;
}

export const MOST_INTEGER: number = Number.MAX_SAFE_INTEGER;

// Names of other characters are quoted.
export function jsonPath(keys: readonly PathKey[], quoted: (key: string) => string): string {
  const step = (key: PathKey) =>
    typeof key === "number" ? `[${key}]` : `.${PLAIN.test(key) ? key : quoted(key)}`;
  return `$${keys.map(step).join("")}`;
}

const PLAIN = /^[A-Za-z_][A-Za-z0-9_]*$/;
