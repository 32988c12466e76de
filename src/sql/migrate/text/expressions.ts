/**
 * Expressions of two catalogs of one server, compared by their meaning: blanks, quotes of names and, on SQLite, case
 * are ignored, and a column that is to be renamed has its new name.
 */
import type { Dialect } from "../../words/dialect.js";
import { rulesOf } from "./create-text.js";
import { type Token, tokensOf, unwrapped } from "./sql-cursor.js";

/** The new names of columns by their old ones. */
export type Renames = ReadonlyMap<string, string>;

/**
 * One form of an expression.
 * @param isLoose whether PostgreSQL's casts between its text types are ignored: it writes them in an expression over a
 * `varchar`, but not in the same expression over a `text`.
 */
export function comparable(
  expression: string,
  dialect: Dialect,
  renames: Renames = new Map(),
  isLoose = false,
): string {
  const folds = dialect === "sqlite";
  const all = tokensOf(expression, rulesOf[dialect]);
  const said = unwrapped(isLoose && dialect === "postgres" ? withoutTextCasts(all) : all).map(
    (token, i, all) => {
      if (token.kind === "text") return JSON.stringify(token.value);
      if (token.kind !== "word" && token.kind !== "name") return token.text;
      const name = isColumn(token, all[i - 1], all[i + 1])
        ? (renames.get(token.value) ?? token.value)
        : token.value;
      return folds ? name.toLowerCase() : name;
    },
  );
  const text = said.join(" ");
  // A line break in a literal, as a file contains it.
  return dialect === "sqlite" ? plainBreaks(text) : text;
}

const ATOM = String.raw`(?:"(?:[^"\\]|\\.)*"|char \( 1[03] \))`;
const ONE = new RegExp(ATOM, "g");
const RUN = new RegExp(String.raw`(\( )?(${ATOM}(?: \| \| ${ATOM})*)( \))?`, "g");

function plainBreaks(text: string): string {
  return text.replace(RUN, (all, open: string | undefined, run: string, close: string | undefined) => {
    if (!run.includes("char (")) return all;
    const values = (run.match(ONE) ?? []).map((part) =>
      part.startsWith('"') ? String(JSON.parse(part)) : part.includes("10") ? "\n" : "\r",
    );
    const literal = JSON.stringify(values.join(""));
    return open !== undefined && close !== undefined ? literal : `${open ?? ""}${literal}${close ?? ""}`;
  });
}

/** Whether an expression names one of these columns. */
export function mentions(expression: string, columns: ReadonlySet<string>, dialect: Dialect): boolean {
  const folds = dialect === "sqlite";
  const sought = new Set([...columns].map((name) => (folds ? name.toLowerCase() : name)));
  return tokensOf(expression, rulesOf[dialect]).some(
    (token, i, all) =>
      isColumn(token, all[i - 1], all[i + 1]) && sought.has(folds ? token.value.toLowerCase() : token.value),
  );
}

// Neither a function nor a type after a cast.
function isColumn({ kind }: Token, before: Token | undefined, after: Token | undefined): boolean {
  if (kind === "name") return true;
  return kind === "word" && after?.text !== "(" && before?.text !== ":";
}

const TEXT_TYPE = ["text", "varchar", "bpchar", "character varying", "character"];

function withoutTextCasts(tokens: readonly Token[]): readonly Token[] {
  const left: Token[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token === undefined) continue;
    const length = token.text === ":" && tokens[i + 1]?.text === ":" ? castLength(tokens, i + 2) : 0;
    if (length > 0) i += 1 + length;
    else left.push(token);
  }
  return withoutIdleParentheses(left);
}

/** The number of tokens in the name of a text type at this place. */
function castLength(tokens: readonly Token[], at: number): number {
  const textAt = (i: number) => tokens[at + i]?.text ?? "";
  const two = `${textAt(0)} ${textAt(1)}`;
  let length = TEXT_TYPE.includes(two) ? 2 : TEXT_TYPE.includes(textAt(0)) ? 1 : 0;
  if (length === 0) return 0;
  if (textAt(length) === "(" && textAt(length + 2) === ")") length += 3;
  if (textAt(length) === "[" && textAt(length + 1) === "]") length += 2;
  return length;
}

// Without the parentheses that casts needed: those around one token or one array, and doubled ones.
function withoutIdleParentheses(tokens: readonly Token[]): readonly Token[] {
  const ends = new Map<number, number>();
  const open: number[] = [];
  for (const [i, { kind, text }] of tokens.entries()) {
    if (kind === "symbol" && text === "(") open.push(i);
    const begin = kind === "symbol" && text === ")" ? open.pop() : undefined;
    if (begin !== undefined) ends.set(begin, i);
  }
  for (const [begin, end] of ends) {
    const before = tokens[begin - 1];
    const isCall =
      before?.kind === "name" ||
      (before?.kind === "word" && !/^(?:and|or|not|in|then|else|when|like)$/i.test(before.text));
    const isDoubled = ends.get(begin + 1) === end - 1;
    const isOne = end === begin + 2 && !isCall;
    if (isDoubled || isOne) return withoutIdleParentheses(tokens.filter((_, i) => i !== begin && i !== end));
  }
  return tokens;
}
