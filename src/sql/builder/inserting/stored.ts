/** Stores the prepared records of a batch in as few statements as the dialect allows. */
import type { RequestCall } from "../../exec/call.js";
import type { DecodedRow } from "../../exec/decode.js";
import { keyText } from "../../exec/exact-text.js";
import { fetchAffected, send } from "../../exec/execute.js";
import { inTurn } from "../../exec/gathered.js";
import { roundsOf } from "../../exec/meeting.js";
import { isGiven } from "../../exec/params.js";
import { inParts } from "../../exec/parts.js";
import { placed } from "../../exec/placed.js";
import type { RecordValues } from "../../exec/record.js";
import { firstSteps } from "../../exec/steps.js";
import { isDoubted, togetherOrOneByOne } from "../../exec/undo.js";
import type { InsertDraft, InsertRequest } from "../draft/insert-draft.js";
import { absentOf } from "./existing.js";
import { byText, givenIn, shown, storeOneByOne, valuesOf } from "./records.js";

/** The maximum number of executions of one text in a call: their values are all in memory at once. */
const MOST_EXECUTIONS = 10_000;

/** The statement of the records, and the parameters of the call. */
interface Storing {
  readonly draft: InsertDraft;
  readonly params: RecordValues;
  /** Given if each record must get its own row, with the key that the database makes in its order. */
  readonly sure?: { readonly generated: string | undefined };
}

/** Groups records by their columns, in as few statements as the dialect's parameter limit allows. */
export function chunksOf(inserts: readonly InsertRequest[], { draft }: Storing): InsertRequest[][] {
  const { grammar } = draft.source;
  const { key } = draft;
  // A record without the whole key meets no other.
  const keyOf = ({ record }: InsertRequest) =>
    key?.every((property) => isGiven(record, property)) ? keyText(record, key) : undefined;
  const rounds = roundsOf(inserts, keyOf);
  return rounds.flatMap(byText).flatMap((alike) => {
    const properties = Object.keys(alike[0]?.record ?? {});
    // The values of a conflict and of returned expressions, including constants, follow the values of the records.
    const others = (alike[0]?.prepared.plan.slots.length ?? 0) - properties.length;
    const room = grammar.maxParams - others;
    const together = grammar.severalRows ? Math.floor(room / properties.length) : MOST_EXECUTIONS;
    const most = properties.length === 0 ? 1 : together;
    return inParts(alike, { most, mostBytes: grammar.mostBytes });
  });
}

/** Stores the chunks of a batch, and returns the row of each of its records. */
export async function storeRows(
  inserts: readonly InsertRequest[],
  chunks: readonly (readonly InsertRequest[])[],
  storing: Storing,
  call: RequestCall,
): Promise<(DecodedRow | null)[]> {
  const places = new Map(inserts.map((insert, i) => [insert, i]));
  const rows: (DecodedRow | null)[] = inserts.map(() => null);
  await inTurn(chunks, call.session, async (chunk) => {
    for (const [i, row] of (await storeRowsOf(chunk, storing, call)).entries()) {
      const insert = chunk[i];
      if (insert !== undefined) rows[places.get(insert) ?? 0] = row;
    }
  });
  return rows;
}

/** Stores records with one text together, and returns the row of each. */
async function storeRowsOf(
  inserts: readonly InsertRequest[],
  storing: Storing,
  call: RequestCall,
): Promise<(DecodedRow | null)[]> {
  const { draft } = storing;
  if (!draft.findsFirst) return storeAndRead(inserts, storing, call);
  const absent = await absentOf(inserts, draft.lookup, call);
  const rows = absent.length === 0 ? [] : await storeAndRead(absent, storing, call);
  const rowOf = new Map(absent.map((insert, i) => [insert, rows[i] ?? null]));
  return inserts.map((insert) => rowOf.get(insert) ?? null);
}

