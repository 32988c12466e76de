/**
 * Statements as a file contains them: none of their literals has a line break, so that nothing in a declaration can end
 * a line and begin a step, and a checkout with other line ends changes no value.
 */
import { quoted } from "../../../core/errors.js";
import { MigrationError } from "../words/errors.js";
import type { TextDialect } from "./dialect.js";
import { type Token, tokensOf } from "./sql-cursor.js";

/**
 * The statement with the line breaks of its literals escaped.
 * @throws {MigrationError} `MIGRATION_INVALID` for a name with a line break that no file keeps.
 */
export function withoutBreaks(sql: string, { tokens, breaks }: TextDialect): string {
  if (!/[\n\r]/.test(sql)) return sql;
  let text = "";
  let at = 0;
  for (const token of tokensOf(sql, tokens)) {
    if (!/[\n\r]/.test(token.text) || (token.kind !== "text" && token.kind !== "name")) continue;
    const said = token.kind === "text" ? breaks.literal(token.value) : nameOf(token, breaks);
    const isEscaped = token.kind === "text" && breaks.letter?.test(sql.slice(0, token.start)) === true;
    text += sql.slice(at, isEscaped ? token.start - 1 : token.start) + said;
    at = token.end;
  }
  // A line of a comment in an expression is not a step either.
  return (text + sql.slice(at)).replace(/(?<=[\n\r])(?=\s*-- step)/g, " ");
}

// Without an escape for the characters of a name, a file keeps a line feed that begins no step.
function nameOf({ value, text }: Token, { name }: TextDialect["breaks"]): string {
  if (name !== undefined) return name(value);
  if (!/\r|\n\s*-- step/.test(value)) return text;
  const message = `the name ${quoted(value)} holds a line break that a file of migrations cannot keep`;
  throw new MigrationError("MIGRATION_INVALID", message);
}

/** A text as a literal of one line of PostgreSQL, or NULL, so that a comment cannot end a statement of a file. */
export function literal(text: string | null): string {
  if (text === null) return "NULL";
  return /[\n\r]/.test(text) ? `E'${backslashEscaped(text)}'` : `'${doubled(text)}'`;
}

/** The inside of a literal in which a backslash escapes. */
export function backslashEscaped(text: string): string {
  return doubled(text.replaceAll("\\", "\\\\")).replaceAll("\n", "\\n").replaceAll("\r", "\\r");
}

/** A literal in parts, with a call for each of its line breaks. */
export function concatenated(text: string, call: string): string {
  const parts = text.split(/([\n\r])/).filter((part) => part !== "");
  const said = parts.map((part) =>
    /^[\n\r]$/.test(part) ? `${call}(${part.charCodeAt(0)})` : `'${doubled(part)}'`,
  );
  return `(${said.join(" || ")})`;
}

function doubled(text: string): string {
  return text.replaceAll("'", "''");
}
