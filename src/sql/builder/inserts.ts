/** Prepared records of a batch: groups them by text, collects their values, stores them one by one; their rows. */

import type { Call } from "../exec/call.js";
import type { Row } from "../exec/decode.js";
import type { PreparedPlan } from "../exec/prepared.js";
import { carryOut } from "../exec/steps.js";
import type { InsertRequest } from "./insert-draft.js";

export async function storeOneByOne(inserts: readonly InsertRequest[], call: Call): Promise<number> {
  let stored = 0;
  for (const insert of inserts) stored += (await carryOut(insert, call)).length;
  return stored;
}

/** The values of several records in sequence, without those of a conflict, which come once at the end. */
export function valuesOf(
  inserts: readonly InsertRequest[],
  columns: number,
  others: readonly unknown[],
): unknown[] {
  const all: unknown[] = [];
  for (const { values } of inserts) for (let i = 0; i < columns; i++) all.push(values[i]);
  all.push(...others);
  return all;
}

/** Groups records by text: records with the same columns. */
export function byText(inserts: readonly InsertRequest[]): InsertRequest[][] {
  const groups = new Map<PreparedPlan, InsertRequest[]>();
  for (const insert of inserts) {
    const group = groups.get(insert.prepared);
    if (group === undefined) groups.set(insert.prepared, [insert]);
    else group.push(insert);
  }
  return [...groups.values()];
}

/** Rows without the fields that came back only to tell of which records they are. */
export function shown(rows: readonly (Row | null)[], hidden: readonly string[]): (Row | null)[] {
  if (hidden.length === 0) return [...rows];
  const isShown = ([name]: readonly [string, unknown]) => !hidden.includes(name);
  return rows.map((row) => row && Object.fromEntries(Object.entries(row).filter(isShown)));
}
