/** Stores the rows of a nested insert: one statement for each table and chunk, in the order in which they fill others. */
import { quoted } from "../../../core/errors.js";
import { defineOwn } from "../../../core/values.js";
import type { RequestCall } from "../../exec/call.js";
import { callBack } from "../../exec/callbacks.js";
import type { DecodedRow } from "../../exec/decode.js";
import { exactText } from "../../exec/exact-text.js";
import type { RecordValues } from "../../exec/record.js";
import { carryOut } from "../../exec/steps.js";
import { NoRowsError, ParameterError } from "../../words/errors.js";
import type { InsertRequest } from "../draft/insert-draft.js";
import { inPlace } from "./called-back.js";
import { type GraphLink, type GraphNode, generatedKey } from "./graph.js";
import type { GraphParams, GraphRecord } from "./graph-records.js";
import { returnsInBatches, shown, storeEach, storeOneByOne } from "./records.js";
import { chunksOf, storeChunk, storeRows } from "./stored.js";

/** How the rows of a call are stored. */
interface GraphRun {
  readonly params: GraphParams;
  /** Whether the caller gets the rows. */
  readonly givesRows: boolean;
  /** Whether each record has a statement of its own, because the rows of several do not show which is whose. */
  readonly isOneByOne: boolean;
}

/** A record, and the values of the fields that other rows have filled so far. */
interface Filled {
  readonly record: GraphRecord;
  readonly fields: RecordValues;
}

/** A stored row with those inside it, and all values that were returned of it. */
interface StoredRow {
  readonly all: DecodedRow;
  readonly row: DecodedRow;
}

/** Stores records and those inside them, and returns the row of each; none if nobody needs them. */
export async function storeGraph(
  records: readonly GraphRecord[],
  node: GraphNode,
  run: GraphRun,
  call: RequestCall,
): Promise<DecodedRow[]> {
  const given = records.map((record): Filled => ({ record, fields: {} }));
  return (await storeNode(given, node, run, call, false)).map(({ row }) => row);
}

async function storeNode(
  given: readonly Filled[],
  node: GraphNode,
  run: GraphRun,
  call: RequestCall,
  isNeeded: boolean,
): Promise<readonly StoredRow[]> {
  if (given.length === 0) return [];
  let items = given;
  const inside = new Map<GraphLink, readonly (readonly StoredRow[])[]>();
  for (const link of node.links.filter(({ isBefore }) => isBefore)) {
    const rows = await storeInside(items, link, () => ({}), run, call, true);
    inside.set(link, rows);
    items = items.map((item, i) => filledBy(link, rows[i]?.[0]?.all, item, node));
  }
  const inserts = items.map((item) => filledInsert(item, node));
  const after = node.links.filter(({ isBefore }) => !isBefore);
  const fills = after.some((link) => items.some(({ record }) => insideOf(record, link).length > 0));
  if (!run.givesRows && !fills && !isNeeded) {
    await storeUnseen(inserts, node, run, call);
    return [];
  }
  const rows = await storeSeen(inserts, node, run, call);
  for (const link of after) {
    const fill = (i: number) => fieldsOf(link.theirs, link.mine, rows[i]);
    inside.set(link, await storeInside(items, link, fill, run, call, false));
  }
  const seen = shown(rows, node.hidden);
  return rows.map((all, i) => ({ all, row: withInside({ ...seen[i] }, i, node, inside) }));
}

function insideOf({ inside }: GraphRecord, link: GraphLink): readonly GraphRecord[] {
  return inside.get(link) ?? [];
}

/** Stores the records of a relation of all items together, and returns the rows of each item. */
async function storeInside(
  items: readonly Filled[],
  link: GraphLink,
  fill: (item: number) => RecordValues,
  run: GraphRun,
  call: RequestCall,
  isNeeded: boolean,
): Promise<readonly (readonly StoredRow[])[]> {
  const given = items.flatMap(({ record }, i): readonly Filled[] =>
    insideOf(record, link).map((inner) => ({ record: inner, fields: fill(i) })),
  );
  const rows = await storeNode(given, link.node, run, call, isNeeded);
  let at = 0;
  return items.map(({ record }) => {
    const from = at;
    at += insideOf(record, link).length;
    return rows.slice(from, at);
  });
}

/** The values of a stored row under the names of the fields that they fill. */
function fieldsOf(
  names: readonly string[],
  stored: readonly string[],
  row: DecodedRow | undefined,
): RecordValues {
  return Object.fromEntries(names.map((name, i) => [name, row?.[stored[i] ?? ""] ?? null]));
}

