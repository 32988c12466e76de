/** Prepared records of a batch: groups them by text, collects their values, stores them one by one; their rows. */

import type { RequestCall } from "../../exec/call.js";
import type { DecodedRow } from "../../exec/decode.js";
import { send } from "../../exec/execute.js";
import { inTurn, requireInteractive } from "../../exec/gathered.js";
import { inParts } from "../../exec/parts.js";
import type { Given, PreparedPlan } from "../../exec/prepared.js";
import { carryOut } from "../../exec/steps.js";
import { NoRowsError } from "../../words/errors.js";
import type { InsertDraft, InsertRequest } from "../draft/insert-draft.js";
import { requireSeen } from "./hidden.js";

/** @param draft the draft of the records, if they may conflict. */
export async function storeOneByOne(
  inserts: readonly InsertRequest[],
  call: RequestCall,
  draft?: InsertDraft,
): Promise<number> {
  if (draft?.mayHide === true) requireInteractive(call.session);
  const counts = await inTurn(inserts, call.session, async (insert) => {
    const { length } = await carryOut(insert, call);
    if (length === 0 && draft !== undefined) await requireSeen(draft, insert, call);
    return length;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The maximum number of executions that return rows in one call: a driver may reserve memory for all of them. */
const MOST_RETURNED = 1_000;

/** Whether one text can be executed with many such records in one call and return the row of each in variables. */
export function returnsInBatches({ prepared, values }: InsertRequest): boolean {
  const { into = [], steps } = prepared.plan;
  // Large objects are returned one by one.
  const isSmall = into.every(({ holds }) => holds !== "long text" && holds !== "long bytes");
  return steps === undefined && into.length > 0 && values.length > 0 && isSmall;
}

/** Executes the texts of records with all their values, and gives the row of each record. */
export async function storeEach(inserts: readonly InsertRequest[], call: RequestCall): Promise<DecodedRow[]> {
  const rows = new Map<InsertRequest, DecodedRow>();
  for (const alike of byText(inserts))
    for (const part of inParts(alike, { most: MOST_RETURNED, mostBytes: undefined })) {
      const [first] = part;
      if (first === undefined) continue;
      const { prepared } = first;
      const batch = part.map(({ values }) => values);
      const stored = await send({ prepared, values: [], batch }, call, prepared);
      if (stored.length !== part.length) throw new NoRowsError(prepared.table.name);
      for (const [i, row] of stored.entries()) rows.set(part[i] ?? first, row);
    }
  return inserts.flatMap((insert): readonly DecodedRow[] => {
    const row = rows.get(insert);
    return row === undefined ? [] : [row];
  });
}

/** The values for the placeholders of several records. */
export function givenIn(
  inserts: readonly InsertRequest[],
  properties: readonly string[],
  tail: PreparedPlan,
): (place: number) => Given | undefined {
  const values = inserts.length * properties.length;
  return (place) => {
    if (place >= values) return tail.givenAt(place - values);
    const row = Math.floor(place / properties.length);
    const name = properties[place % properties.length];
    return name === undefined ? undefined : { name, sets: name, row, index: inserts[row]?.index };
  };
}

/** The values of several records in sequence, without those of a conflict, which come once at the end. */
export function valuesOf(
  inserts: readonly InsertRequest[],
  columns: number,
  others: readonly unknown[],
): unknown[] {
  // A growing list would be copied repeatedly.
  const all: unknown[] = new Array(inserts.length * columns + others.length);
  let at = 0;
  for (const { values } of inserts) for (let i = 0; i < columns; i++) all[at++] = values[i];
  for (const value of others) all[at++] = value;
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

/** Rows without the fields that were returned only to identify their records. */
export function shown(
  rows: readonly (DecodedRow | null)[],
  hidden: readonly string[],
): (DecodedRow | null)[] {
  if (hidden.length === 0) return [...rows];
  const isShown = ([name]: readonly [string, unknown]) => !hidden.includes(name);
  return rows.map((row) => row && Object.fromEntries(Object.entries(row).filter(isShown)));
}
