/**
 * The meaning of an unquoted YAML scalar, by the core schema of YAML 1.2: null, booleans, numbers, otherwise text.
 * Integers are exact. `012` is twelve, `no` and `2001-01-01` are text, unlike in older YAML.
 */

/** The value of an unquoted scalar; undefined for a number without a JSON counterpart (`.inf`, `1e999`). */
export function plainScalar(source: string): string | number | bigint | boolean | null | undefined {
  // Nearly all scalars are words, as their first character shows.
  if (!STARTS_SPECIAL.test(source)) return source;
  switch (source) {
    case "":
    case "~":
    case "null":
    case "Null":
    case "NULL":
      return null;
    case "true":
    case "True":
    case "TRUE":
      return true;
    case "false":
    case "False":
    case "FALSE":
      return false;
  }
  if (INTEGER.test(source)) return integer(source.startsWith("+") ? source.slice(1) : source);
  if (BASED.test(source)) return integer(source);
  if (FLOAT.test(source)) {
    const value = Number(source);
    return Number.isFinite(value) ? value : undefined;
  }
  return NOT_FINITE.test(source) ? undefined : source;
}

const STARTS_SPECIAL = /^(?:[-+.0-9~nNtTfF]|$)/;
const INTEGER = /^[-+]?[0-9]+$/;
const BASED = /^0(?:o[0-7]+|x[0-9a-fA-F]+)$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const NOT_FINITE = /^(?:[-+]?\.(?:inf|Inf|INF)|\.nan|\.NaN|\.NAN)$/;

/** A number if a double holds the integer exactly, otherwise a bigint. */
function integer(source: string): number | bigint {
  const value = Number(source);
  return Number.isSafeInteger(value) ? value : BigInt(source);
}