/** An item with the fields that the row of a `one` fills; without a row, the nullable ones become null. */
function filledBy(link: GraphLink, row: DecodedRow | undefined, item: Filled, node: GraphNode): Filled {
  const fields =
    row === undefined
      ? Object.fromEntries(
          link.mine
            .filter(
              (field) => node.table.columns[field]?.nullable === true && !Object.hasOwn(item.fields, field),
            )
            .map((field) => [field, null]),
        )
      : fieldsOf(link.mine, link.theirs, row);
  for (const [field, value] of Object.entries(fields)) requireSame(field, value, item, node);
  return { ...item, fields: { ...item.fields, ...fields } };
}

function requireSame(field: string, value: unknown, { record, fields }: Filled, { table }: GraphNode): void {
  if (!Object.hasOwn(fields, field) || exactText(fields[field]) === exactText(value)) return;
  refuse(record, field, `two relations fill ${quoted(field)} with different values`, table.name);
}

/** The insert of a record whose filled fields are known. */
function filledInsert({ record, fields }: Filled, { table, filled, draft }: GraphNode): InsertRequest {
  if (filled.size === 0) return record.insert;
  for (const [field, value] of Object.entries(fields)) {
    const fixed = table.fixed?.get(field);
    if (fixed !== undefined && exactText(fixed.value) !== exactText(value))
      refuse(record, field, `the scope holds another ${quoted(field)} than the related row`, table.name);
  }
  const known = Object.entries(fields).filter(([field]) => table.fixed?.has(field) !== true);
  return inPlace(record.place, () => draft.filled(record.insert, Object.fromEntries(known)));
}

function refuse({ place }: GraphRecord, field: string, message: string, table: string): never {
  throw new ParameterError("PARAM_TYPE", field, table, message).within(place.path, place.index);
}

async function storeSeen(
  inserts: readonly InsertRequest[],
  node: GraphNode,
  { params, isOneByOne }: GraphRun,
  call: RequestCall,
): Promise<readonly DecodedRow[]> {
  const { draft, table } = node;
  const { severalRows, returningInto } = draft.source.grammar;
  if (!isOneByOne && inserts.every(returnsInBatches)) return storeEach(inserts, call);
  if (isOneByOne || !severalRows || returningInto !== undefined) {
    const rows: DecodedRow[] = [];
    for (const insert of inserts) rows.push(...(await carryOut(insert, call)).slice(0, 1));
    if (rows.length < inserts.length) throw new NoRowsError(table.name);
    return rows;
  }
  const storing = { draft, params: params.get(node) ?? {}, sure: { generated: generatedKey(table)[0] } };
  const rows = await storeRows(inserts, chunksOf(inserts, storing), storing, call);
  return rows.map((row) => {
    if (row === null) throw new NoRowsError(table.name);
    return row;
  });
}

async function storeUnseen(
  inserts: readonly InsertRequest[],
  node: GraphNode,
  { params, isOneByOne }: GraphRun,
  call: RequestCall,
): Promise<void> {
  const { draft } = node;
  if (isOneByOne) {
    await storeOneByOne(inserts, call);
    return;
  }
  const storing = { draft, params: params.get(node) ?? {} };
  for (const chunk of chunksOf(inserts, storing)) await storeChunk(chunk, storing, call);
}

function withInside(
  row: DecodedRow,
  i: number,
  { links }: GraphNode,
  inside: ReadonlyMap<GraphLink, readonly (readonly StoredRow[])[]>,
): DecodedRow {
  for (const link of links) {
    const rows = (inside.get(link)?.[i] ?? []).map((stored) => stored.row);
    // A relation may have any name of a field, `__proto__` too.
    defineOwn(row, link.relation, link.isMany ? rows : (rows[0] ?? null));
  }
  return row;
}

/** Calls `onScan` with the rows inside a row, and then with the row itself. */
export async function scannedGraph(
  row: DecodedRow,
  { links, draft, table }: GraphNode,
  call: RequestCall,
  index: number | undefined,
): Promise<void> {
  for (const { relation, node } of links) {
    const value = row[relation];
    const rows = Array.isArray(value) ? value : value === null ? [] : [value];
    for (const inner of rows) await scannedGraph(inner as DecodedRow, node, call, index);
  }
  const { onScan } = draft.source.place.callbacks;
  if (onScan !== null) await callBack(onScan, row, table, call, { index });
}
