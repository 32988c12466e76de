/** Changes to rows. */
import { describeType, listed, quoted } from "../../core/errors.js";
import type { ConditionSpec, UpdateSpec } from "../ast/spec.js";
import type { UpdateStatement } from "../ast/statement.js";
import { MultipleRowsError, NoRowsError, ParameterError, type Problem } from "../errors.js";
import type { Row } from "../exec/decode.js";
import { type Call, fetchAffected, fetchRows, type Prepared, prepare } from "../exec/execute.js";
import type { ExecOptions, TransactionHandle } from "../exec/options.js";
import { renderUpdate } from "../render/change.js";
import type { Plan } from "../render/plan.js";
import type { Params } from "./builder.js";
import { type Bound, FilteredBuilder } from "./filtered.js";
import { QueryBuilder } from "./query.js";

export class ModifyBuilder extends FilteredBuilder<UpdateSpec> {
  #counting: Prepared | undefined;

  set(field: string, param: string): this {
    const set = this.spec.set ?? {};
    const twice: readonly Problem[] = Object.hasOwn(set, field)
      ? [{ code: "INVALID_FIELD", message: `field ${quoted(field)} is set twice`, path: `set.${field}` }]
      : [];
    return this.derive({ ...this.spec, set: { ...set, [field]: param } }, [...this.problems, ...twice]);
  }

  async exec(params?: Params, options?: ExecOptions): Promise<Row> {
    const bound = this.bound(params);
    if (this.#matchesOne()) return this.#only(await this.#rows(bound, this.call(options, "UPDATE")));
    return this.atomically(options, "UPDATE", async (call) => this.#only(await this.#rows(bound, call)));
  }

  execTx(tx: TransactionHandle, params?: Params): Promise<Row> {
    return this.exec(params, { tx });
  }

  async execMany(params?: Params, options?: ExecOptions): Promise<Row[]> {
    return this.#rows(this.bound(params), this.call(options, "UPDATE"));
  }

  async execBatch(list: readonly Params[], options?: ExecOptions): Promise<number> {
    const bound = list.map((params) => this.bound(params));
    const [first] = bound;
    if (first === undefined) return 0;
    const counting = this.#givingCount();
    return this.atomically(options, "UPDATE_BATCH", async (call) => {
      let affected = 0;
      for (const { values } of bound) affected += await fetchAffected(counting, values, call);
      return affected;
    });
  }

  async execPatch(
    changes: Readonly<Record<string, unknown>>,
    params?: Params,
    options?: ExecOptions,
  ): Promise<Row> {
    const fields = this.#checkedChanges(changes);
    const where = this.spec.where ?? [];
    if (fields.length === 0) {
      const rows = await new QueryBuilder(this.source, { where, limit: 2 }).exec(params, options);
      return this.#only(rows);
    }
    // The parameters of the changes get names that those of the conditions do not have.
    const taken = new Set(Object.keys(params ?? {}));
    const set: Record<string, string> = { ...this.spec.set };
    const values: Record<string, unknown> = { ...params };
    for (const field of fields) {
      let name = field.replace(/\W/g, "_");
      while (taken.has(name)) name = `${name}_`;
      taken.add(name);
      set[field] = name;
      values[name] = changes[field];
    }
    return this.derive({ where, set }, this.problems).exec(values, options);
  }

  protected derive(spec: UpdateSpec, problems?: readonly Problem[]): this {
    return new ModifyBuilder(this.source, spec, problems) as this;
  }

  protected statement(spec: UpdateSpec): UpdateStatement {
    return { kind: "update", table: this.source.table, spec };
  }

  protected plan(spec: UpdateSpec): Plan {
    return renderUpdate(this.statement(spec), this.source.grammar, "rows");
  }

  // The same statement without RETURNING: its parameters are those of `plan`.
  #givingCount(): Prepared {
    const { grammar } = this.source;
    this.#counting ??= prepare(renderUpdate(this.statement(this.spec), grammar, "nothing"), grammar);
    return this.#counting;
  }

  #rows({ prepared, values }: Bound, call: Call): Promise<Row[]> {
    return fetchRows(prepared, values, call);
  }

  #only(rows: readonly Row[]): Row {
    const [row, ...more] = rows;
    if (row === undefined) throw new NoRowsError(this.source.table.name);
    if (more.length > 0) throw new MultipleRowsError(this.source.table.name);
    return row;
  }

  // Conditions that fix a declared key by `=` match one row at most, so one statement is enough.
  #matchesOne(): boolean {
    const fixed = new Set(this.spec.where?.flatMap(fixedField));
    return this.source.table.keys.some((key) => key.every((property) => fixed.has(property)));
  }

  #checkedChanges(changes: Readonly<Record<string, unknown>>): string[] {
    const { table } = this.source;
    if (typeof changes !== "object" || changes === null || Array.isArray(changes))
      throw new ParameterError(
        "PARAM_TYPE",
        "",
        table.name,
        `changes are an object, not ${describeType(changes)}`,
      );
    const settable = Object.values(table.columns).flatMap((one) =>
      one.generated === true ? [] : [one.property],
    );
    for (const key of Object.keys(changes))
      if (!settable.includes(key))
        throw new ParameterError(
          "EXTRA_PARAM",
          key,
          table.name,
          `unknown field ${quoted(key)}; fields: ${listed(settable)}`,
        );
    return settable.filter((field) => Object.hasOwn(changes, field) && changes[field] !== undefined);
  }
}

function fixedField(condition: ConditionSpec): readonly string[] {
  return "param" in condition && condition.operator === "=" && condition.optional !== true
    ? [condition.field]
    : [];
}
