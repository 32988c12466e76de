/**
 * SQL expressions as SQLite keeps them: the author's text. Each gets one form, so that two texts with the same meaning
 * are equal: SQLite itself quotes names when it renames a column.
 */
import { doubleQuoted } from "../../../dialect/grammar/names.js";
import { sqliteRules, type Token, tokensOf, unwrapped } from "../../text/sql-cursor.js";

const PLAIN = /^[A-Za-z_][A-Za-z0-9_]*$/;
// The words of expressions that need quotes as names.
const RESERVED: ReadonlySet<string> = new Set(
  "all and as between by case check collate constraint create default delete distinct drop else end escape except exists foreign from group having in index insert intersect into is isnull join like limit not notnull null on or order primary references select set table then to union unique update using values when where current_date current_time current_timestamp true false glob regexp match cast raise".split(
    " ",
  ),
);

/** The text with single blanks, without comments, and with no quotes around plain names. */
export function plainExpression(sql: string): string {
  const tokens = unwrapped(tokensOf(sql, sqliteRules));
  let text = "";
  for (const [i, token] of tokens.entries()) {
    const before = tokens[i - 1];
    const gap = before !== undefined && before.end < token.start ? " " : "";
    text += gap + written(token);
  }
  return text;
}

function written({ kind, text, value }: Token): string {
  if (kind !== "name") return text;
  return PLAIN.test(value) && !RESERVED.has(value.toLowerCase()) ? value : doubleQuoted(value);
}
