/** New rows. */
import { keyOf, listKey, textKey } from "../ast/key.js";
import type { CreateParts } from "../ast/statement.js";
import { callBack } from "../exec/callbacks.js";
import type { Command } from "../exec/command.js";
import type { Row } from "../exec/decode.js";
import { ask, type Call, fetchAffected, send } from "../exec/execute.js";
import { asList, checkNames, eachOf, type Params } from "../exec/params.js";
import { partsOf } from "../exec/parts.js";
import { placed } from "../exec/placed.js";
import { Prepared } from "../exec/prepared.js";
import { inRounds, insertable, type Values, validRecord } from "../exec/record.js";
import { carryOut, firstSteps } from "../exec/steps.js";
import { type Batch, renderBatch, renderInsert } from "../render/change.js";
import { layoutOf } from "../resolve/layout.js";
import type { Field, ResolvedInsert } from "../resolve/resolved.js";
import { resolveInsert } from "../resolve/statement.js";
import { isSqlError, NoRowsError } from "../words/errors.js";
import type { ExecOptions, TransactionHandle } from "../words/options.js";
import type { Rendered } from "../words/rendered.js";
import { faultOfSet } from "./assign.js";
import { Builder, inTransaction } from "./builder.js";
import { areSame, byText, type Insert, isUnclear, lookedInto, storeOneByOne, valuesOf } from "./inserts.js";
import { Texts } from "./texts.js";

/** The most executions of one text in a call: their values are all in memory at once. */
const MOST_EXECUTIONS = 10_000;

export class CreateBuilder extends Builder<CreateParts> {
  // One text for each set of given columns.
  readonly #prepared = new Texts();
  // The parameters of a conflict that are no fields.
  #params: ReadonlySet<string> | undefined;
  #resolved: ResolvedInsert | undefined;
  #last: { readonly properties: readonly string[]; readonly prepared: Prepared } | undefined;
  // The text of the last batch: the next one is often as long.
  #batch: { readonly key: string; readonly text: Prepared; readonly batch: Batch } | undefined;

  onConflict(...fields: readonly string[]): this {
    return this.step(listKey("onConflict", fields, textKey), () =>
      this.with({ on_conflict: fields, conflict_action: undefined, conflict_set: undefined }),
    );
  }

  doNothing(): this {
    return this.step("doNothing", () => this.with({ conflict_action: "nothing" }));
  }

  doUpdate(): this {
    return this.step("doUpdate", () => this.with({ conflict_action: "update" }));
  }

  set(field: string, param: string): this {
    return this.step(keyOf("set", field, param), () => {
      const fault = faultOfSet(field, this.spec.conflict_set ?? {}, "conflict_set");
      if (fault !== undefined) return this.failing(fault);
      return this.with({ conflict_set: { ...this.spec.conflict_set, [field]: param } });
    });
  }

  render(): Rendered {
    return this.#prepare([...insertable(this.context.table).keys()]).plan.rendered;
  }

