/** New rows. */
import type { ZodObject } from "zod";
import { notShown } from "../ast/inner-query.js";
import { draftKey, keyOf, listKey, textKey } from "../ast/key.js";
import type { Assigned, InsertStatement } from "../ast/statement.js";
import type { RequestCall } from "../exec/call.js";
import type { DecodedRow } from "../exec/decode.js";
import { inTurn, requireInteractive } from "../exec/gathered.js";
import { asList, type CallParams, eachOf } from "../exec/params.js";
import { fixedValues, type RecordValues, validRecord, withFixedValues } from "../exec/record.js";
import { carryOut } from "../exec/steps.js";
import { togetherOrOneByOne } from "../exec/undo.js";
import { BuildError, NoRowsError } from "../words/errors.js";
import type { ExecOptions, TransactionHandle } from "../words/options.js";
import { faultOfSet, withPath } from "./assign.js";
import { type BoundCall, boundCall } from "./bound.js";
import { inTransaction } from "./builder.js";
import { ConditionedBuilder } from "./conditioned.js";
import type { Placing } from "./draft/draft.js";
import type { InsertDraft, InsertRequest } from "./draft/insert-draft.js";
import { givenQuery, isQueryGiven } from "./inner.js";
import { InsertFromBuilder, insertFrom } from "./insert-from.js";
import { calledBack } from "./inserting/called-back.js";
import { type GraphNode, graphOf } from "./inserting/graph.js";
import { hiddenConflict, requireSeen } from "./inserting/hidden.js";
import { checkNested, storeNested } from "./inserting/nested.js";
import { returnsInBatches, storeEach, storeOneByOne } from "./inserting/records.js";
import { chunksOf, storeChunk, storeRows } from "./inserting/stored.js";
import { withFixed } from "./keys.js";
import { nestedInsert } from "./nested-insert.js";
import { returningAlso } from "./selected.js";

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

  with(relation: unknown, insert?: unknown): this {
    return this.take(nestedInsert(relation, insert, this.draft.source));
  }

  /** The schema of a record. */
  get insertSchema(): ZodObject {
    return graphOf(this.draft).schema;
  }

  /** The inserts inside it, if there are any. */
  get #graph(): GraphNode | undefined {
    return this.spec.with === undefined ? undefined : graphOf(this.draft);
  }

  async exec(record: unknown, params?: CallParams, options?: ExecOptions): Promise<DecodedRow | null> {
    if (this.isLast(params, options)) return this.exec(record, undefined, params);
    const graph = this.#graph;
    if (graph !== undefined) {
      const nested = { records: [record], params, isList: false, givesRows: true };
      const [row] = await storeNested(nested, graph, this.call(options, "INSERT"));
      return row ?? null;
    }
    const given = this.draft.given(params);
    const call = this.call(options, "INSERT");
    const { table } = this.draft.source;
    const valid = validRecord(record, table);
    // A promise costs as much as binding the values. Without a callback none is made.
    const { onRecord } = this.place.callbacks;
    const own = onRecord === null ? valid : await calledBack(valid, onRecord, table, call, {});
    const insert = this.draft.request(withFixedValues(own, fixedValues(table)), given);
    return this.undoable(call, (inside) => this.#store(insert, inside));
  }

  async execTx(tx: TransactionHandle, record: unknown, params?: CallParams): Promise<DecodedRow | null> {
    return this.exec(record, params, inTransaction(tx));
  }

  /** A call of `exec` for `atomic`. */
  bind(record: unknown, params?: CallParams): BoundCall {
    const check = (one: unknown, given: CallParams) => {
      const request = this.#check([one], given, false)[0];
      return request === undefined || this.draft.mayHide ? undefined : this.sending(request, false);
    };
    const execute = (tx: TransactionHandle, one: unknown, given: CallParams) => this.execTx(tx, one, given);
    return boundCall(this.place.session, [record, params], check, execute);
  }

  /** A call of `execMany` for `atomic`. */
  bindMany(records: readonly unknown[], params?: CallParams): BoundCall {
    // Records that are refused together go one by one, each in a savepoint of its own.
    const check = (list: readonly unknown[], given: CallParams) => {
      this.#check(asList(list, this.draft.source.table), given, true);
      return undefined;
    };
    const execute = (tx: TransactionHandle, list: readonly unknown[], given: CallParams) =>
      this.execMany(list, given, inTransaction(tx));
    return boundCall(this.place.session, [records, params], check, execute);
  }

  /**
   * The statements of records; none of those with others inside.
   * @throws {SqlError} for records and parameters that `exec` refuses.
   */
  #check(records: readonly unknown[], params: CallParams, isList: boolean): readonly InsertRequest[] {
    const graph = this.#graph;
    if (graph !== undefined) {
      checkNested({ records, params, isList, givesRows: true }, graph);
      return [];
    }
    const { table } = this.draft.source;
    const given = this.draft.given(params);
    const fixed = fixedValues(table);
    // An `onRecord` may still change a record, which is checked again.
    const checkOne = (record: unknown, index?: number) =>
      this.draft.request(withFixedValues(validRecord(record, table), fixed), given, index);
    return isList ? eachOf(records, checkOne) : [checkOne(records[0])];
  }

  async execMany(
    records: readonly unknown[],
    params?: CallParams,
    options?: ExecOptions,
  ): Promise<(DecodedRow | null)[]> {
    if (this.isLast(params, options)) return this.execMany(records, undefined, params);
    const graph = this.#graph;
    if (graph !== undefined) return this.#nested(records, params, options, graph, true);
    const given = this.draft.given(params);
    const batchCall = this.call(options, "INSERT_BATCH");
    const inserts = await this.#inserts(records, given, batchCall);
    if (inserts.length === 0) return [];
    const oneByOne = (call: RequestCall) =>
      inTurn(inserts, call.session, (insert, i) => this.#store(insert, call, i));
    const { severalRows, returningInto } = this.draft.source.grammar;
    if (inserts.every(returnsInBatches))
      return this.atomically(batchCall, async (call) => {
        const rows = await storeEach(inserts, call);
        for (const [i, row] of rows.entries()) await this.scanned([row], call, i);
        return rows;
      });
    if (!severalRows || returningInto !== undefined) return this.atomically(batchCall, oneByOne);
    const storing = { draft: this.draft, params: given };
    const chunks = chunksOf(inserts, storing);
    const together = async (call: RequestCall) => {
      this.#requireUndo(call);
      const rows = await storeRows(inserts, chunks, storing, call);
      if (this.draft.mayHide && rows.includes(null)) throw hiddenConflict(this.draft);
      for (const [i, row] of rows.entries()) if (row !== null) await this.scanned([row], call, i);
      return rows;
    };
    return this.#inFew(batchCall, chunks, together, oneByOne, true);
  }

  async execBatch(records: readonly unknown[], params?: CallParams, options?: ExecOptions): Promise<number> {
    if (this.isLast(params, options)) return this.execBatch(records, undefined, params);
    const graph = this.#graph;
    if (graph !== undefined) {
      await this.#nested(records, params, options, graph, false);
      return records.length;
    }
    const given = this.draft.given(params);
    const batchCall = this.call(options, "INSERT_BATCH");
    const inserts = await this.#inserts(records, given, batchCall);
    if (inserts.length === 0) return 0;
    const storing = { draft: this.draft, params: given };
    const chunks = chunksOf(inserts, storing);
    const together = async (call: RequestCall) => {
      this.#requireUndo(call);
      const counts = await inTurn(chunks, call.session, (chunk) => storeChunk(chunk, storing, call));
      const stored = counts.reduce((sum, count) => sum + count, 0);
      if (this.draft.mayHide && stored < inserts.length) throw hiddenConflict(this.draft);
      return stored;
    };
    return this.#inFew(
      batchCall,
      chunks,
      together,
      (call) => storeOneByOne(inserts, call, this.draft),
      false,
    );
  }

  /** A conflict with a hidden row is known only afterwards. */
  #requireUndo({ session }: RequestCall): void {
    if (this.draft.mayHide) requireInteractive(session);
  }

  async #nested(
    list: unknown,
    params: CallParams,
    options: ExecOptions | undefined,
    graph: GraphNode,
    givesRows: boolean,
  ): Promise<DecodedRow[]> {
    const records = asList(list, graph.table);
    const call = this.call(options, "INSERT_BATCH");
    return storeNested({ records, params, isList: true, givesRows }, graph, call);
  }

  async execFrom(query: unknown, params?: CallParams, options?: ExecOptions): Promise<number> {
    return this.#from(query).exec(params, options);
  }

  #from(query: unknown): InsertFromBuilder {
    // A spec cannot hold it.
    const given = givenQuery(query, this.draft.source, "execFrom", notShown);
    if (!isQueryGiven(given)) throw new BuildError([given]);
    const { draft: inner, problems } = given;
    const on = (draft: InsertDraft, placed: Placing) => insertFrom(draft, placed(given.query), problems);
    const step = { key: draftKey("execFrom", inner.id), operands: [inner], parts: [given.query], on };
    return this.draft.take(step, this.place, this.constants, InsertFromBuilder);
  }

  /**
   * Runs the statements of a batch: a single one alone, several in a transaction. If they cannot run together, they are
   * undone and run one by one.
   */
  async #inFew<T>(
    batchCall: RequestCall,
    chunks: readonly (readonly InsertRequest[])[],
    together: (call: RequestCall) => Promise<T>,
    oneByOne: (call: RequestCall) => Promise<T>,
    givesRows: boolean,
  ): Promise<T> {
    const { isTransaction } = batchCall.session;
    const { grammar } = this.draft.source;
    const { severalRows, failureEndsTransaction } = grammar;
    const steps = chunks.flatMap(([insert]) => insert?.prepared.plan.steps ?? []);
    // Steps after a refusal have their own transaction: the refused statement has done nothing.
    const isAlone = chunks.length === 1 && steps.every(({ after }) => after !== undefined);
    // In a transaction a failed statement is undone by the server. A statement whose rows are not as expected is not.
    const undoesItself = !failureEndsTransaction && steps.length === 0 && !givesRows;
    const { mayHide } = this.draft;
    const isOne = isAlone && severalRows && !mayHide && (!isTransaction || undoesItself);
    return togetherOrOneByOne({
      together: () => (isOne ? this.undoable(batchCall, together) : this.atomically(batchCall, together)),
      oneByOne: () => this.atomically(batchCall, oneByOne),
      mayBeRefused: steps.length > 0 || mayHide,
      unclearOn: grammar,
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
    const { onRecord } = this.place.callbacks;
    if (onRecord !== null) {
      list = [];
      for (const [index, record] of valid.entries())
        list.push(await calledBack(record, onRecord, table, call, { index }));
    }
    return eachOf(list, (record, index) => this.draft.request(withFixedValues(record, fixed), params, index));
  }

  async #store(insert: InsertRequest, call: RequestCall, index?: number): Promise<DecodedRow | null> {
    const stored = carryOut(insert, call);
    const [row] = stored instanceof Promise ? await stored : stored;
    if (row === undefined) await requireSeen(this.draft, { ...insert, index }, call);
    if (row === undefined && !this.draft.mayMiss) throw new NoRowsError(this.draft.source.table.name);
    if (row === undefined) return null;
    const scanned = this.scanned([row], call, index);
    if (scanned !== undefined) await scanned;
    return row;
  }
}
