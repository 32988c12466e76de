/** The type of a column whose text compares by code point, regardless of the collation of the database. */

const SAYS_COLLATION = /\bcollate\b/i;
// The word may also be in a text, or in a comment.
const WITHOUT_MEANING = /'(?:[^'\\]|\\.|'')*'|\/\*[\s\S]*?\*\/|--[^\n]*/g;

/** What `pull` writes behind a text type that has the collation of its database. */
export const AS_IT_IS = "/* as it is */";

/** Whether a declaration names a collation itself, or leaves it to the database. */
export function saysCollation(text: string): boolean {
  return text.includes(AS_IT_IS) || SAYS_COLLATION.test(text.replace(WITHOUT_MEANING, " "));
}

// After the name of the type, before the rest.
function behind(type: string, name: RegExp, collation: string): string {
  const [found] = name.exec(type) ?? [];
  if (found === undefined || saysCollation(type)) return type;
  const rest = type.slice(found.length).trim();
  return `${found.trimEnd()} ${collation}${rest === "" ? "" : ` ${rest}`}`;
}

const POSTGRES_TEXT =
  /^\s*(?:pg_catalog\s*\.\s*)?(?:"(?:text|bpchar|varchar)"|text|bpchar|varchar|(?:national\s+)?char(?:acter)?(?:\s+varying)?|nchar(?:\s+varying)?)(?![\w"])\s*(?:\(\s*\d+\s*\)\s*)?(?:(?:\[\s*\d*\s*\]\s*)+|array\b\s*(?:\[\s*\d*\s*\]\s*)?)?/i;

/** A text type, or an array of one, as PostgreSQL compares it by code point; any other type unchanged. */
export function postgresByCodePoint(type: string): string {
  return behind(type, POSTGRES_TEXT, 'COLLATE "C"');
}

const LENGTH_OR_VALUES = String.raw`\s*(?:\((?:[^()']|'(?:[^']|'')*')*\)\s*)?`;
const MARIADB_TEXT = new RegExp(
  String.raw`^\s*(?:tinytext|mediumtext|longtext|text|long(?:\s+varchar)?|varchar|char(?:acter)?(?:\s+varying)?|enum|set)\b${LENGTH_OR_VALUES}`,
  "i",
);
const MARIADB_NATIONAL = new RegExp(
  String.raw`^\s*(?:national\s+(?:varchar|char(?:acter)?(?:\s+varying)?)|nvarchar|nchar(?:\s+varchar)?)\b${LENGTH_OR_VALUES}`,
  "i",
);
const CHARACTER_SET = /^(?:(?:char(?:acter)?\s+set|charset)\s+['"`]?(\w+)['"`]?|(?:ascii|unicode)\b)\s*/i;
// Keywords that select a collation, or bytes.
const OTHER_CHARACTERS = /^(?:binary|byte)\b/i;

/** By code point; trailing blanks are significant. */
export const MARIADB_BY_CODE_POINT = "CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin";

/** A text type as MariaDB compares it by code point; any other type unchanged. */
export function mariadbByCodePoint(type: string): string {
  if (MARIADB_NATIONAL.test(type)) return behind(type, MARIADB_NATIONAL, "COLLATE utf8mb3_nopad_bin");
  const [name] = MARIADB_TEXT.exec(type) ?? [];
  if (name === undefined) return type;
  const rest = type.slice(name.length);
  if (OTHER_CHARACTERS.test(rest)) return type;
  const [said, named] = CHARACTER_SET.exec(rest) ?? [];
  if (said === undefined) return behind(type, MARIADB_TEXT, MARIADB_BY_CODE_POINT);
  const set = named ?? (/^ascii/i.test(said) ? "latin1" : "ucs2");
  if (/^(?:binary|default)$/i.test(set) || saysCollation(type)) return type;
  const collation = `COLLATE ${set.replace(/^utf8$/i, "utf8mb3").toLowerCase()}_nopad_bin`;
  return `${name}${said.trimEnd()} ${collation} ${rest.slice(said.length)}`.trimEnd();
}
