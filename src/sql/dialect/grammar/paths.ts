/**
 * How each dialect reads a value inside a JSON value. A value of another type than the requested one is NULL, as is a
 * JSON null.
 */
import type { PathKey } from "../../words/paths.js";

/** The type as which a value inside JSON is read; `json` is the JSON text, of any type. */
export type MemberForm = "text" | "number" | "integer" | "boolean" | "json";

/** How a dialect reads paths. */
export interface PathGrammar {
  /** A JSON column `{f}` of a declared type, or another JSON value, in the form in which paths apply to it. */
  readonly document: (type: string | undefined) => string;
  /** The text of a path, for the places `{0}` of the templates. */
  readonly steps: (keys: readonly PathKey[]) => string;
  /** The value in the document `{f}`. */
  readonly member: { readonly [F in MemberForm]: string };
  /**
   * The document `{f}` with a changed value: `{0}` is the path, `{1}` the new value as JSON text, `{2}` the path of the
   * value around it, in the document `{3}` as it is stored. A name changes nothing unless that value is an object, and
   * a place changes nothing unless it is a list with such a place.
   */
  readonly set: { readonly name: string; readonly place: string };
  /** The text of the path to a value that is set, if it differs from that of a value that is read. */
  readonly target?: (keys: readonly PathKey[]) => string;
  /** A document `{f}` as a column of a declared type keeps it. */
  readonly stored: (type: string | undefined) => string;
  /** The names that the server does not find. */
  readonly misses?: {
    readonly name: (name: string) => boolean;
    readonly feature: string;
    readonly hint: string;
  };
  /** Whether the value in the document `{f}` is a list, if a place could also find a value in what is no list. */
  readonly isList?: string;
}

export const MOST_INTEGER: number = Number.MAX_SAFE_INTEGER;

// Quotes names with other characters.
export function jsonPath(keys: readonly PathKey[], quoted: (key: string) => string): string {
  const step = (key: PathKey) =>
    typeof key === "number" ? `[${key}]` : `.${PLAIN.test(key) ? key : quoted(key)}`;
  return `$${keys.map(step).join("")}`;
}

const PLAIN = /^[A-Za-z_][A-Za-z0-9_]*$/;
