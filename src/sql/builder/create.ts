/** New rows. */
import type { CreateParts, InsertStatement } from "../ast/statement.js";
import { checkStatement } from "../check/statement.js";
import type { AnyTable, ColumnInfo } from "../declaration.js";
import { NoRowsError, SqlError } from "../errors.js";
import { callBack } from "../exec/callbacks.js";
import type { Row } from "../exec/decode.js";
import { type Call, fetchAffected, Prepared } from "../exec/execute.js";
import type { ExecOptions, TransactionHandle } from "../exec/options.js";
import { asList, checkNames, eachOf, type Params } from "../exec/params.js";
import { inRounds, insertable, type Values, validRecord } from "../exec/record.js";
import { carryOut, type Ready } from "../exec/steps.js";
import { type Batch, renderBatch, renderInsert } from "../render/change.js";
import type { Rendered } from "../render/rendered.js";
import { faultOfSet } from "./assign.js";
import { Builder, inTransaction } from "./builder.js";

export class CreateBuilder extends Builder<CreateParts> {
  // One text for each set of given columns.
  readonly #prepared = new Map<string, Prepared>();
  // The parameters of a conflict that are no fields.
  #params: ReadonlySet<string> | undefined;
  // The text of the last batch: the next one is often as long.
  #batch: { readonly key: string; readonly text: Prepared; readonly batch: Batch } | undefined;

  onConflict(...fields: readonly string[]): this {
    return this.with({ on_conflict: fields, conflict_action: undefined, conflict_set: undefined });
  }

  doNothing(): this {
    return this.with({ conflict_action: "nothing" });
  }

  doUpdate(): this {
    return this.with({ conflict_action: "update" });
  }

  set(field: string, param: string): this {
    const fault = faultOfSet(field, this.spec.conflict_set ?? {}, "conflict_set");
    if (fault !== undefined) return this.failing(fault);
    return this.with({ conflict_set: { ...this.spec.conflict_set, [field]: param } });
  }

  render(): Rendered {
    return this.#prepare([...insertable(this.source.table).keys()]).plan.rendered;
  }

  async exec(record: unknown, params?: Params, options?: ExecOptions): Promise<Row | null> {
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
    const given = this.#given(params);
    const inserts = await this.#inserts(records, given, this.call(options, "INSERT_BATCH"));
    if (inserts.length === 0) return [];
    return this.atomically(options, "INSERT_BATCH", async (call) => {
      const rows: (Row | null)[] = [];
      for (const insert of inserts) rows.push(await this.#store(insert, call));
      return rows;
    });
  }

  async execBatch(records: readonly unknown[], params?: Params, options?: ExecOptions): Promise<number> {
    const given = this.#given(params);
    const inserts = await this.#inserts(records, given, this.call(options, "INSERT_BATCH"));
    const rounds = inRounds(inserts, ({ record }) => record, this.spec.on_conflict);
    if (rounds.length === 0) return 0;
    return this.atomically(options, "INSERT_BATCH", async (call) => {
      let stored = 0;
      for (const alike of rounds.flatMap(byText)) stored += await this.#storeAlike(alike, given, call);
      return stored;
    });
  }

  /** Every record of a batch checked, and ready to be sent, before the first is. */
  async #inserts(records: readonly unknown[], params: Values, call: Call): Promise<Insert[]> {
    const { table, callbacks } = this.source;
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
    const { table, callbacks } = this.source;
    const { onRecord } = callbacks;
    if (onRecord === null) return record;
    const own = { ...validRecord(record, table) };
    await callBack(onRecord, own, table, call, index);
    return own;
  }

