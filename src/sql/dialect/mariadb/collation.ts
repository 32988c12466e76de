/** The type of a text column of MariaDB that compares by code point. */
import { saysCollation, withCollationAfter } from "../grammar/collation.js";

const LENGTH_OR_VALUES = String.raw`\s*(?:\((?:[^()']|'(?:[^']|'')*')*\)\s*)?`;
const TEXT = new RegExp(
  String.raw`^\s*(?:tinytext|mediumtext|longtext|text|long(?:\s+varchar)?|varchar|char(?:acter)?(?:\s+varying)?|enum|set)\b${LENGTH_OR_VALUES}`,
  "i",
);
const NATIONAL = new RegExp(
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
  if (NATIONAL.test(type)) return withCollationAfter(type, NATIONAL, "COLLATE utf8mb3_nopad_bin");
  const [name] = TEXT.exec(type) ?? [];
  if (name === undefined) return type;
  const rest = type.slice(name.length);
  if (OTHER_CHARACTERS.test(rest)) return type;
  const [said, named] = CHARACTER_SET.exec(rest) ?? [];
  if (said === undefined) return withCollationAfter(type, TEXT, MARIADB_BY_CODE_POINT);
  const set = named ?? (/^ascii/i.test(said) ? "latin1" : "ucs2");
  if (/^(?:binary|default)$/i.test(set) || saysCollation(type)) return type;
  const collation = `COLLATE ${set.replace(/^utf8$/i, "utf8mb3").toLowerCase()}_nopad_bin`;
  return `${name}${said.trimEnd()} ${collation} ${rest.slice(said.length)}`.trimEnd();
}
