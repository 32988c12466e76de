/** Grammars of databases whose driver lacks something. */
import { listed, quoted } from "../../core/errors.js";
import type { Grammar } from "../dialect/grammar/grammar.js";
import { DeclarationError } from "../words/errors.js";

const LACKS: ReadonlySet<string> = new Set(["functions", "bigints"]);

const made = new WeakMap<Grammar, Map<string, Grammar>>();

/**
 * The grammar without what a driver lacks; the same one for the same.
 * @throws {DeclarationError} for a name that is none of these
 */
export function grammarWithout(grammar: Grammar, lacks: unknown = [], mostParams?: unknown): Grammar {
  if (!Array.isArray(lacks)) throw new DeclarationError("lacks of a driver is a list");
  if (mostParams !== undefined && !(Number.isSafeInteger(mostParams) && Number(mostParams) > 0))
    throw new DeclarationError("mostParams of a driver is a whole number from 1");
  if (lacks.length === 0 && mostParams === undefined) return grammar;
  for (const name of lacks)
    if (!LACKS.has(name))
      throw new DeclarationError(`unknown ${quoted(name)} in lacks; names: ${listed(LACKS)}`);
  const byName = made.get(grammar) ?? new Map<string, Grammar>();
  made.set(grammar, byName);
  const key = [...new Set<string>(lacks), String(mostParams)].sort().join(" ");
  let less = byName.get(key);
  if (less === undefined) {
    const lacksFunctions = lacks.includes("functions") && grammar.dialect === "sqlite";
    less = {
      ...grammar,
      ...(lacksFunctions ? { unregistered: functionIn } : {}),
      ...(lacks.includes("bigints") ? { hasNoBigints: true } : {}),
      ...(mostParams === undefined ? {} : { maxParams: Math.min(Number(mostParams), grammar.maxParams) }),
    };
    byName.set(key, less);
  }
  return less;
}

/** The purpose of each function that rowtype registers, by its name without the prefix. */
const FEATURES: ReadonlyMap<string, string> = new Map([
  ["whole", "arithmetic with whole numbers"],
  ["safe", "arithmetic with whole numbers"],
  ["finite", "arithmetic with numbers"],
  ["quotient", "division of decimals"],
  ["remainder", "the remainder of decimals"],
  ["rounded", "rounding of decimals"],
  ["convert", "casts"],
  ["number_text", "numbers as text"],
  ["date_add", "arithmetic with dates"],
  ["date_diff", "arithmetic with dates"],
  ["date_quarter", "the quarter of a date"],
  ["zone_clock", "dates in a time zone"],
  ["zone_instant", "dates in a time zone"],
  ["zone_start", "dates in a time zone"],
  ["too_deep", "recursion"],
]);

/** The feature of the first function in a text that rowtype would register. */
function functionIn(sql: string): string | undefined {
  const name = /(?<![\w"'.])rowtype_(\w+)\(/.exec(sql)?.[1];
  return name === undefined ? undefined : (FEATURES.get(name) ?? `the function rowtype_${name}`);
}