  async exec(record: unknown, params?: Params, options?: ExecOptions): Promise<Row | null> {
    if (this.isLast(params, options)) return this.exec(record, undefined, params);
    const given = this.#given(params);
    const call = this.call(options, "INSERT");
    const insert = this.#insert(await this.#prepareRecord(record, call), given);
    return this.undoable(options, "INSERT", (inside) => this.#store(insert, inside));
  }

  async execTx(tx: TransactionHandle, record: unknown, params?: Params): Promise<Row | null> {
    return this.exec(record, params, inTransaction(tx));
  }

  async execMany(
    records: readonly unknown[],
    params?: Params,
    options?: ExecOptions,
  ): Promise<(Row | null)[]> {
    if (this.isLast(params, options)) return this.execMany(records, undefined, params);
    const given = this.#given(params);
    const inserts = await this.#inserts(records, given, this.call(options, "INSERT_BATCH"));
    if (inserts.length === 0) return [];
    const oneByOne = async (call: Call) => {
      const rows: (Row | null)[] = [];
      for (const [i, insert] of inserts.entries()) rows.push(await this.#store(insert, call, i));
      return rows;
    };
    if (!this.#givesRowsTogether(inserts)) return this.atomically(options, "INSERT_BATCH", oneByOne);
    const chunks = this.#chunksOf(inserts, given);
    const places = new Map(inserts.map((insert, i) => [insert, i]));
    const together = async (call: Call) => {
      const rows: (Row | null)[] = inserts.map(() => null);
      for (const chunk of chunks)
        for (const [i, row] of (await this.#storeRows(chunk, given, call)).entries()) {
          const insert = chunk[i];
          if (insert !== undefined) rows[places.get(insert) ?? 0] = row;
        }
      for (const [i, row] of rows.entries()) if (row !== null) await this.scanned([row], call, i);
      return rows;
    };
    return this.#inFew(options, chunks, together, oneByOne);
  }

  async execBatch(records: readonly unknown[], params?: Params, options?: ExecOptions): Promise<number> {
    if (this.isLast(params, options)) return this.execBatch(records, undefined, params);
    const given = this.#given(params);
    const inserts = await this.#inserts(records, given, this.call(options, "INSERT_BATCH"));
    if (inserts.length === 0) return 0;
    const chunks = this.#chunksOf(inserts, given);
    const together = async (call: Call) => {
      let stored = 0;
      for (const chunk of chunks) stored += await this.#storeChunk(chunk, given, call);
      return stored;
    };
    return this.#inFew(options, chunks, together, (call) => storeOneByOne(inserts, call));
  }

  /**
   * Runs the statements of a batch: one alone, several in a transaction. What the server refuses to do together, or
   * does so that it does not show which row is of which record, is undone and done one by one.
   */
  async #inFew<T>(
    options: ExecOptions | undefined,
    chunks: readonly (readonly Insert[])[],
    together: (call: Call) => Promise<T>,
    oneByOne: (call: Call) => Promise<T>,
  ): Promise<T> {
    const { isTransaction } = this.call(options, "INSERT_BATCH").session;
    const { severalRows } = this.context.grammar;
    const hasSteps = chunks.some(([insert]) => insert?.prepared.plan.steps !== undefined);
    const isOne = chunks.length === 1 && severalRows && !hasSteps && !isTransaction;
    try {
      return await (isOne
        ? this.undoable(options, "INSERT_BATCH", together)
        : this.atomically(options, "INSERT_BATCH", together));
    } catch (error) {
      const isRefused = hasSteps && isSqlError(error) && lookedInto.has(error.code);
      if (!isRefused && !isUnclear(error)) throw error;
      return this.atomically(options, "INSERT_BATCH", oneByOne);
    }
  }

  /** Every record of a batch checked, and ready to be sent, before the first is. */
  async #inserts(records: readonly unknown[], params: Values, call: Call): Promise<Insert[]> {
    const { table, callbacks } = this.context;
    let list = asList(records, table);
    if (callbacks.onRecord !== null) {
      const changed: unknown[] = [];
      for (const [index, record] of eachOf(list, (one) => validRecord(one, table)).entries())
        changed.push(await this.#prepareRecord(record, call, index));
      list = changed;
    }
    return eachOf(list, (record) => this.#insert(record, params));
  }

  /** Calls `onRecord` with a valid record of its own; what it makes of it is validated again. */
  async #prepareRecord(record: unknown, call: Call, index?: number): Promise<unknown> {
    const { table, callbacks } = this.context;
    const { onRecord } = callbacks;
    if (onRecord === null) return record;
    const own = { ...validRecord(record, table) };
    await callBack(onRecord, own, table, call, index);
    return own;
  }

  #insert(given: unknown, params: Values): Insert {
    const record = validRecord(given, this.context.table);
    const prepared = this.#prepare(Object.keys(record));
    // The parameters of a conflict are named like no field, so the two do not meet.
    const all = this.home.#params?.size === 0 ? record : { ...record, ...params };
    return { record, prepared, params: all, values: prepared.bind(all) };
  }

  protected takesNothing(): boolean {
    return this.#names().size === 0;
  }

  /** The parameters of a call, checked. */
  #given(params: Params): Values {
    const names = this.#names();
    return checkNames(params, [...names], names, this.context.table);
  }

  /** The names of all parameters: those that `set` names and that are no fields. */
  #names(): ReadonlySet<string> {
    if (this.home !== this) return this.home.#names();
    if (this.#params === undefined) {
      // The spec is checked before anything is said about parameters.
      this.render();
      const { columns } = this.context.table;
      const names = Object.values(this.spec.conflict_set ?? {}).filter((name) => columns[name] === undefined);
      this.#params = new Set(names);
    }
    return this.#params;
  }

