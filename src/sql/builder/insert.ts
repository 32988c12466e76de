/** New rows. */
import { notShown } from "../ast/inner-query.js";
import { countKey, keyOf, listKey, textKey } from "../ast/key.js";
import type { Assigned, InsertStatement } from "../ast/statement.js";
import type { RequestCall } from "../exec/call.js";
import { callBack } from "../exec/callbacks.js";
import type { DecodedRow } from "../exec/decode.js";
import { fetchAffected, send } from "../exec/execute.js";
import { asList, type CallParams, eachOf } from "../exec/params.js";
import { partsOf } from "../exec/parts.js";
import { placed } from "../exec/placed.js";
import {
  fixedValues,
  inRounds,
  lent,
  type RecordValues,
  returned,
  validRecord,
  withFixedValues,
} from "../exec/record.js";
import { carryOut, firstSteps } from "../exec/steps.js";
import { isDoubted, togetherOrOneByOne } from "../exec/undo.js";
import { BuildError, NoRowsError, ParameterError } from "../words/errors.js";
import type { ExecOptions, TransactionHandle } from "../words/options.js";
import { faultOfSet, withPath } from "./assign.js";
import { inTransaction } from "./builder.js";
import { ConditionedBuilder } from "./conditioned.js";
import type { InsertDraft, InsertRequest } from "./draft/insert-draft.js";
import { givenQuery, isGiven } from "./inner.js";
import { InsertFromBuilder, insertFrom } from "./insert-from.js";
import { byText, givenIn, returnsInBatches, shown, storeEach, storeOneByOne, valuesOf } from "./inserts.js";
import { absentOf, withFixed } from "./keys.js";
import { returningAlso } from "./selected.js";

/** The maximum number of executions of one text in a call: their values are all in memory at once. */
const MOST_EXECUTIONS = 10_000;

export class InsertBuilder extends ConditionedBuilder<InsertStatement, InsertDraft> {
  onConflict(...fields: readonly string[]): this {
    const key = listKey("onConflict", fields, textKey);
    const on = (draft: InsertDraft) =>
      draft.with({
        on_conflict: withFixed(fields, draft.source.table),
        conflict_action: undefined,
        conflict_set: undefined,
        conflict_where: undefined,
      });
    return this.take({ key, on });
  }

  doNothing(): this {
    return this.take({ key: "doNothing", on: (draft) => draft.with({ conflict_action: "nothing" }) });
  }

  doUpdate(): this {
    return this.take({ key: "doUpdate", on: (draft) => draft.with({ conflict_action: "update" }) });
  }

  set(field: string, value: Assigned): this {
    const on = (draft: InsertDraft) => {
      const { conflict_set: set = {} } = draft.spec;
      const fault = faultOfSet(field, set, "conflict_set");
      if (fault !== undefined) return draft.failing(fault);
      return draft.with({ conflict_set: { ...set, [field]: value } });
    };
    return this.take({ key: keyOf("set", field, value), on });
  }

  returning(...names: readonly unknown[]): this {
    return this.take(returningAlso(names));
  }

  setPath(field: string, keys: unknown, param: unknown): this {
    const on = (draft: InsertDraft) => {
      const { conflict_set: set = {} } = draft.spec;
      const made = withPath(field, keys, param, set, "conflict_set");
      if ("fault" in made) return draft.failing(made.fault);
      return draft.with({ conflict_set: { ...set, ...made.set } });
    };
    return this.take({ key: undefined, on });
  }

