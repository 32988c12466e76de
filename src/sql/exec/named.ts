/** Converts the caller's SQL text with `:name` to the text for the driver. Values never become part of it. */
import { quoted } from "../../core/errors.js";
import type { Grammar } from "../dialect/grammar/grammar.js";
import { readTokens } from "../dialect/grammar/tokens.js";
import { BuildError, UnsupportedError } from "../words/errors.js";
import { checkOpening } from "./opening-words.js";

/**
 * Finds the parameters of a text, except in string literals, quoted names and comments of the dialect.
 * @throws {BuildError} `INVALID_PARAM` for an invalid name, and for the dialect's own placeholders.
 * @throws {QueryError} as {@link checkOpening}
 */
export function parseNamed(text: string, { scan }: Grammar): Named {
  const texts: string[] = [];
  const holes: Hole[] = [];
  let first: string | undefined;
  let before = "";
  for (const token of readTokens(text, scan)) {
    const { own, list, name = list, word } = token.groups;
    if (own !== undefined) throw refused(`write :name in place of ${quoted(own)}`);
    first ??= word?.toLowerCase();
    if (name === undefined) {
      before += token.text;
      continue;
    }
    if (name.length > MOST_CHARACTERS)
      throw refused(`the parameter ${quoted(name)} has more than ${MOST_CHARACTERS} characters`);
    texts.push(before);
    holes.push({ name, isList: list !== undefined });
    before = "";
  }
  checkOpening(text, scan);
  const changes = CHANGING.has(first ?? "");
  return { texts: [...texts, before], holes, changes, isPlain: changes || READING.has(first ?? "") };
}

/** A place of a parameter in a text. */
interface Hole {
  readonly name: string;
  /** Whether a list is written here: a placeholder for each of its items. */
  readonly isList: boolean;
}

/** The text that the driver gets, and the parameter of each placeholder: for a list, one of its items. */
export interface Written {
  readonly sql: string;
  readonly places: readonly { readonly name: string; readonly item: number | undefined }[];
}

/**
 * Writes a text with placeholders.
 * @param lengthOf the number of items of a list.
 * @throws {UnsupportedError} for more parameters than a statement takes.
 */
export function writeNamed(
  { texts, holes }: Named,
  { placeholder, sharesPlaceholders, maxParams, dialect }: Grammar,
  lengthOf: (name: string) => number,
): Written {
  const places: { name: string; item: number | undefined }[] = [];
  const known = new Map<string, string>();
  let sql = "";
  for (const [i, { name, isList }] of holes.entries()) {
    const key = isList ? `...${name}` : name;
    let written = known.get(key);
    if (written === undefined) {
      const length = isList ? lengthOf(name) : 1;
      if (places.length + length > maxParams)
        throw new UnsupportedError(dialect, `more than ${maxParams} parameters`, "split the statement");
      const items: (number | undefined)[] = isList ? Array.from({ length }, (_, item) => item) : [undefined];
      written = items.map((item) => placeholder(places.push({ name, item }))).join(", ");
      if (sharesPlaceholders) known.set(key, written);
    }
    sql += (texts[i] ?? "") + written;
  }
  return { sql: sql + (texts.at(-1) ?? ""), places };
}

/** A text with its parameters found, and the pieces before, between and after them. */
export interface Named {
  readonly texts: readonly string[];
  readonly holes: readonly Hole[];
  /** Whether it is one statement that changes rows, completely or not at all. */
  readonly changes: boolean;
  /** Whether it is a statement that changes or reads rows: no procedure, no COPY, no setting. */
  readonly isPlain: boolean;
}

// A procedure or a block may commit a part of its work.
const CHANGING: ReadonlySet<string> = new Set(["insert", "update", "delete", "merge", "replace"]);

const READING: ReadonlySet<string> = new Set(["select", "with", "values", "table"]);

const MOST_CHARACTERS = 63;

function refused(message: string): BuildError {
  return new BuildError([{ code: "INVALID_PARAM", message }]);
}