  async #store(insert: Insert, call: Call, index?: number): Promise<Row | null> {
    const [row] = await carryOut(insert, call);
    if (row === undefined && this.spec.conflict_action !== "nothing")
      throw new NoRowsError(this.context.table.name);
    if (row === undefined) return null;
    await this.scanned([row], call, index);
    return row;
  }

  /** Whether a statement of several rows gives them: not where its text alone leaves rows that are there alone. */
  #givesRowsTogether(inserts: readonly Insert[]): boolean {
    const { severalRows, returningInto, onConflict } = this.context.grammar;
    const leaves = this.spec.conflict_action === "nothing" && onConflict?.leaving !== undefined;
    return inserts.length > 1 && severalRows && returningInto === undefined && !leaves;
  }

  /** Stores records of one text together, and gives the row of each. */
  async #storeRows(inserts: readonly Insert[], params: Values, call: Call): Promise<(Row | null)[]> {
    const { table } = this.context;
    const properties = Object.keys(inserts[0]?.record ?? {});
    const { batch, tail } = this.#batchOf(properties, inserts.length, "rows");
    const { on_conflict: key, conflict_action: action, conflict_set: set = {} } = this.spec;
    const isTelling = key?.every((field) => properties.includes(field) && !Object.hasOwn(set, field));
    const expected = {
      table: table.name,
      records: inserts.map(({ record }) => record),
      fields: key === undefined ? properties : isTelling === true ? key : [],
      isKey: key !== undefined,
      mayMiss: action === "nothing",
    };
    const { driver, isTransaction } = call.session;
    // Where that costs next to nothing it is always judged: a trigger may leave a row out.
    const isJudged = driver.runJudged !== undefined || tail.isDoubted;
    const values = valuesOf(inserts, properties.length, tail.bind(params));
    const { bigints, output } = tail;
    return send({ table, sql: batch.sql, bigints, output }, values, call, {
      givesRows: true,
      isJudged: () => isJudged,
      read: (result) => placed(tail.allRows.read(result), expected, isJudged || isTransaction),
      tell: ({ length }) => ({ rowsReturned: length }),
    });
  }

  /** Records by their columns, in as few statements as the parameters of the dialect allow. */
  #chunksOf(inserts: readonly Insert[], params: Values): Insert[][] {
    const { grammar } = this.context;
    const rounds = inRounds(inserts, ({ record }) => record, this.spec.on_conflict);
    return rounds.flatMap(byText).flatMap((alike) => {
      const properties = Object.keys(alike[0]?.record ?? {});
      const room = grammar.maxParams - Object.keys(params).length;
      const together = grammar.severalRows ? Math.floor(room / properties.length) : MOST_EXECUTIONS;
      const most = properties.length === 0 ? 1 : together;
      return partsOf(alike, { most, mostBytes: grammar.mostBytes });
    });
  }

  // What the server refuses to store together, its steps store one by one, or find out which record it is.
  async #storeChunk(inserts: readonly Insert[], params: Values, call: Call): Promise<number> {
    const properties = Object.keys(inserts[0]?.record ?? {});
    const steps = inserts[0]?.prepared.plan.steps;
    if (steps !== undefined && steps.after === undefined) {
      if (this.context.grammar.severalRows || properties.length === 0) return storeOneByOne(inserts, call);
      const changed = await firstSteps(inserts, call);
      const others = inserts.filter((_, i) => changed[i] === 0);
      if (others.length > 0) await this.#tryTogether(others, properties, params, call);
      return inserts.length;
    }
    return this.#tryTogether(inserts, properties, params, call);
  }

  async #tryTogether(
    inserts: readonly Insert[],
    properties: readonly string[],
    params: Values,
    call: Call,
  ): Promise<number> {
    const steps = inserts[0]?.prepared.plan.steps;
    const together = (inside: Call) => this.#storeTogether(inserts, properties, params, inside);
    // Of several executions those before a refused one are done, unless they are undone together.
    const undoable = steps !== undefined && !this.context.grammar.severalRows;
    try {
      return await (undoable
        ? call.session.atomically((session) => together({ ...call, session }), { signal: call.signal })
        : together(call));
    } catch (error) {
      if (steps === undefined || !isSqlError(error) || !lookedInto.has(error.code)) throw error;
      return storeOneByOne(inserts, call);
    }
  }

  async #storeTogether(
    inserts: readonly Insert[],
    properties: readonly string[],
    params: Values,
    call: Call,
  ): Promise<number> {
    const { table, grammar } = this.context;
    const inOneText = grammar.severalRows || properties.length === 0;
    const { batch, tail } = this.#batchOf(properties, inOneText ? inserts.length : 1, "nothing");
    const { leaving } = batch;
    if (leaving !== undefined) await ask({ table, sql: leaving.begin, bigints: false }, [], false, call);
    const others = tail.bind(params);
    const command: Command = { table, sql: batch.sql, bigints: false };
    const affected = inOneText
      ? await fetchAffected(command, valuesOf(inserts, properties.length, others), call)
      : await fetchAffected(
          { ...command, batch: inserts.map((one) => valuesOf([one], properties.length, others)) },
          [],
          call,
        );
    if (leaving !== undefined) {
      const { rows: left } = await ask({ table, sql: leaving.count, bigints: false }, [], true, call);
      return inserts.length - Number(left[0]?.[0] ?? 0);
    }
    // A clause that names no key is about an update, which a server may count as two.
    return grammar.onConflict?.namesKey === false ? inserts.length : affected;
  }

  #batchOf(
    properties: readonly string[],
    rows: number,
    gives: "rows" | "nothing",
  ): { readonly batch: Batch; readonly tail: Prepared } {
    if (this.home !== this) return this.home.#batchOf(properties, rows, gives);
    const key = `${gives} ${rows} ${properties.join("\0")}`;
    if (this.#batch?.key !== key) {
      const batch = renderBatch(
        this.#resolve(),
        this.context.grammar,
        this.#fieldsOf(properties),
        rows,
        gives,
      );
      this.#batch = { key, batch, text: new Prepared(batch.tail) };
    }
    return { batch: this.#batch.batch, tail: this.#batch.text };
  }

  #prepare(properties: readonly string[]): Prepared {
    if (this.home !== this) return this.home.#prepare(properties);
    // Most records have the keys of the one before.
    if (this.#last !== undefined && areSame(this.#last.properties, properties)) return this.#last.prepared;
    const key = properties.join("\0");
    const prepared = this.#prepared.get(key) ?? this.#render(key, properties);
    this.#last = { properties, prepared };
    return prepared;
  }

  #render(key: string, properties: readonly string[]): Prepared {
    const plan = renderInsert(this.#resolve(), this.context.grammar, this.#fieldsOf(properties));
    const prepared = new Prepared(plan);
    this.#prepared.set(key, prepared);
    this.accepted(this.#prepared.weight);
    return prepared;
  }

  #resolve(): ResolvedInsert {
    const { table, grammar } = this.context;
    this.#resolved ??= resolveInsert({ kind: "insert", table, spec: this.spec }, grammar, this.problems);
    return this.#resolved;
  }

  #fieldsOf(properties: readonly string[]): Field[] {
    const { fields } = layoutOf(this.context.table, this.context.grammar);
    return properties.flatMap((property) => fields.get(property) ?? []);
  }
}
