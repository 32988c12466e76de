/** The type of a text column of PostgreSQL that compares by code point. */
import { withCollationAfter } from "../grammar/collation.js";

const TEXT =
  /^\s*(?:pg_catalog\s*\.\s*)?(?:"(?:text|bpchar|varchar)"|text|bpchar|varchar|(?:national\s+)?char(?:acter)?(?:\s+varying)?|nchar(?:\s+varying)?)(?![\w"])\s*(?:\(\s*\d+\s*\)\s*)?(?:(?:\[\s*\d*\s*\]\s*)+|array\b\s*(?:\[\s*\d*\s*\]\s*)?)?/i;

/** A text type, or an array of one, as PostgreSQL compares it by code point; any other type unchanged. */
export function postgresByCodePoint(type: string): string {
  return withCollationAfter(type, TEXT, 'COLLATE "C"');
}
