/**
 * Selects the existing keys of a batch, for a dialect without a conflict clause that keeps existing rows. A record is
 * reported as existing only if the server and rowtype both consider the keys equal. A record that is missed, because a
 * collation considers two texts equal or another client inserted it meanwhile, violates the key when it is inserted.
 */
import type { RequestCall } from "../../exec/call.js";
import { keyText } from "../../exec/exact-text.js";
import { send } from "../../exec/execute.js";
import { requireInteractive } from "../../exec/gathered.js";
import type { PreparedPlan } from "../../exec/prepared.js";
import { KEYS } from "../../render/plan.js";
import type { InsertRequest, KeyLookup } from "../draft/insert-draft.js";

/** The records without an existing row; all records have the same text. */
export async function absentOf(
  inserts: readonly InsertRequest[],
  { fields, seen, now }: KeyLookup,
  call: RequestCall,
): Promise<readonly InsertRequest[]> {
  requireInteractive(call.session);
  const properties = Object.keys(inserts[0]?.record ?? {});
  const places = fields.map((field) => properties.indexOf(field));
  // The server generates the key, so it is not known yet.
  if (places.includes(-1)) return inserts;
  const found = (find: PreparedPlan, list: readonly InsertRequest[]) =>
    foundOf(list, find, fields, places, call);
  const visible = await found(seen, inserts);
  if (visible.size === 0) return inserts;
  // A transaction may see deleted rows. Only keys that it sees are locked: locks on missing keys would block others.
  const existing = call.session.isTransaction ? await found(now, [...visible]) : visible;
  return inserts.filter((insert) => !existing.has(insert));
}

async function foundOf(
  inserts: readonly InsertRequest[],
  find: PreparedPlan,
  fields: readonly string[],
  places: readonly number[],
  call: RequestCall,
): Promise<ReadonlySet<InsertRequest>> {
  // NULL is not equal to any value.
  const asked = inserts.filter(({ values }) => places.every((place) => values[place] !== null));
  if (asked.length === 0) return new Set();
  const keys = asked.map(({ values }) => places.map((place) => values[place]));
  const there = await send({ prepared: find, values: find.bind({ [KEYS]: keys }) }, call, {
    read: ({ rows }) => new Set(rows.map((row) => readKey(find, row, fields))),
    facts: ({ size }) => ({ rowsReturned: size }),
  });
  return new Set(asked.filter(({ record }) => there.has(keyText(record, fields))));
}

// A key that cannot be decoded is not equal to a key of a record.
function readKey(find: PreparedPlan, row: readonly unknown[], fields: readonly string[]): string | undefined {
  try {
    return keyText(find.decodeRow(row), fields);
  } catch {
    return undefined;
  }
}
