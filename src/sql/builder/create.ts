/** New rows. */
import type { CreateSpec } from "../ast/spec.js";
import type { InsertStatement } from "../ast/statement.js";
import { checkStatement } from "../check/statement.js";
import type { AnyTable, ColumnInfo } from "../declaration.js";
import { NoRowsError } from "../errors.js";
import type { Row } from "../exec/decode.js";
import { type Call, fetchAffected, fetchRows, Prepared } from "../exec/execute.js";
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
    return this.#prepare([...insertable(this.source.table).keys()]).plan.rendered;
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
      for (const [prepared, group] of alike) stored += await this.#storeAlike(prepared, group, call);
      return stored;
    });
  }

  #inserts(records: readonly unknown[]): Insert[] {
    const { table } = this.source;
    return eachOf(asList(records, table), (record) => this.#insert(validRecord(record, table)));
  }

  #insert(values: Values): Insert {
    const prepared = this.#prepare(Object.keys(values));
    return { prepared, values: prepared.bind(values) };
  }

  async #store({ prepared, values }: Insert, call: Call): Promise<Row> {
    const [row] = await fetchRows(prepared, values, call);
    if (row === undefined) throw new NoRowsError(this.source.table.name);
    return row;
  }

  // Records with the same columns, in as few statements as the parameters of the dialect allow.
  async #storeAlike(prepared: Prepared, inserts: readonly Insert[], call: Call): Promise<number> {
    const { table, grammar } = this.source;
    const properties = prepared.plan.rendered.params;
    const most = properties.length === 0 ? 1 : Math.floor(grammar.maxParams / properties.length);
    let stored = 0;
    for (let from = 0; from < inserts.length; from += most) {
      const chunk = inserts.slice(from, from + most);
      const command = { table, sql: this.#batchText(properties, chunk.length), bigints: false };
      stored += await fetchAffected(
        command,
        chunk.flatMap(({ values }) => values),
        call,
      );
    }
    return stored;
  }

  #batchText(properties: readonly string[], rows: number): string {
    const key = `${rows} ${properties.join("\0")}`;
    if (this.#batch?.key !== key) {
      const sql = renderBatch(
        this.#statement(),
        this.source.grammar,
        columnsOf(this.source.table, properties),
        rows,
      );
      this.#batch = { key, sql };
    }
    return this.#batch.sql;
  }

  #prepare(properties: readonly string[]): Prepared {
    const key = properties.join("\0");
    const kept = this.#prepared.get(key);
    if (kept !== undefined) return kept;
    const { table, grammar } = this.source;
    checkStatement(this.#statement(), grammar, this.problems);
    const prepared = new Prepared(
      renderInsert(this.#statement(), grammar, columnsOf(table, properties), "rows"),
    );
    this.#prepared.set(key, prepared);
    return prepared;
  }

  #statement(): InsertStatement {
    return { kind: "insert", table: this.source.table, spec: this.spec };
  }
}

/** A record that is ready to be sent. */
interface Insert {
  readonly prepared: Prepared;
  readonly values: readonly unknown[];
}

function columnsOf(table: AnyTable, properties: readonly string[]): ColumnInfo[] {
  return properties.flatMap((property) => insertable(table).get(property) ?? []);
}
