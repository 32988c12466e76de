/** Drafts of inserts: one text for each set of given columns, and one for the last batch. */
import { ConflictConditions } from "../../ast/builder-parts.js";
import type { InsertStatement, QueryStatement } from "../../ast/statement.js";
import { type CallParams, checkNames, isGiven } from "../../exec/params.js";
import { type PlanRequest, PreparedPlan, paramsOf } from "../../exec/prepared.js";
import { type RecordValues, storable } from "../../exec/record.js";
import { type Batch, renderBatch, renderInsert } from "../../render/change.js";
import { renderFoundKeys } from "../../render/upsert.js";
import { conflictParams } from "../../resolve/change/conflict.js";
import { returnedParams } from "../../resolve/rows/returning.js";
import { layoutOf } from "../../resolve/scope/layout.js";
import type { Field } from "../../resolve/scope/resolved.js";
import type { ResolvedInsert } from "../../resolve/scope/resolved-change.js";
import { type Gives, resolveInsert } from "../../resolve/statement.js";
import { type Check, checksOf } from "./checks.js";
import { Draft } from "./draft.js";
import { ReadingDraft } from "./statement-draft.js";
import { Texts } from "./texts.js";

/** A prepared record. Its values are those of the record, followed by those of a conflict; so are its parameters. */
export interface InsertRequest extends PlanRequest {
  readonly record: RecordValues;
  /** Its position in the batch of the call. */
  readonly index?: number | undefined;
}

/** The text of a batch: the statement that is sent, and the parameters that are bound after the values of its rows. */
interface PreparedBatch {
  readonly batch: Batch;
  readonly tail: PreparedPlan;
  /** The fields that identify the record of a returned row. */
  readonly telling: readonly string[];
  /** The identifying fields that are returned for this purpose only. */
  readonly hidden: readonly string[];
}

/** Selects the existing keys of a batch: from the transaction's view, and from the current rows with a lock. */
export interface KeyLookup {
  /** The fields of the key. */
  readonly fields: readonly string[];
  readonly seen: PreparedPlan;
  readonly now: PreparedPlan;
}

/** A query of existing rows, and its parameters. */
interface Existing {
  readonly prepared: PreparedPlan;
  readonly params: RecordValues;
}

/** A draft of an insert. */
export class InsertDraft extends Draft<InsertStatement> {
  #resolved: ResolvedInsert | undefined;
  readonly #texts = new Texts();
  // The parameters of a conflict, and of the returned expressions.
  #names: ReadonlySet<string> | undefined;
  // Most records have the same keys as the previous one.
  #last: { readonly properties: readonly string[]; readonly prepared: PreparedPlan } | undefined;
  // The next batch often has the same length.
  #batch: (PreparedBatch & { readonly key: string }) | undefined;
  #lookup: KeyLookup | undefined;
  readonly #existing = new Map<string, PreparedPlan>();
  #checks: readonly Check[] | undefined;

  get resolved(): ResolvedInsert {
    this.#resolved ??= resolveInsert(this.statement, this.source.grammar, this.problems);
    return this.#resolved;
  }

  // Its texts are made for the fields of a record, each with its own constants.
  protected override get hasHoles(): boolean {
    return false;
  }

  // The conditions are those of the update of an existing row.
  override filtered(condition: object): this {
    const before = this.spec.conflict_where?.list ?? [];
    return this.with({ conflict_where: new ConflictConditions([...before, condition]) });
  }

  /** The text of a record that gives every column a value. */
  get prepared(): PreparedPlan {
    const prepared = this.#preparedFor(storable(this.source.table));
    // A problem of a nested insert is a problem of this one.
    for (const draft of this.inside) void draft?.prepared;
    return prepared;
  }

  /** The drafts of the inserts inside it; undefined for one of a whole table. */
  get inside(): readonly (InsertDraft | undefined)[] {
    return (this.spec.with?.list ?? []).map(({ insert }) =>
      insert?.draft instanceof InsertDraft ? insert.draft : undefined,
    );
  }

  /** The names that `set` uses and that are not fields, and those of the returned expressions. */
  get names(): ReadonlySet<string> {
    if (this.#names === undefined) {
      // The spec is resolved before any parameter is refused.
      void this.prepared;
      const { conflict, returned } = this.resolved;
      const parameters = conflict === undefined ? [] : conflictParams(conflict);
      this.#names = new Set([...parameters, ...returnedParams(returned)].map(({ name }) => name));
    }
    return this.#names;
  }

  /** The parameters of a call, checked. @throws {ParameterError} */
  given(params: CallParams): RecordValues {
    const given = checkNames(params, [...this.names], this.names, this.source.table);
    this.#checks ??= this.#unbound();
    for (const { name, check } of this.#checks) check(given[name]);
    return given;
  }

  // The text of the insert alone may have none of them: steps send them, and only on a conflict. An insert that returns
  // nothing has none either.
  #unbound(): readonly Check[] {
    const { conflict, returned } = this.resolved;
    const inSteps = conflict?.readsRow === true && this.source.grammar.onConflict?.namesKey !== true;
    return checksOf([...(inSteps ? conflictParams(conflict) : []), ...returnedParams(returned)]);
  }

  /** The insert of a valid record. */
  request(record: RecordValues, params: RecordValues, index?: number): InsertRequest {
    const prepared = this.#preparedFor(Object.keys(record));
    // The names of these parameters are not fields, so the two do not collide.
    const all = this.names.size === 0 ? record : { ...record, ...params };
    const values = prepared.bind(all);
    return { record, prepared, params: paramsOf(prepared.plan, all), values, index };
  }

