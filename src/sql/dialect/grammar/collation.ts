/** The type of a column whose text compares by code point, regardless of the collation of the database. */

const SAYS_COLLATION = /\bcollate\b/i;
// The word may also be in a text, or in a comment.
const WITHOUT_MEANING = /'(?:[^'\\]|\\.|'')*'|\/\*[\s\S]*?\*\/|--[^\n]*/g;

/** The text that `pull` writes after a text type that has the collation of its database. */
export const AS_IT_IS = "/* as it is */";

/** Whether a declaration names a collation itself, or leaves it to the database. */
export function saysCollation(text: string): boolean {
  return text.includes(AS_IT_IS) || SAYS_COLLATION.test(text.replace(WITHOUT_MEANING, " "));
}

// Writes the collation after the name of the type, before the rest.
export function withCollationAfter(type: string, name: RegExp, collation: string): string {
  const [found] = name.exec(type) ?? [];
  if (found === undefined || saysCollation(type)) return type;
  const rest = type.slice(found.length).trim();
  return `${found.trimEnd()} ${collation}${rest === "" ? "" : ` ${rest}`}`;
}
