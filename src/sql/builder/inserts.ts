/** Records of a batch that are ready to be sent: what groups them, lines up their values, and stores them singly. */

import type { Call } from "../exec/execute.js";
import { UnclearOrder } from "../exec/placed.js";
import type { Prepared } from "../exec/prepared.js";
import type { Values } from "../exec/record.js";
import { carryOut, type Ready } from "../exec/steps.js";
import { isSqlError } from "../words/errors.js";

/**
 * A record that is ready to be sent. Its values are those of the record and then those of a conflict, and so are its
 * parameters.
 */
export interface Insert extends Ready {
  readonly record: Values;
}

/** Refusals of a batch of which it is to be found out which record they are of, and of which key. */
export const lookedInto: ReadonlySet<string> = new Set(["UNIQUE_VIOLATION", "QUERY_FAILED"]);

/** What PostgreSQL says where two rows of an upsert have one key by its own rules: case, padding, decimals. */
const TWICE = "21000";

export function isUnclear(error: unknown): boolean {
  if (!isSqlError(error)) return false;
  return error.cause instanceof UnclearOrder || Object(error.cause).code === TWICE;
}

export async function storeOneByOne(inserts: readonly Insert[], call: Call): Promise<number> {
  let stored = 0;
  for (const insert of inserts) stored += (await carryOut(insert, call)).length;
  return stored;
}

/** The values of records one behind the other, without those of a conflict, which come once at the end. */
export function valuesOf(inserts: readonly Insert[], columns: number, others: readonly unknown[]): unknown[] {
  const all: unknown[] = [];
  for (const { values } of inserts) for (let i = 0; i < columns; i++) all.push(values[i]);
  all.push(...others);
  return all;
}

export function areSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((one, i) => one === b[i]);
}

/** Records by their text: those of the same columns together. */
export function byText(inserts: readonly Insert[]): Insert[][] {
  const groups = new Map<Prepared, Insert[]>();
  for (const insert of inserts) {
    const group = groups.get(insert.prepared);
    if (group === undefined) groups.set(insert.prepared, [insert]);
    else group.push(insert);
  }
  return [...groups.values()];
}
