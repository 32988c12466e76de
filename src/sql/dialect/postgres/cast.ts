/** The type of a column for a cast on PostgreSQL, which neither cuts nor rounds the value. */

// The parts of a declaration that may follow the name of a type.
const BEHIND =
  /\s+(?:collate|not\s+null|null|default|check|generated|primary|unique|references|constraint)\b.*$/is;
// A quoted name, or a length or precision.
const QUOTED_OR_DIGITS = /("(?:[^"]|"")*")|\s*\([^()]*\)/g;

// Without a length, these hold one character or one bit; a serial is a whole number with a default.
const whole: readonly (readonly [RegExp, string])[] = [
  [/^(?:national\s+)?char(?:acter)?(?!\s+varying)\b|^nchar(?!\s+varying)\b/i, "bpchar"],
  [/^bit(?!\s+varying)\b/i, "bit varying"],
  [/^smallserial\b|^serial2\b/i, "smallint"],
  [/^serial4?\b/i, "integer"],
  [/^bigserial\b|^serial8\b/i, "bigint"],
];

/** The type of a column with this declaration, without lengths and precisions. */
export function castType(declared: string): string {
  const type = declared.trim().replace(BEHIND, "");
  // Its digits select one of two types.
  if (/^float\b/i.test(type)) return type;
  const name = type.replace(QUOTED_OR_DIGITS, (_, quoted?: string) => quoted ?? "");
  const other = whole.find(([pattern]) => pattern.test(name));
  return other === undefined ? name : name.replace(...other);
}
