/** New rows. */
import type { CreateSpec } from "../ast/spec.js";
import type { InsertStatement } from "../ast/statement.js";
import { checkStatement } from "../check/statement.js";
import type { ColumnInfo } from "../declaration.js";
import { NoRowsError } from "../errors.js";
import type { Row } from "../exec/decode.js";
import { bind, type Call, fetchAffected, fetchRows, type Prepared, prepare } from "../exec/execute.js";
import type { ExecOptions, TransactionHandle } from "../exec/options.js";
import { asList, eachOf } from "../exec/params.js";
import { insertable, type Values, validRecord } from "../exec/record.js";
import { renderBatch, renderInsert } from "../render/change.js";
import type { Rendered } from "../render/rendered.js";
import { Builder, inTransaction } from "./builder.js";

export class CreateBuilder extends Builder<CreateSpec> {
  // One text for each set of given columns.
  readonly #prepared = new Map<string, Prepared>();
  // The text of the last batch: the next one is often as long.
  #batch: { readonly key: string; readonly sql: string } | undefined;

  render(): Rendered {
    return this.#prepare(insertable(this.source.table)).plan.rendered;
  }

  async exec(record: unknown, options?: ExecOptions): Promise<Row> {
    const insert = this.#insert(validRecord(record, this.source.table));
    return this.#store(insert, this.call(options, "INSERT"));
  }

  async execTx(tx: TransactionHandle, record: unknown): Promise<Row> {
    return this.exec(record, inTransaction(tx));
  }

  async execMany(records: readonly unknown[], options?: ExecOptions): Promise<Row[]> {
    const inserts = this.#inserts(records);
    if (inserts.length === 0) return [];
    return this.atomically(options, "INSERT_BATCH", async (call) => {
      const rows: Row[] = [];
      for (const insert of inserts) rows.push(await this.#store(insert, call));
      return rows;
    });
  }

  async execBatch(records: readonly unknown[], options?: ExecOptions): Promise<number> {
    const alike = new Map<Prepared, Insert[]>();
    for (const insert of this.#inserts(records)) {
      const group = alike.get(insert.prepared);
      if (group === undefined) alike.set(insert.prepared, [insert]);
      else group.push(insert);
    }
    if (alike.size === 0) return 0;
    return this.atomically(options, "INSERT_BATCH", async (call) => {
      let stored = 0;
      for (const group of alike.values()) stored += await this.#storeAlike(group, call);
      return stored;
    });
  }

  #inserts(records: readonly unknown[]): Insert[] {
    const { table } = this.source;
    return eachOf(asList(records, table), (record) => this.#insert(validRecord(record, table)));
  }

  #insert(values: Values): Insert {
    const columns = insertable(this.source.table).filter(({ property }) => Object.hasOwn(values, property));
    const prepared = this.#prepare(columns);
    return { columns, prepared, values: bind(prepared.plan, values) };
  }

  async #store({ prepared, values }: Insert, call: Call): Promise<Row> {
    const [row] = await fetchRows(prepared, values, call);
    if (row === undefined) throw new NoRowsError(this.source.table.name);
    return row;
  }

  // Records with the same columns, in as few statements as the parameters of the dialect allow.
  async #storeAlike(inserts: readonly Insert[], call: Call): Promise<number> {
    const { table, grammar } = this.source;
    const columns = inserts[0]?.columns ?? [];
    const most = columns.length === 0 ? 1 : Math.floor(grammar.maxParams / columns.length);
    let stored = 0;
    for (let from = 0; from < inserts.length; from += most) {
      const chunk = inserts.slice(from, from + most);
      const command = { table, sql: this.#batchText(columns, chunk.length), bigints: false };
      stored += await fetchAffected(
        command,
        chunk.flatMap(({ values }) => values),
        call,
      );
    }
    return stored;
  }

  #batchText(columns: readonly ColumnInfo[], rows: number): string {
    const key = `${rows} ${keyOf(columns)}`;
    if (this.#batch?.key !== key)
      this.#batch = { key, sql: renderBatch(this.#statement(), this.source.grammar, columns, rows) };
    return this.#batch.sql;
  }

  #prepare(columns: readonly ColumnInfo[]): Prepared {
    const key = keyOf(columns);
    const kept = this.#prepared.get(key);
    if (kept !== undefined) return kept;
    checkStatement(this.#statement(), this.source.grammar, this.problems);
    const prepared = prepare(renderInsert(this.#statement(), this.source.grammar, columns, "rows"));
    this.#prepared.set(key, prepared);
    return prepared;
  }

  #statement(): InsertStatement {
    return { kind: "insert", table: this.source.table, spec: this.spec };
  }
}

/** A record that is ready to be sent. */
interface Insert {
  readonly columns: readonly ColumnInfo[];
  readonly prepared: Prepared;
  readonly values: readonly unknown[];
}

function keyOf(columns: readonly ColumnInfo[]): string {
  return columns.map(({ property }) => property).join("\0");
}
