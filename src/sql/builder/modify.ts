/** Updates rows. */

import { describeType, listed, quoted } from "../../core/errors.js";
import { RelatedValue } from "../ast/builder-parts.js";
import { type ExpressionOperand, paramPart } from "../ast/expression.js";
import { keyOf, listKey, textKey } from "../ast/key.js";
import type { ArithmeticSpec } from "../ast/spec.js";
import type { Assigned, ModifyStatement, QueryStatement } from "../ast/statement.js";
import type { RequestCall } from "../exec/call.js";
import type { DecodedRow } from "../exec/decode.js";
import { requireInteractive } from "../exec/gathered.js";
import { areOptions, type CallParams, checkNames, isGiven, reading } from "../exec/params.js";
import { carryOut } from "../exec/steps.js";
import { BuildError, MultipleRowsError, NoRowsError, ParameterError } from "../words/errors.js";
import type { ExecOptions } from "../words/options.js";
import { isReadOnly } from "../words/rules.js";
import { faultOfSet, withPath } from "./assign.js";
import { ChangingBuilder } from "./changing.js";
import type { ChangeDraft } from "./draft/change-draft.js";
import type { ChainStep, Placing } from "./draft/draft.js";
import { ReadingDraft } from "./draft/statement-draft.js";
import { QueryBuilder } from "./query.js";
import { requireCurrent } from "./versions.js";

type ModifyDraft = ChangeDraft<ModifyStatement>;

export class ModifyBuilder extends ChangingBuilder<ModifyStatement> {
  set(field: string, value: Assigned): this {
    return this.taking(assigning, field, value, undefined);
  }

  setPath(field: string, keys: unknown, param: unknown): this {
    const on = (draft: ModifyDraft) => {
      const { set, set_expr } = draft.spec;
      const made = withPath(field, keys, param, { ...set_expr, ...set }, "set");
      if ("fault" in made) return draft.failing(made.fault);
      return draft.with({ set: { ...set, ...made.set } });
    };
    return this.take({ key: undefined, on });
  }

  setFrom(field: string, relation: unknown, theirs: unknown): this {
    const key = keyOf("setFrom", field, relation, theirs);
    return this.take({ key, on: (draft) => assigned(draft, field, new RelatedValue(relation, theirs)) });
  }

  setExpr(field: string, operator: ArithmeticSpec["operator"], param: string | ExpressionOperand): this {
    const on = (draft: ModifyDraft, placed: Placing) => {
      const { set, set_expr } = draft.spec;
      const fault = faultOfSet(field, { ...set, ...set_expr }, "set_expr");
      if (fault !== undefined) return draft.failing(fault);
      return draft.with({ set_expr: { ...set_expr, [field]: { operator, param: placed(param) } } });
    };
    return this.take({ key: keyOf("setExpr", field, operator, paramPart(param)), parts: [param], on });
  }

  async exec(params?: CallParams, options?: ExecOptions): Promise<DecodedRow> {
    if (this.isLast(params, options)) return this.exec(undefined, params);
    const request = this.draft.requestFor("rows", this.given(params));
    const update = async (call: RequestCall) => {
      const carried = carryOut(request, call);
      const rows = carried instanceof Promise ? await carried : carried;
      if (rows.length === 0) await requireCurrent(this.draft, request.params, call);
      const row = this.#only(rows);
      const scanned = this.scanned([row], call);
      if (scanned !== undefined) await scanned;
      return row;
    };
    // For at most one row the statement alone is enough; a change of several rows must be undone.
    const changed = this.call(options, "UPDATE");
    if (this.draft.fixesKey) return this.undoable(changed, update);
    return this.atomically(changed, async (call) => {
      requireInteractive(call.session);
      return update(call);
    });
  }

  override async execMany(params?: CallParams, options?: ExecOptions): Promise<DecodedRow[]> {
    if (this.isLast(params, options)) return this.execMany(undefined, params);
    const request = this.draft.requestFor("rows", this.given(params));
    return this.undoable(this.call(options, "UPDATE"), async (call) => {
      const rows = await carryOut(request, call);
      if (rows.length === 0) await requireCurrent(this.draft, request.params, call);
      await this.scanned(rows, call);
      return rows;
    });
  }

  protected override get takesAnyRows(): boolean {
    return false;
  }

  protected override get batchOperation(): "UPDATE_BATCH" {
    return "UPDATE_BATCH";
  }

