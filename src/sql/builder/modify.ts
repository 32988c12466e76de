/** Changes to rows. */

import { describeType, listed, quoted } from "../../core/errors.js";
import { keyOf, listKey, textKey } from "../ast/key.js";
import type { ArithmeticSpec } from "../ast/spec.js";
import type { UpdateParts, UpdateStatement } from "../ast/statement.js";
import type { Row } from "../exec/decode.js";
import type { Call } from "../exec/execute.js";
import { areOptions, checkNames, isGiven, type Params } from "../exec/params.js";
import { carryOut } from "../exec/steps.js";
import { fixesKey } from "../resolve/keys.js";
import { BuildError, MultipleRowsError, NoRowsError, ParameterError, type Problem } from "../words/errors.js";
import type { ExecOptions } from "../words/options.js";
import { faultOfSet } from "./assign.js";
import { ChangingBuilder } from "./changing.js";
import { QueryBuilder } from "./query.js";

export class ModifyBuilder extends ChangingBuilder<UpdateParts> {
  protected readonly gives = "rows";
  #fixesKey: boolean | undefined;

  set(field: string, param: string): this {
    return this.step(keyOf("set", field, param), () => {
      const fault = this.#faultOf(field, "set");
      if (fault !== undefined) return this.failing(fault);
      return this.with({ set: { ...this.spec.set, [field]: param } });
    });
  }

  setExpr(field: string, operator: ArithmeticSpec["operator"], param: string): this {
    return this.step(keyOf("setExpr", field, operator, param), () => {
      const fault = this.#faultOf(field, "set_expr");
      if (fault !== undefined) return this.failing(fault);
      return this.with({ set_expr: { ...this.spec.set_expr, [field]: { operator, param } } });
    });
  }

  async exec(params?: Params, options?: ExecOptions): Promise<Row> {
    if (this.isLast(params, options)) return this.exec(undefined, params);
    const ready = this.boundFor("rows", params);
    const update = async (call: Call) => {
      const row = this.#only(await carryOut(ready, call));
      await this.scanned([row], call);
      return row;
    };
    return this.#matchesOne
      ? this.undoable(options, "UPDATE", update)
      : this.atomically(options, "UPDATE", update);
  }

  async execMany(params?: Params, options?: ExecOptions): Promise<Row[]> {
    if (this.isLast(params, options)) return this.execMany(undefined, params);
    const ready = this.boundFor("rows", params);
    return this.undoable(options, "UPDATE", async (call) => {
      const rows = await carryOut(ready, call);
      await this.scanned(rows, call);
      return rows;
    });
  }

  async execBatch(list: readonly Params[], options?: ExecOptions): Promise<number> {
    const batch = this.boundBatch(list);
    if (batch.length === 0) return 0;
    return this.atomically(options, "UPDATE_BATCH", (call) => this.affectedBy(batch, call));
  }

  async execPatch(
    changes: Readonly<Record<string, unknown>>,
    params?: Params,
    options?: ExecOptions,
  ): Promise<Row> {
    if (this.spec.set !== undefined || this.spec.set_expr !== undefined) {
      const message = "execPatch sets the keys that it is given: leave out set(…) and setExpr(…)";
      throw new BuildError([{ code: "INVALID_SPEC", message, path: "set" }]);
    }
    this.#requireCondition();
    const { table } = this.context;
    const where = this.spec.where ?? [];
    const fields = this.#changed(changes);
    // The row as it is: what a patch without keys gives, and the names of the parameters of the conditions.
    const unchanged = new QueryBuilder(this.context, { where, limit: 2 }, this.problems);
    const named = new Set(unchanged.render().params);
    if (options === undefined && named.size === 0 && areOptions(params))
      return this.execPatch(changes, undefined, params);
    const given = checkNames(params, [...named], named, table);
    if (fields.length === 0) return this.#only(await unchanged.exec(params, options));
    const set: Record<string, string> = {};
    const values: Record<string, unknown> = { ...given };
    for (const field of fields) {
      const name = nameBeside(named, field);
      named.add(name);
      set[field] = name;
      values[name] = changes[field];
    }
    const patch = this.step(listKey("patch", fields, textKey), () => this.with({ set }));
    return patch.exec(values, options);
  }

  statement(): UpdateStatement {
    return { kind: "update", table: this.context.table, spec: this.spec };
  }

  #faultOf(field: unknown, path: "set" | "set_expr"): Problem | undefined {
    return faultOfSet(field, { ...this.spec.set, ...this.spec.set_expr }, path);
  }

  #only(rows: readonly Row[]): Row {
    const [row, ...more] = rows;
    if (row === undefined) throw new NoRowsError(this.context.table.name);
    if (more.length > 0) throw new MultipleRowsError(this.context.table.name);
    return row;
  }

  // Conditions that fix a declared key by `=` match one row at most, so one statement is enough.
  get #matchesOne(): boolean {
    if (this.home !== this) return this.home.#matchesOne;
    this.#fixesKey ??= fixesKey(this.resolved().where, this.context.table);
    return this.#fixesKey;
  }

  #requireCondition(): void {
    if (this.spec.where !== undefined && this.spec.where.length > 0) return;
    const message = "UPDATE needs a condition: where says which rows";
    throw new BuildError([{ code: "UNSAFE_UPDATE", message, path: "where" }]);
  }

  /** The fields that a patch names, in the order of the columns. */
  #changed(changes: unknown): string[] {
    const { table } = this.context;
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
      if (!settable.includes(key)) {
        const message = `unknown field ${quoted(key)}; fields: ${listed(settable)}`;
        throw new ParameterError("EXTRA_PARAM", key, table.name, message);
      }
    const record = changes as Readonly<Record<string, unknown>>;
    return settable.filter((field) => isGiven(record, field));
  }
}

/** A name for the parameter of a changed field: its own, unless the conditions have one of that name. */
function nameBeside(taken: ReadonlySet<string>, field: string): string {
  let name = field
    .replace(/\W/g, "_")
    .replace(/^(?=\d)/, "_")
    .slice(0, 50);
  while (taken.has(name)) name = `${name}_`;
  return name;
}