  async exec(record: unknown, params?: CallParams, options?: ExecOptions): Promise<DecodedRow | null> {
    if (this.isLast(params, options)) return this.exec(record, undefined, params);
    const given = this.draft.given(params);
    const call = this.call(options, "INSERT");
    const { table } = this.draft.source;
    const valid = validRecord(record, table);
    // A promise costs as much as binding the values. Without a callback none is made.
    const own = this.place.callbacks.onRecord === null ? valid : await this.#calledBack(valid, call);
    const insert = this.draft.request(withFixedValues(own, fixedValues(table)), given);
    return this.undoable(options, "INSERT", (inside) => this.#store(insert, inside));
  }

  async execTx(tx: TransactionHandle, record: unknown, params?: CallParams): Promise<DecodedRow | null> {
    return this.exec(record, params, inTransaction(tx));
  }

  async execMany(
    records: readonly unknown[],
    params?: CallParams,
    options?: ExecOptions,
  ): Promise<(DecodedRow | null)[]> {
    if (this.isLast(params, options)) return this.execMany(records, undefined, params);
    const given = this.draft.given(params);
    const inserts = await this.#inserts(records, given, this.call(options, "INSERT_BATCH"));
    if (inserts.length === 0) return [];
    const oneByOne = async (call: RequestCall) => {
      const rows: (DecodedRow | null)[] = [];
      for (const [i, insert] of inserts.entries()) rows.push(await this.#store(insert, call, i));
      return rows;
    };
    const { severalRows, returningInto } = this.draft.source.grammar;
    if (inserts.every(returnsInBatches))
      return this.atomically(options, "INSERT_BATCH", async (call) => {
        const rows = await storeEach(inserts, call);
        for (const [i, row] of rows.entries()) await this.scanned([row], call, i);
        return rows;
      });
    if (!severalRows || returningInto !== undefined)
      return this.atomically(options, "INSERT_BATCH", oneByOne);
    const chunks = this.#chunksOf(inserts);
    const places = new Map(inserts.map((insert, i) => [insert, i]));
    const together = async (call: RequestCall) => {
      const rows: (DecodedRow | null)[] = inserts.map(() => null);
      for (const chunk of chunks)
        for (const [i, row] of (await this.#storeRows(chunk, given, call)).entries()) {
          const insert = chunk[i];
          if (insert !== undefined) rows[places.get(insert) ?? 0] = row;
        }
      for (const [i, row] of rows.entries()) if (row !== null) await this.scanned([row], call, i);
      return rows;
    };
    return this.#inFew(options, chunks, together, oneByOne, true);
  }

  async execBatch(records: readonly unknown[], params?: CallParams, options?: ExecOptions): Promise<number> {
    if (this.isLast(params, options)) return this.execBatch(records, undefined, params);
    const given = this.draft.given(params);
    const inserts = await this.#inserts(records, given, this.call(options, "INSERT_BATCH"));
    if (inserts.length === 0) return 0;
    const chunks = this.#chunksOf(inserts);
    const together = async (call: RequestCall) => {
      let stored = 0;
      for (const chunk of chunks) stored += await this.#storeChunk(chunk, given, call);
      return stored;
    };
    return this.#inFew(options, chunks, together, (call) => storeOneByOne(inserts, call), false);
  }

  async execFrom(query: unknown, params?: CallParams, options?: ExecOptions): Promise<number> {
    return this.#from(query).exec(params, options);
  }

  #from(query: unknown): InsertFromBuilder {
    // A spec cannot hold it.
    const given = givenQuery(query, this.draft.source, "execFrom", notShown);
    if (!isGiven(given)) throw new BuildError([given]);
    const { draft: inner, problems } = given;
    const on = (draft: InsertDraft) => insertFrom(draft, given.query, problems);
    const step = { key: countKey("execFrom", inner.id), operands: [inner], on };
    return this.draft.take(step, this.place, InsertFromBuilder);
  }

  /**
   * Runs the statements of a batch: a single one alone, several in a transaction. If they cannot run together, they are
   * undone and run one by one.
   */
  async #inFew<T>(
    options: ExecOptions | undefined,
    chunks: readonly (readonly InsertRequest[])[],
    together: (call: RequestCall) => Promise<T>,
    oneByOne: (call: RequestCall) => Promise<T>,
    givesRows: boolean,
  ): Promise<T> {
    const { isTransaction } = this.call(options, "INSERT_BATCH").session;
    const { severalRows, failureEndsTransaction } = this.draft.source.grammar;
    const steps = chunks.flatMap(([insert]) => insert?.prepared.plan.steps ?? []);
    // Steps after a refusal have their own transaction: the refused statement has done nothing.
    const isAlone = chunks.length === 1 && steps.every(({ after }) => after !== undefined);
    // In a transaction a failed statement is undone by the server. A statement whose rows are not as expected is not.
    const undoesItself = !failureEndsTransaction && steps.length === 0 && !givesRows;
    const isOne = isAlone && severalRows && (!isTransaction || undoesItself);
    return togetherOrOneByOne({
      together: () =>
        isOne
          ? this.undoable(options, "INSERT_BATCH", together)
          : this.atomically(options, "INSERT_BATCH", together),
      oneByOne: () => this.atomically(options, "INSERT_BATCH", oneByOne),
      mayBeRefused: steps.length > 0,
      mayBeUnclear: true,
    });
  }

  /** Checks every record of a batch and prepares it, before the first is sent. */
  async #inserts(
    records: readonly unknown[],
    params: RecordValues,
    call: RequestCall,
  ): Promise<InsertRequest[]> {
    const { table } = this.draft.source;
    const valid = eachOf(asList(records, table), (one) => validRecord(one, table));
    const fixed = fixedValues(table);
    let list = valid;
    if (this.place.callbacks.onRecord !== null) {
      list = [];
      for (const [index, record] of valid.entries()) list.push(await this.#calledBack(record, call, index));
    }
    return eachOf(list, (record, index) => this.draft.request(withFixedValues(record, fixed), params, index));
  }

  /** Calls `onRecord` with a copy of a valid record; the changed values are validated again. */
  async #calledBack(valid: RecordValues, call: RequestCall, index?: number): Promise<RecordValues> {
    const { table } = this.draft.source;
    const { onRecord } = this.place.callbacks;
    if (onRecord === null) return valid;
    const copy = lent(valid);
    const fixed = fixedValues(table);
    // The callback sees the whole record. Its changes to the fields of the scope are ignored.
    Object.assign(copy.own, fixed);
    await callBack(onRecord, copy.own, table, call, index);
    for (const property of Object.keys(fixed)) delete copy.own[property];
    try {
      return returned(copy, table);
    } catch (error) {
      throw index !== undefined && error instanceof ParameterError ? error.at(index) : error;
    }
  }