async function storeAndRead(
  inserts: readonly InsertRequest[],
  { draft, params, sure }: Storing,
  call: RequestCall,
): Promise<(DecodedRow | null)[]> {
  const { table } = draft.source;
  const properties = Object.keys(inserts[0]?.record ?? {});
  const { batch, tail, telling, hidden } = draft.batchOf(properties, inserts.length, "rows");
  const expected = {
    table: table.name,
    records: inserts.map(({ record }) => record),
    fields: telling,
    isKey: draft.key !== undefined && !draft.findsFirst,
    mayMiss: (draft.mayMiss || draft.mayHide) && !draft.findsFirst,
    sure,
  };
  // Done whenever it costs almost nothing, because a trigger may leave out a row.
  const doubted = isDoubted(tail.isDoubted, call);
  const isUndoable = doubted || call.session.isTransaction;
  const values = valuesOf(inserts, properties.length, tail.bind(params));
  const { output, bigints, givesRows } = tail;
  const givenAt = givenIn(inserts, properties, tail);
  const { calculated } = tail;
  const prepared = { table, sql: batch.sql, givesRows, bigints, output, calculated, givenAt };
  return send({ prepared, values }, call, {
    isDoubted: doubted,
    read: (result) => shown(placed(tail.read(result), expected, isUndoable), hidden),
    facts: ({ length }) => ({ rowsReturned: length }),
  });
}

/**
 * Stores records with one text, and returns their number. If the server refuses to store them together, the steps store
 * them one by one, or find the existing record.
 */
export async function storeChunk(
  inserts: readonly InsertRequest[],
  storing: Storing,
  call: RequestCall,
): Promise<number> {
  const properties = Object.keys(inserts[0]?.record ?? {});
  const steps = inserts[0]?.prepared.plan.steps;
  if (steps !== undefined && steps.after === undefined) {
    if (storing.draft.source.grammar.severalRows || properties.length === 0)
      return storeOneByOne(inserts, call, storing.draft);
    const changed = await firstSteps(inserts, call);
    const others = inserts.filter((_, i) => changed[i] === 0);
    if (others.length > 0) await tryTogether(others, properties, storing, call);
    return inserts.length;
  }
  return tryTogether(inserts, properties, storing, call);
}

async function tryTogether(
  inserts: readonly InsertRequest[],
  properties: readonly string[],
  storing: Storing,
  call: RequestCall,
): Promise<number> {
  const steps = inserts[0]?.prepared.plan.steps;
  const together = (inside: RequestCall) => storeTogether(inserts, properties, storing, inside);
  // Without a transaction, the executions before a refused one are already stored.
  const needsUndo = steps !== undefined && !storing.draft.source.grammar.severalRows;
  return togetherOrOneByOne({
    together: () =>
      needsUndo
        ? call.session.atomically((session) => together({ ...call, session }), { signal: call.signal })
        : together(call),
    oneByOne: () => storeOneByOne(inserts, call, storing.draft),
    // Outside of a transaction the caller of this function begins one.
    mayBeRefused: steps !== undefined && call.session.isTransaction,
    unclearOn: undefined,
  });
}

async function storeTogether(
  inserts: readonly InsertRequest[],
  properties: readonly string[],
  { draft, params }: Storing,
  call: RequestCall,
): Promise<number> {
  const { table, grammar } = draft.source;
  const stored = draft.findsFirst ? await absentOf(inserts, draft.lookup, call) : inserts;
  if (stored.length === 0) return 0;
  const inOneText = grammar.severalRows || properties.length === 0;
  const { batch, tail } = draft.batchOf(properties, inOneText ? stored.length : 1, "nothing");
  const others = tail.bind(params);
  const givenAt = givenIn(stored, properties, tail);
  const { calculated } = tail;
  const prepared = { table, sql: batch.sql, givesRows: false, bigints: false, calculated, givenAt };
  const request = inOneText
    ? { prepared, values: valuesOf(stored, properties.length, others) }
    : { prepared, values: [], batch: stored.map((one) => valuesOf([one], properties.length, others)) };
  const affected = await fetchAffected(request, call);
  // A conflict clause without a key is an update. A server may count it as two rows.
  return grammar.onConflict?.namesKey === false ? stored.length : affected;
}
