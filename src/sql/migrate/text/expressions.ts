/**
 * Expressions of two catalogs of one server, compared by their meaning: blanks, quotes of names and, on some servers,
 * case are ignored, and a column that is to be renamed has its new name.
 */
import type { TextDialect } from "./dialect.js";
import { type Token, tokensOf, unwrapped } from "./sql-cursor.js";

/** The new names of columns by their old ones. */
export type Renames = ReadonlyMap<string, string>;

/**
 * One form of an expression.
 * @param isLoose whether PostgreSQL's casts between its text types are ignored: it writes them in an expression over a
 * `varchar`, but not in the same expression over a `text`.
 */
export function comparableText(
  expression: string,
  { tokens, expressions }: TextDialect,
  renames: Renames = new Map(),
  isLoose = false,
): string {
  const { ignoresCase, withoutCasts, literals } = expressions;
  const all = tokensOf(expression, tokens);
  const said = unwrapped(isLoose && withoutCasts !== undefined ? withoutCasts(all) : all).map(
    (token, i, all) => {
      if (token.kind === "text") return JSON.stringify(token.value);
      if (token.kind !== "word" && token.kind !== "name") return token.text;
      const name = isColumn(token, all[i - 1], all[i + 1])
        ? (renames.get(token.value) ?? token.value)
        : token.value;
      return ignoresCase ? name.toLowerCase() : name;
    },
  );
  const text = said.join(" ");
  return literals === undefined ? text : literals(text);
}

/** Whether an expression names one of these columns. */
export function mentions(
  expression: string,
  columns: ReadonlySet<string>,
  { tokens, expressions: { ignoresCase } }: TextDialect,
): boolean {
  const called = (name: string) => (ignoresCase ? name.toLowerCase() : name);
  const sought = new Set([...columns].map(called));
  return tokensOf(expression, tokens).some(
    (token, i, all) => isColumn(token, all[i - 1], all[i + 1]) && sought.has(called(token.value)),
  );
}

// Neither a function nor a type after a cast.
function isColumn({ kind }: Token, before: Token | undefined, after: Token | undefined): boolean {
  if (kind === "name") return true;
  return kind === "word" && after?.text !== "(" && before?.text !== ":";
}