  #insert(given: unknown, params: Values): Insert {
    const record = validRecord(given, this.source.table);
    const prepared = this.#prepare(Object.keys(record));
    // The parameters of a conflict are named like no field, so the two do not meet.
    const all = { ...record, ...params };
    return { record, prepared, params: all, values: prepared.bind(all) };
  }

  /** The parameters of a call, checked: those that `set` names and that are no fields. */
  #given(params: Params): Values {
    if (this.#params === undefined) {
      // The spec is checked before anything is said about parameters.
      this.render();
      const { columns } = this.source.table;
      const names = Object.values(this.spec.conflict_set ?? {}).filter((name) => columns[name] === undefined);
      this.#params = new Set(names);
    }
    return checkNames(params, [...this.#params], this.#params, this.source.table);
  }

  async #store(insert: Insert, call: Call): Promise<Row | null> {
    const [row] = await carryOut(insert, call);
    if (row === undefined && this.spec.conflict_action !== "nothing")
      throw new NoRowsError(this.source.table.name);
    if (row === undefined) return null;
    await this.scanned([row], call);
    return row;
  }

  // Records with the same columns, in as few statements as the parameters of the dialect allow.
  async #storeAlike(inserts: readonly Insert[], params: Values, call: Call): Promise<number> {
    const { grammar } = this.source;
    const properties = Object.keys(inserts[0]?.record ?? {});
    const room = grammar.maxParams - Object.keys(params).length;
    const most = properties.length === 0 ? 1 : Math.floor(room / properties.length);
    let stored = 0;
    for (let from = 0; from < inserts.length; from += most)
      stored += await this.#storeChunk(inserts.slice(from, from + most), properties, params, call);
    return stored;
  }

  // What the server refuses to store together, its steps store one by one, or find out which record it is.
  async #storeChunk(
    inserts: readonly Insert[],
    properties: readonly string[],
    params: Values,
    call: Call,
  ): Promise<number> {
    const steps = inserts[0]?.prepared.plan.steps;
    if (steps !== undefined && steps.after === undefined) return storeOneByOne(inserts, call);
    const { batch, tail } = this.#batchOf(properties, inserts.length);
    const values = inserts.flatMap((insert) => insert.values.slice(0, properties.length));
    const command = { table: this.source.table, sql: batch.sql, bigints: false };
    try {
      const affected = await fetchAffected(command, [...values, ...tail.bind(params)], call);
      // Where a clause names no key, a server may count the update of a row as two; none was left out.
      return steps === undefined ? affected : inserts.length;
    } catch (error) {
      if (steps === undefined || !(error instanceof SqlError) || error.code !== steps.after) throw error;
      return storeOneByOne(inserts, call);
    }
  }

  #batchOf(properties: readonly string[], rows: number): { readonly batch: Batch; readonly tail: Prepared } {
    const key = `${rows} ${properties.join("\0")}`;
    if (this.#batch?.key !== key) {
      const { table, grammar } = this.source;
      const batch = renderBatch(this.#statement(), grammar, columnsOf(table, properties), rows);
      this.#batch = { key, batch, text: new Prepared(batch.tail) };
    }
    return { batch: this.#batch.batch, tail: this.#batch.text };
  }

  #prepare(properties: readonly string[]): Prepared {
    const key = properties.join("\0");
    const kept = this.#prepared.get(key);
    if (kept !== undefined) return kept;
    const { table, grammar } = this.source;
    checkStatement(this.#statement(), grammar, this.problems);
    const prepared = new Prepared(renderInsert(this.#statement(), grammar, columnsOf(table, properties)));
    this.#prepared.set(key, prepared);
    return prepared;
  }

  #statement(): InsertStatement {
    return { kind: "insert", table: this.source.table, spec: this.spec };
  }
}

/**
 * A record that is ready to be sent. Its values are those of the record and then those of a conflict, and so are its
 * parameters.
 */
interface Insert extends Ready {
  readonly record: Values;
}

async function storeOneByOne(inserts: readonly Insert[], call: Call): Promise<number> {
  let stored = 0;
  for (const insert of inserts) stored += (await carryOut(insert, call)).length;
  return stored;
}

function columnsOf(table: AnyTable, properties: readonly string[]): ColumnInfo[] {
  return properties.flatMap((property) => insertable(table).get(property) ?? []);
}

/** Records by their text: those of the same columns together. */
function byText(inserts: readonly Insert[]): Insert[][] {
  const groups = new Map<Prepared, Insert[]>();
  for (const insert of inserts) {
    const group = groups.get(insert.prepared);
    if (group === undefined) groups.set(insert.prepared, [insert]);
    else group.push(insert);
  }
  return [...groups.values()];
}
