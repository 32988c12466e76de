/**
 * What an unquoted YAML scalar means, by the core schema of YAML 1.2: null, booleans, numbers, else text. Integers
 * are exact. `012` is twelve, `no` and `2001-01-01` are text, whatever older YAML made of them.
 */

/** The value of an unquoted scalar; undefined for a number that JSON has no counterpart for (`.inf`, `1e999`). */
export function plainScalar(source: string): string | number | bigint | boolean | null | undefined {
  // Nearly all scalars are words: their first character says so.
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

/** A number where a double holds the integer exactly, else a bigint. */
function integer(source: string): number | bigint {
  const value = Number(source);
  return Number.isSafeInteger(value) ? value : BigInt(source);
}
