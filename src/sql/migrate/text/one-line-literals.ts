/**
 * Statements as a file contains them: none of their literals has a line break, so that nothing in a declaration can end
 * a line and begin a step, and a checkout with other line ends changes no value.
 */
import { quoted } from "../../../core/errors.js";
import type { Dialect } from "../../words/dialect.js";
import { MigrationError } from "../words/errors.js";
import { rulesOf } from "./create-text.js";
import { type Token, tokensOf } from "./sql-cursor.js";

/**
 * The statement with the line breaks of its literals escaped.
 * @throws {MigrationError} `MIGRATION_INVALID` for a name with a line break that no file keeps.
 */
export function withoutBreaks(sql: string, dialect: Dialect): string {
  if (!/[\n\r]/.test(sql)) return sql;
  let text = "";
  let at = 0;
  for (const token of tokensOf(sql, rulesOf[dialect])) {
    if (!/[\n\r]/.test(token.text) || (token.kind !== "text" && token.kind !== "name")) continue;
    const said = token.kind === "text" ? escapes[dialect](token.value) : nameOf(token, dialect);
    // PostgreSQL's `E'…'` is written again with its letter.
    const isEscaped =
      dialect === "postgres" && token.kind === "text" && ESCAPES.test(sql.slice(0, token.start));
    text += sql.slice(at, isEscaped ? token.start - 1 : token.start) + said;
    at = token.end;
  }
  // A line of a comment in an expression is not a step either.
  return (text + sql.slice(at)).replace(/(?<=[\n\r])(?=\s*-- step)/g, " ");
}

const ESCAPES = /(?<![\p{L}\p{N}_$])[eE]$/u;

// Only PostgreSQL has an escape for the characters of a name. Elsewhere a file keeps a line feed that begins no step.
function nameOf({ value, text }: Token, dialect: Dialect): string {
  if (dialect === "postgres") {
    const inner = value.replaceAll("\\", "\\\\").replaceAll('"', '""');
    return `U&"${inner.replaceAll("\n", "\\000A").replaceAll("\r", "\\000D")}"`;
  }
  if (!/\r|\n\s*-- step/.test(value)) return text;
  const message = `the name ${quoted(value)} holds a line break that a file of migrations cannot keep`;
  throw new MigrationError("MIGRATION_INVALID", message);
}

const doubled = (text: string) => text.replaceAll("'", "''");
const escaped = (text: string) =>
  doubled(text.replaceAll("\\", "\\\\")).replaceAll("\n", "\\n").replaceAll("\r", "\\r");
const concatenated = (call: string) => (text: string) => {
  const parts = text.split(/([\n\r])/).filter((part) => part !== "");
  const said = parts.map((part) =>
    /^[\n\r]$/.test(part) ? `${call}(${part.charCodeAt(0)})` : `'${doubled(part)}'`,
  );
  return `(${said.join(" || ")})`;
};

const escapes: { readonly [D in Dialect]: (text: string) => string } = {
  postgres: (text) => `E'${escaped(text)}'`,
  mariadb: (text) => `'${escaped(text)}'`,
  sqlite: concatenated("char"),
  oracle: concatenated("chr"),
};
