/** From text of a caller's own with `:name` in it to the text that the driver gets. Values never are a part of it. */
import { quoted } from "../../core/errors.js";
import type { Grammar, ScanGrammar } from "../dialect/grammar.js";
import { BuildError, QueryError, UnsupportedError } from "../words/errors.js";
import type { Rendered } from "../words/rendered.js";

/**
 * Finds the parameters of a text, except in what is text, a name in quotes or a comment to the dialect.
 * @throws {BuildError} `INVALID_PARAM` for a name that is none, and for placeholders of the dialect's own.
 * @throws {QueryError} `TRANSACTION_REQUIRED` for a statement that begins or ends a transaction: a connection in
 * one would be handed to whoever comes next.
 */
export function renderNamed(text: string, grammar: Grammar): Named {
  const { placeholder, sharesPlaceholders, scan, maxParams, dialect } = grammar;
  const tokens = tokensOf(scan);
  const names: string[] = [];
  const params: string[] = [];
  let native = "";
  let firstWord: string | undefined;
  for (let at = 0; at < text.length; at = tokens.lastIndex) {
    tokens.lastIndex = at;
    const { own, name, word } = tokens.exec(text)?.groups ?? {};
    if (scan.nestsComments && text.startsWith("/*", at)) tokens.lastIndex = endOfComment(text, at);
    if (own !== undefined) throw refused(`write :name in place of ${quoted(own)}`);
    if (word !== undefined) firstWord ??= word;
    if (name === undefined) {
      native += text.slice(at, tokens.lastIndex);
      continue;
    }
    if (name.length > MOST_CHARACTERS)
      throw refused(`the parameter ${quoted(name)} has more than ${MOST_CHARACTERS} characters`);
    if (!params.includes(name)) params.push(name);
    const before = sharesPlaceholders ? names.indexOf(name) : -1;
    native += placeholder(before >= 0 ? before + 1 : names.push(name));
  }
  checkFirst(firstWord, scan);
  if (names.length > maxParams)
    throw new UnsupportedError(dialect, `more than ${maxParams} parameters`, "split the statement");
  const changes = firstWord !== undefined && CHANGING.has(firstWord.toLowerCase());
  return { sql: text, params, native: { sql: native, params: names }, changes };
}

/** A text with its parameters found. */
export interface Named extends Rendered {
  /** Whether it is one statement that changes rows, all that it says or nothing of it. */
  readonly changes: boolean;
}

// What a procedure or a block does, and stores on its way, nobody but its author knows.
const CHANGING: ReadonlySet<string> = new Set(["insert", "update", "delete", "merge", "replace"]);

const MOST_CHARACTERS = 63;

const kept = new WeakMap<ScanGrammar, RegExp>();

function tokensOf(scan: ScanGrammar): RegExp {
  let tokens = kept.get(scan);
  if (tokens === undefined) {
    const { skipped, own } = scan;
    // A cast is two colons; a number ends no word. What is nothing of all this is passed on as it is.
    const parts = [
      skipped,
      `(?<own>${own})`,
      "::",
      ":(?<name>[A-Za-z_]\\w*)",
      WORD,
      "\\d[\\w.]*",
      "[\\s\\S]",
    ];
    tokens = new RegExp(parts.join("|"), "y");
    kept.set(scan, tokens);
  }
  return tokens;
}

const WORD = "(?<word>[A-Za-z_\\u0080-\\uffff][\\w$\\u0080-\\uffff]*)";

function endOfComment(text: string, begin: number): number {
  let depth = 0;
  for (const edge of text.slice(begin).matchAll(/\/\*|\*\//g)) {
    depth += edge[0] === "/*" ? 1 : -1;
    if (depth === 0) return begin + edge.index + edge[0].length;
  }
  return text.length;
}

function checkFirst(word: string | undefined, { transactionWords }: ScanGrammar): void {
  if (word !== undefined && transactionWords.has(word.toLowerCase()))
    throw new QueryError(
      "TRANSACTION_REQUIRED",
      `${quoted(word.toUpperCase())} is said by transaction(…) alone: it knows the connection and the end`,
    );
}

function refused(message: string): BuildError {
  return new BuildError([{ code: "INVALID_PARAM", message }]);
}