  async execPatch(
    changes: Readonly<Record<string, unknown>>,
    params?: CallParams,
    options?: ExecOptions,
  ): Promise<DecodedRow> {
    if (this.spec.set !== undefined || this.spec.set_expr !== undefined) {
      const message = "execPatch sets the keys of its first argument: leave out set(…) and setExpr(…)";
      throw new BuildError([{ code: "INVALID_SPEC", message, path: "set" }]);
    }
    this.#requireCondition();
    const { source, problems } = this.draft;
    const { table } = source;
    const { returning } = this.spec;
    const { version, demandsVersion } = table.rules ?? {};
    const ofVersion = { field: version, operator: "=", param: version };
    const where = [
      ...(this.spec.where ?? []),
      ...(demandsVersion === true ? [ofVersion] : []),
    ] as NonNullable<typeof this.spec.where>;
    const fields = this.#changed(changes);
    // The unchanged row is the result of a patch without keys. The names are those of the conditions' parameters.
    const rows = new ReadingDraft<QueryStatement>(source, "query", { where, limit: 2, returning }, problems);
    const unchanged = new QueryBuilder(rows, this.place, this.constants);
    const named = new Set(unchanged.render().params);
    if (options === undefined && named.size === 0 && areOptions(params))
      return this.execPatch(changes, undefined, params);
    const given = checkNames(params, [...named], named, table);
    if (fields.length === 0) {
      const found = await unchanged.exec(params, options);
      if (found.length === 0) await requireCurrent(this.draft, given, this.call(options, "QUERY"));
      return this.#only(found);
    }
    const set: Record<string, string> = {};
    const values: Record<string, unknown> = { ...given };
    for (const field of fields) {
      const name = nameBeside(named, field);
      named.add(name);
      set[field] = name;
      values[name] = changes[field];
    }
    const patch = this.take({ key: listKey("patch", fields, textKey), on: (draft) => draft.with({ set }) });
    return patch.exec(values, options);
  }

  #only(rows: readonly DecodedRow[]): DecodedRow {
    const [row, ...more] = rows;
    if (row === undefined) throw new NoRowsError(this.draft.source.table.name);
    if (more.length > 0) throw new MultipleRowsError(this.draft.source.table.name);
    return row;
  }

  #requireCondition(): void {
    if (this.spec.where !== undefined && this.spec.where.length > 0) return;
    const message = "UPDATE needs a condition: select the rows with where(…)";
    throw new BuildError([{ code: "UNSAFE_UPDATE", message, path: "where" }]);
  }

  /** The fields that a patch names, in the order of the columns. */
  #changed(changes: unknown): string[] {
    const { table } = this.draft.source;
    if (typeof changes !== "object" || changes === null || Array.isArray(changes))
      throw new ParameterError(
        "PARAM_TYPE",
        "",
        table.name,
        `changes must be an object, not ${describeType(changes)}`,
      );
    const settable = Object.values(table.columns).flatMap((one) =>
      isReadOnly(one, table) ? [] : [one.property],
    );
    for (const key of reading("changes", table, () => Object.keys(changes)))
      if (!settable.includes(key)) {
        const message = `unknown field ${quoted(key)}; fields: ${listed(settable)}`;
        throw new ParameterError("EXTRA_PARAM", key, table.name, message);
      }
    const record = changes as Readonly<Record<string, unknown>>;
    return settable.filter((field) => isGiven(record, field));
  }
}

function assigning(field: string, value: Assigned): ChainStep<ModifyDraft> {
  const key = keyOf("set", field, paramPart(value));
  return { key, parts: [value], on: (draft, placed) => assigned(draft, field, placed(value)) };
}

function assigned(draft: ModifyDraft, field: string, value: Assigned): ModifyDraft {
  const { set, set_expr } = draft.spec;
  const fault = faultOfSet(field, { ...set, ...set_expr }, "set");
  return fault === undefined ? draft.with({ set: { ...set, [field]: value } }) : draft.failing(fault);
}

/** A name for the parameter of a changed field: its own, unless the conditions use it. */
function nameBeside(taken: ReadonlySet<string>, field: string): string {
  let name = field
    .replace(/\W/g, "_")
    .replace(/^(?=\d)/, "_")
    .slice(0, 50);
  while (taken.has(name)) name = `${name}_`;
  return name;
}
