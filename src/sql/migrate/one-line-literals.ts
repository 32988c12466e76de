/**
 * Statements as a file holds them: no literal of theirs has a line break, so that nothing in a declaration can end a
 * line and begin a step, and a check-out with other line ends changes no value.
 */
import type { Dialect } from "../words/dialect.js";
import { rulesOf } from "./create-text.js";
import { tokensOf } from "./sql-cursor.js";

/** The statement with the line breaks of its literals escaped. */
export function withoutBreaks(sql: string, dialect: Dialect): string {
  if (!/[\n\r]/.test(sql)) return sql;
  let text = "";
  let at = 0;
  for (const token of tokensOf(sql, rulesOf[dialect])) {
    const isBroken = token.kind === "text" && /[\n\r]/.test(token.text);
    if (!isBroken) continue;
    text += sql.slice(at, token.start) + escapes[dialect](token.value);
    at = token.end;
  }
  // A line of a comment in an expression is no step either.
  return (text + sql.slice(at)).replace(/(?<=[\n\r])(?=\s*-- step)/g, " ");
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
