/** What limits and offsets of queries and compound queries share. */
import { describeType } from "../../core/errors.js";
import type { Problem } from "../words/errors.js";

/** The keys of a spec that say how many rows are given, and how many left out. */
export interface Paging {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly limit_param?: string | undefined;
  readonly offset_param?: string | undefined;
}

/**
 * What a method was given for a limit or offset where that is nothing: a key that is absent from the spec would take
 * away the one before, unseen by the check.
 */
export function faultOfPaging(key: keyof Paging, given: unknown): Problem | undefined {
  if (given !== undefined && given !== null) return undefined;
  const expected = key.endsWith("_param") ? "the name of a parameter" : "a whole number from 0";
  return { code: "INVALID_PARAM", message: `${key} is ${expected}, not ${describeType(given)}`, path: key };
}
