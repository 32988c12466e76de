/**
 * Scans SQL text independently of its origin, and reports foreign parts: an undeclared name, a word that no
 * dialect's text here has, a second statement, a comment.
 */
import type { Dialect } from "rowtype";

const token: Readonly<Record<"double" | "backtick", RegExp>> = {
  double:
    /"((?:[^"]|"")*)"|'((?:[^']|'')*)'|(\$\d+|:[po]\d+|\?)|([A-Za-z_][A-Za-z0-9_]*)|(0x[0-9A-F]+|\d+(?:\.\d+)?(?:e\d+)?)|(\s+)|(>>|<=>|<->|<#>|<\+>|<=|>=|<>|!~\*|!~|~\*|@>|<@|&&|&|\|\||[-+*/%=<>~(),.[\]])/y,
  backtick:
    /`((?:[^`]|``)*)`|'((?:[^']|'')*)'|(\$\d+|:[po]\d+|\?)|([A-Za-z_][A-Za-z0-9_]*)|(0x[0-9A-F]+|\d+(?:\.\d+)?(?:e\d+)?)|(\s+)|(>>|<=>|<->|<#>|<\+>|<=|>=|<>|!~\*|!~|~\*|@>|<@|&&|&|\|\||[-+*/%=<>~(),.[\]])/y,
};

const words: ReadonlySet<string> = new Set(
  `SELECT DISTINCT ON FROM WHERE AND OR NOT IN IS NULL BETWEEN LIKE ILIKE GLOB ESCAPE ANY ALL ORDER BY ASC DESC NULLS
   FIRST LAST LIMIT OFFSET ROWS ROW ONLY FETCH NEXT GROUP HAVING UNION INTERSECT EXCEPT MINUS FOR UPDATE SHARE KEY NO
   SKIP LOCKED NOWAIT LOCK MODE INSERT INTO VALUES RETURNING CONFLICT DO NOTHING SET DUPLICATE excluded DELETE DEFAULT
   VALUE AS OVER PARTITION ROW_NUMBER COUNT SUM AVG MIN MAX CAST CASE WHEN THEN ELSE END DOUBLE DECIMAL SIGNED CHAR
   json_each value lower upper LOWER UPPER BINARY COLLATE INTEGER REAL TEXT NUMBER BINARY_DOUBLE TRUNC trunc TRUNCATE
   MOD mod bigint numeric double precision integer text coalesce COALESCE UTF8MB4 utf8mb4_bin utf8mb4_nopad_bin DUAL
   CONVERT USING utf8mb4 utf8mb4_unicode_520_ci substr typeof v printf BINARY_CI round ROUND abs ABS DIV div fmod TO_CHAR array IF INTO DBMS_LOB COMPARE ROWID`.split(
    /\s+/,
  ),
);

/**
 * What is not ours in a text; an empty list where nothing is.
 * @param names the identifiers that may stand in quotes.
 */
export function foreignIn(sql: string, dialect: Dialect, names: ReadonlySet<string>): string[] {
  const found: string[] = [];
  const pattern = token[dialect === "mariadb" ? "backtick" : "double"];
  pattern.lastIndex = 0;
  const text = sql.replaceAll(FROM_10_10, "");
  let at = 0;
  while (at < text.length) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) return [...found, `cannot be read: ${text.slice(at, at + 20)}`];
    at = pattern.lastIndex;
    const [, name, quoted, , word] = match;
    if (name !== undefined && name !== "und-x-icu" && !names.has(name)) found.push(`name ${name}`);
    if (quoted !== undefined && !texts.has(quoted)) found.push(`text ${quoted}`);
    if (word !== undefined && !words.has(word)) found.push(`word ${word}`);
    if (match[0] === "-" && text[at] === "-") found.push("a comment");
    if (match[0] === "/" && text[at] === "*") found.push("a comment");
  }
  return found;
}

/** The one comment of ours: what it says, MariaDB carries out from 10.10 on. */
const FROM_10_10 = "/*M!101001 COLLATE utf8mb4_uca1400_nopad_as_cs */";

/** The characters by which patterns are escaped, and the form of numbers. */
const texts: ReadonlySet<string> = new Set([
  "\\",
  "\\\\",
  "TM9",
  ".000",
  "real",
  "%019d%010d",
  "NLS_NUMERIC_CHARACTERS=''.,''",
]);