  /** The same insert with other values of some of its fields. @throws {ParameterError} */
  filled(request: InsertRequest, fields: RecordValues): InsertRequest {
    const { prepared } = request;
    const record = { ...request.record, ...fields };
    const values = [...request.values];
    const properties = Object.keys(record);
    for (const [field, value] of Object.entries(fields)) {
      const place = properties.indexOf(field);
      values[place] = prepared.bindAt(place, value);
    }
    return { ...request, record, values, params: { ...request.params, ...fields } };
  }

  /** The insert of several rows with the same columns. */
  batchOf(properties: readonly string[], rows: number, gives: Gives): PreparedBatch {
    const key = `${gives} ${rows} ${properties.join("\0")}`;
    if (this.#batch?.key === key) return this.#batch;
    const insert = this.findsFirst ? { ...this.resolved, conflict: undefined } : this.resolved;
    const telling = gives === "rows" ? this.#tellingOf(properties) : [];
    const { returned } = this.resolved;
    const hidden =
      returned === undefined
        ? []
        : telling.filter((one) => returned.every(({ output }) => output.name !== one));
    const fields = this.#fieldsOf(properties);
    const batch = renderBatch(insert, this.source.grammar, fields, rows, gives, this.#fieldsOf(hidden));
    this.#batch = { key, batch, tail: new PreparedPlan(batch.tail), telling, hidden };
    return this.#batch;
  }

  // Rows that may conflict are identified by their key, unless the update sets it.
  #tellingOf(properties: readonly string[]): readonly string[] {
    const { conflict_set: set = {} } = this.spec;
    const key = this.findsFirst ? undefined : this.key;
    if (key !== undefined)
      return key.every((field) => properties.includes(field) && !Object.hasOwn(set, field)) ? key : [];
    if (this.resolved.returned === undefined) return properties;
    // Fewer returned fields are better.
    const { keys, columns } = this.source.table;
    const isTelling = (field: string) => properties.includes(field) && columns[field]?.nullable === false;
    return keys.find((one) => one.every(isTelling)) ?? properties;
  }

  /** Whether the existing keys are selected first, because the dialect has no clause that keeps existing rows. */
  get findsFirst(): boolean {
    const { severalRows, onConflict } = this.source.grammar;
    const keeps = this.spec.conflict_action === "nothing" && this.key !== undefined;
    return keeps && severalRows && onConflict?.nothing === undefined;
  }

  /** The key whose conflicts are handled; undefined if there is none, or if it is any key. */
  get key(): readonly string[] | undefined {
    const key = this.spec.on_conflict;
    return key?.length === 0 ? undefined : key;
  }

  /** Whether a record may have no row, because an existing row is kept unchanged. */
  get mayMiss(): boolean {
    return this.spec.conflict_action === "nothing" || this.spec.conflict_where !== undefined;
  }

  /** Whether the existing row of a conflict may be one that a rule of the table hides. */
  get mayHide(): boolean {
    return this.spec.conflict_action !== undefined && (this.source.table.rules?.filters.size ?? 0) > 0;
  }

  /** The query of the rows that are there for everyone and have a key of a record; undefined if it has no whole key. */
  existing(record: RecordValues): Existing | undefined {
    const all = this.key === undefined ? this.source.table.keys : [this.key];
    const keys = all.filter((key) => key.every((field) => isGiven(record, field) && record[field] !== null));
    const fields = [...new Set(keys.flat())];
    const [first] = fields;
    if (first === undefined) return undefined;
    const param = (field: string) => `key${fields.indexOf(field)}`;
    const params = Object.fromEntries(fields.map((field) => [param(field), record[field]]));
    const id = JSON.stringify(keys);
    let prepared = this.#existing.get(id);
    if (prepared === undefined) {
      const isOf = (field: string) => ({ field, operator: "=" as const, param: param(field) });
      const group = keys.map((key) => ({ logic: "AND" as const, group: key.map(isOf) }));
      const spec = { where: [{ logic: "OR" as const, group }], fields: [first], limit: 1 };
      prepared = new ReadingDraft<QueryStatement>(this.source, "query", spec).prepared;
      this.#existing.set(id, prepared);
    }
    return { prepared, params };
  }

  /** The statements that select the existing keys of a batch. */
  get lookup(): KeyLookup {
    if (this.#lookup === undefined) {
      const { table, grammar } = this.source;
      const key = this.#fieldsOf(this.spec.on_conflict ?? []);
      const { seen, now } = renderFoundKeys(layoutOf(table, grammar), key, grammar);
      const fields = key.map(({ column }) => column.property);
      this.#lookup = { fields, seen: new PreparedPlan(seen), now: new PreparedPlan(now) };
    }
    return this.#lookup;
  }

  #preparedFor(properties: readonly string[]): PreparedPlan {
    if (this.#last !== undefined && areSame(this.#last.properties, properties)) return this.#last.prepared;
    const key = properties.join("\0");
    const prepared = this.#texts.get(key) ?? this.#prepare(key, properties);
    this.#last = { properties, prepared };
    return prepared;
  }

  #prepare(key: string, properties: readonly string[]): PreparedPlan {
    const plan = renderInsert(this.resolved, this.source.grammar, this.#fieldsOf(properties));
    const prepared = new PreparedPlan(plan);
    this.#texts.set(key, prepared);
    this.accepted(this.#texts.weight);
    return prepared;
  }

  #fieldsOf(properties: readonly string[]): Field[] {
    const { fields } = layoutOf(this.source.table, this.source.grammar);
    return properties.flatMap((property) => fields.get(property) ?? []);
  }
}

function areSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((one, i) => one === b[i]);
}
