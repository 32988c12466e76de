/** New rows. */
import { safeParse } from "zod/v4/core";
import { describeType, listed, quoted } from "../../core/errors.js";
import type { CreateSpec } from "../ast/spec.js";
import { checkStatement } from "../check/statement.js";
import type { ColumnInfo } from "../declaration.js";
import { NoRowsError, ParameterError } from "../errors.js";
import type { Row } from "../exec/decode.js";
import { bind, type Call, fetchAffected, fetchRows, type Prepared, prepare } from "../exec/execute.js";
import type { ExecOptions, TransactionHandle } from "../exec/options.js";
import { type Returning, renderInsert } from "../render/change.js";
import type { Rendered } from "../render/rendered.js";
import { Builder } from "./builder.js";

type Values = Readonly<Record<string, unknown>>;

export class CreateBuilder extends Builder<CreateSpec> {
  // One text for each set of given columns, number of rows and way to return.
  readonly #prepared = new Map<string, Prepared>();

  render(): Rendered {
    return this.#prepare(this.#insertable(), 1, "rows").plan.rendered;
  }

  async exec(record: Values, options?: ExecOptions): Promise<Row> {
    return this.#store(this.#valid(record), this.call(options, "INSERT"));
  }

  execTx(tx: TransactionHandle, record: Values): Promise<Row> {
    return this.exec(record, { tx });
  }

  async execMany(records: readonly Values[], options?: ExecOptions): Promise<Row[]> {
    const valid = records.map((record, index) => this.#valid(record, index));
    if (valid.length === 0) return [];
    return this.atomically(options, "INSERT_BATCH", async (call) => {
      const rows: Row[] = [];
      for (const values of valid) rows.push(await this.#store(values, call));
      return rows;
    });
  }

  async execBatch(records: readonly Values[], options?: ExecOptions): Promise<number> {
    const groups = new Map<string, Values[]>();
    records.forEach((record, index) => {
      const values = this.#valid(record, index);
      const key = Object.keys(values).join("\0");
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [values]);
      else group.push(values);
    });
    if (groups.size === 0) return 0;
    return this.atomically(options, "INSERT_BATCH", async (call) => {
      let stored = 0;
      for (const group of groups.values()) stored += await this.#storeAlike(group, call);
      return stored;
    });
  }

  async #store(values: Values, call: Call): Promise<Row> {
    const prepared = this.#prepare(this.#columnsOf(values), 1, "rows");
    const [row] = await fetchRows(prepared, bind(prepared, values), call);
    if (row === undefined) throw new NoRowsError(this.source.table.name);
    return row;
  }

  // Records with the same columns, in as few statements as the parameters of the dialect allow.
  async #storeAlike(records: readonly Values[], call: Call): Promise<number> {
    const columns = this.#columnsOf(records[0] ?? {});
    const most = columns.length === 0 ? 1 : Math.floor(this.source.grammar.maxParams / columns.length);
    let stored = 0;
    for (let from = 0; from < records.length; from += most) {
      const chunk = records.slice(from, from + most);
      const one = this.#prepare(columns, 1, "nothing");
      const prepared = chunk.length === 1 ? one : this.#prepare(columns, chunk.length, "nothing");
      stored += await fetchAffected(
        prepared,
        chunk.flatMap((values) => bind(one, values)),
        call,
      );
    }
    return stored;
  }

  #prepare(columns: readonly ColumnInfo[], rows: number, returning: Returning): Prepared {
    const { table, grammar } = this.source;
    const key = `${rows} ${returning} ${columns.map(({ property }) => property).join("\0")}`;
    let prepared = this.#prepared.get(key);
    if (prepared === undefined) {
      checkStatement({ kind: "insert", table, spec: this.spec }, grammar, this.problems);
      prepared = prepare(renderInsert(table, grammar, columns, rows, returning), grammar);
      this.#prepared.set(key, prepared);
    }
    return prepared;
  }

  /** The values of a record by property, in the order of the columns; what is left out is absent. */
  #valid(record: unknown, index?: number): Values {
    const { table } = this.source;
    const refuse = (code: "MISSING_PARAM" | "EXTRA_PARAM" | "PARAM_TYPE", field: string, message: string) =>
      new ParameterError(code, field, table.name, message, index);
    if (typeof record !== "object" || record === null || Array.isArray(record))
      throw refuse("PARAM_TYPE", "", `a record is an object, not ${describeType(record)}`);
    const columns = this.#insertable();
    for (const key of Object.keys(record))
      if (!columns.some(({ property }) => property === key))
        throw refuse(
          "EXTRA_PARAM",
          key,
          `unknown key ${quoted(key)}; keys: ${listed(columns.map((one) => one.property))}`,
        );
    const result = safeParse(table.insertSchema, record);
    if (!result.success) {
      const [issue] = result.error.issues;
      const field = String(issue?.path[0] ?? "");
      if (!Object.hasOwn(record, field))
        throw refuse("MISSING_PARAM", field, `key ${quoted(field)} is missing`);
      throw refuse(
        "PARAM_TYPE",
        field,
        `key ${quoted(field)}: ${issue?.message ?? "another value is expected"}`,
      );
    }
    const values: Record<string, unknown> = {};
    for (const { property } of columns) {
      const value = result.data[property];
      if (value !== undefined) values[property] = value;
    }
    return values;
  }

  #columnsOf(values: Values): ColumnInfo[] {
    return this.#insertable().filter(({ property }) => Object.hasOwn(values, property));
  }

  #insertable(): ColumnInfo[] {
    return Object.values(this.source.table.columns).filter(({ generated }) => generated !== true);
  }
}