  async #store(insert: InsertRequest, call: RequestCall, index?: number): Promise<DecodedRow | null> {
    const stored = carryOut(insert, call);
    const [row] = stored instanceof Promise ? await stored : stored;
    if (row === undefined && !this.draft.mayMiss) throw new NoRowsError(this.draft.source.table.name);
    if (row === undefined) return null;
    const scanned = this.scanned([row], call, index);
    if (scanned !== undefined) await scanned;
    return row;
  }

  /** Stores records with one text together, and returns the row of each. */
  async #storeRows(
    inserts: readonly InsertRequest[],
    params: RecordValues,
    call: RequestCall,
  ): Promise<(DecodedRow | null)[]> {
    if (!this.draft.findsFirst) return this.#storeAndRead(inserts, params, call);
    const absent = await absentOf(inserts, this.draft.lookup, call);
    const rows = absent.length === 0 ? [] : await this.#storeAndRead(absent, params, call);
    const rowOf = new Map(absent.map((insert, i) => [insert, rows[i] ?? null]));
    return inserts.map((insert) => rowOf.get(insert) ?? null);
  }

  async #storeAndRead(
    inserts: readonly InsertRequest[],
    params: RecordValues,
    call: RequestCall,
  ): Promise<(DecodedRow | null)[]> {
    const { table } = this.draft.source;
    const properties = Object.keys(inserts[0]?.record ?? {});
    const { batch, tail, telling, hidden } = this.draft.batchOf(properties, inserts.length, "rows");
    const expected = {
      table: table.name,
      records: inserts.map(({ record }) => record),
      fields: telling,
      isKey: this.draft.key !== undefined && !this.draft.findsFirst,
      mayMiss: this.draft.mayMiss && !this.draft.findsFirst,
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

  /** Groups records by their columns, in as few statements as the dialect's parameter limit allows. */
  #chunksOf(inserts: readonly InsertRequest[]): InsertRequest[][] {
    const { grammar } = this.draft.source;
    const rounds = inRounds(inserts, ({ record }) => record, this.draft.key);
    return rounds.flatMap(byText).flatMap((alike) => {
      const properties = Object.keys(alike[0]?.record ?? {});
      // The values of a conflict and of returned expressions, including constants, follow the values of the records.
      const others = (alike[0]?.prepared.plan.slots.length ?? 0) - properties.length;
      const room = grammar.maxParams - others;
      const together = grammar.severalRows ? Math.floor(room / properties.length) : MOST_EXECUTIONS;
      const most = properties.length === 0 ? 1 : together;
      return partsOf(alike, { most, mostBytes: grammar.mostBytes });
    });
  }

  // If the server refuses to store records together, the steps store them one by one, or find the existing record.
  async #storeChunk(
    inserts: readonly InsertRequest[],
    params: RecordValues,
    call: RequestCall,
  ): Promise<number> {
    const properties = Object.keys(inserts[0]?.record ?? {});
    const steps = inserts[0]?.prepared.plan.steps;
    if (steps !== undefined && steps.after === undefined) {
      if (this.draft.source.grammar.severalRows || properties.length === 0)
        return storeOneByOne(inserts, call);
      const changed = await firstSteps(inserts, call);
      const others = inserts.filter((_, i) => changed[i] === 0);
      if (others.length > 0) await this.#tryTogether(others, properties, params, call);
      return inserts.length;
    }
    return this.#tryTogether(inserts, properties, params, call);
  }

  async #tryTogether(
    inserts: readonly InsertRequest[],
    properties: readonly string[],
    params: RecordValues,
    call: RequestCall,
  ): Promise<number> {
    const steps = inserts[0]?.prepared.plan.steps;
    const together = (inside: RequestCall) => this.#storeTogether(inserts, properties, params, inside);
    // Without a transaction, the executions before a refused one are already stored.
    const needsUndo = steps !== undefined && !this.draft.source.grammar.severalRows;
    return togetherOrOneByOne({
      together: () =>
        needsUndo
          ? call.session.atomically((session) => together({ ...call, session }), { signal: call.signal })
          : together(call),
      oneByOne: () => storeOneByOne(inserts, call),
      // Outside of a transaction the caller of this method begins one.
      mayBeRefused: steps !== undefined && call.session.isTransaction,
      mayBeUnclear: false,
    });
  }

  async #storeTogether(
    inserts: readonly InsertRequest[],
    properties: readonly string[],
    params: RecordValues,
    call: RequestCall,
  ): Promise<number> {
    const { table, grammar } = this.draft.source;
    const stored = this.draft.findsFirst ? await absentOf(inserts, this.draft.lookup, call) : inserts;
    if (stored.length === 0) return 0;
    const inOneText = grammar.severalRows || properties.length === 0;
    const { batch, tail } = this.draft.batchOf(properties, inOneText ? stored.length : 1, "nothing");
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
}
