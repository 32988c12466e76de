/** Prepared records of a batch: groups them by text, collects their values, and stores them one by one. */

import type { Call } from "../exec/call.js";
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
