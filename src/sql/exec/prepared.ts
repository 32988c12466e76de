/**
 * Prepared: a text that is sent repeatedly, with the functions that bind the values of a call and decode its rows.
 * Request: a prepared text with the values of one call.
 */

import { isObject } from "../../core/values.js";
import type { DriverPrepared, DriverResult } from "../contract/driver.js";
import type { AnyTable } from "../declare/declaration.js";
import type { Constrained } from "../dialect/grammar/constraints.js";
import type { InUtc, OutVariable } from "../dialect/grammar/grammar.js";
import type { Piece, Plan, RenderedText, Slot, Unwritten } from "../render/plan.js";
import type { Binder } from "../value/binder.js";
import { type BindAll, type BoundPlace, generatedBind, MANY_CALLS } from "../value/generated-bind.js";
import type { Output } from "../value/output.js";
import { copiesOf } from "../words/copies.js";
import type { GivenConstant } from "../words/rendered.js";
import { type DecodedRow, type RowDecoder, rowDecoder } from "./decode.js";
import { checkNames, constantsOf, isGiven } from "./params.js";
import type { Facts } from "./watch.js";

/** The subject of a text, for errors and events. */
export type About = Constrained;

/** The caller's value for a placeholder. */
export interface Given {
  /** The parameter, or the key of a record. */
  readonly name: string;
  /** The field that gets the value unchanged. */
  readonly sets?: string | undefined;
  /** Whether it is a pattern, or a plain text that is searched for; absent for any other value. */
  readonly sought?: "pattern" | "text" | undefined;
  /** The row of the statement, if it stores several. */
  readonly row?: number | undefined;
  /** The position of the record in the batch of the call. */
  readonly index?: number | undefined;
}

/** A text that is ready to be sent. */
export interface Prepared extends DriverPrepared {
  readonly table: About;
  /** The native text. */
  readonly sql: string;
  /** The text in pieces, if lists are written in each call. */
  readonly pieces?: readonly Piece[] | undefined;
  /** Whether a table other than `table` has dates that the server would use in the session's time zone. */
  readonly inUtc?: InUtc | undefined;
  /** Whether it gathers all values of a group in one value, which may be long. */
  readonly needsLongText?: boolean | undefined;
  /** The maximum depth of a recursion in it. */
  readonly levels?: number | undefined;
  /** The fields with calculated values, if there are any. */
  readonly calculated?: readonly string[] | undefined;
  /** The caller's value for a placeholder, counted from 0; undefined for a constant of the statement. */
  givenAt?(place: number): Given | undefined;
}

/** A prepared text with the values of one call. */
export interface Request<P extends Prepared = Prepared> {
  readonly prepared: P;
  /** The values of the placeholders. */
  readonly values: readonly unknown[];
  /** The values of each execution, if there are several. */
  readonly batch?: readonly (readonly unknown[])[] | undefined;
}

/** A call of a plan. */
export interface PlanRequest extends Request<PreparedPlan> {
  /** The checked parameters by name; the steps of the plan bind them. */
  readonly params: Readonly<Record<string, unknown>>;
}

/** How a result is converted for the caller, and what the event of its end reports. */
export interface ResultReader<T> {
  /** Whether the result may differ from the declaration. It is then read while the statement can still be undone. */
  readonly isDoubted?: boolean;
  readonly read: (result: DriverResult) => T;
  readonly facts: (value: T) => Facts;
}

/** A text of this package that has no parameters and is not rendered. */
export function plainText(table: About, sql: string, givesRows: boolean): Request {
  return { prepared: { table, sql, givesRows, bigints: false }, values: [] };
}

function soughtOf({ form }: Slot): "pattern" | "text" | undefined {
  if (form?.operand === "pattern") return "pattern";
  return form !== undefined && TEXT_PLACES.has(form.operand) ? "text" : undefined;
}

const TEXT_PLACES: ReadonlySet<string> = new Set(["inside", "start", "end"]);

/** A rendered text; its binders and its decoder are made at the first call. */
export class PreparedText<S extends RenderedText = RenderedText> implements Prepared {
  readonly plan: S;
  readonly table: AnyTable;
  readonly sql: string;
  readonly givesRows: boolean;
  readonly bigints: boolean;
  readonly pieces: readonly Piece[] | undefined;
  readonly into: readonly OutVariable[] | undefined;
  readonly output: readonly Output[];
  readonly inUtc: InUtc | undefined;
  readonly zoned: boolean | undefined;
  readonly needsLongText: boolean | undefined;
  readonly levels: number | undefined;
  #places: readonly BoundPlace[] | undefined;
  #names: ReadonlySet<string> | undefined;
  #calls = 0;
  #bindAll: BindAll | undefined;
  #decodeRow: RowDecoder | undefined;
  #hasRead = false;
  // Null if there is none. Made at the first execution.
  #guard: string | null | undefined;

  constructor(plan: S) {
    this.plan = plan;
    this.table = plan.table;
    this.sql = plan.rendered.native.sql;
    this.pieces = plan.pieces;
    this.into = plan.into;
    this.output = plan.output;
    this.inUtc = plan.inUtc;
    this.zoned = plan.zoned;
    this.needsLongText = plan.needsLongText;
    this.levels = plan.levels;
    this.givesRows = plan.givesRows;
    this.bigints = plan.output.some(({ exact }) => exact === true);
  }

  /** The names of its parameters. */
  get names(): ReadonlySet<string> {
    this.#names ??= new Set(this.plan.rendered.params);
    return this.#names;
  }

  /** Whether decoding a row may fail, so that a change must be rolled back. */
  get isDoubted(): boolean {
    const { doubt } = this.plan;
    return doubt === "always" || (doubt === "first" && (!this.#hasRead || suspects.has(this.table)));
  }

  get guard(): string | undefined {
    if (this.#guard === undefined) this.#guard = this.plan.guard?.() ?? null;
    return this.#guard ?? undefined;
  }

  get calculated(): readonly string[] | undefined {
    return this.plan.calculated;
  }

  givenAt(place: number): Given | undefined {
    const { slots, rendered } = this.plan;
    const slot = slots[place];
    if (slot === undefined || !rendered.params.includes(slot.name)) return undefined;
    // The values of a cursor, `after.0` and so on, belong to one parameter.
    const [name = ""] = slot.name.split(".");
    return name === "" ? undefined : { name, sets: slot.sets, sought: soughtOf(slot) };
  }

  /** The places of the placeholders, in order. */
  protected get places(): readonly BoundPlace[] {
    this.#places ??= this.plan.slots.map(placeOf);
    return this.#places;
  }

  /** The values of the placeholders, in order. */
  bind(params: Readonly<Record<string, unknown>>): unknown[] {
    return this.boundAtOnce(params) ?? this.boundOneByOne(params);
  }

  /** The value of one placeholder, counted from 0. */
  bindAt(place: number, value: unknown): unknown {
    const { bind, checks = [] } = this.places[place] ?? { bind: unbound };
    for (const check of checks) check(value);
    return bind(value);
  }

  /** The values, if the parameters are exactly those of the placeholders; undefined if this is not known at once. */
  protected boundAtOnce(params: Readonly<Record<string, unknown>>): unknown[] | undefined {
    if (this.#calls < MANY_CALLS && ++this.#calls === MANY_CALLS) this.#bindAll = generatedBind(this.places);
    return this.#bindAll?.(params, constantsOf(params));
  }

  /** The values, if the parameters may include others. */
  protected boundOneByOne(params: Readonly<Record<string, unknown>>): unknown[] {
    const values: unknown[] = [];
    const constants = constantsOf(params);
    for (const { name, hole, bind, checks } of this.places) {
      const given = hole === undefined ? params[name] : constants[hole]?.value;
      values.push(bind(given));
      // The other uses encode the same value: only their checks are needed.
      if (checks !== undefined) for (const check of checks) check(given);
    }
    return values;
  }

  /**
   * Checks the constants of a chain.
   * @throws {ParameterError} with the field of the constant.
   */
  check(constants: readonly GivenConstant[]): void {
    for (const { hole, bind, checks = [] } of this.places)
      if (hole !== undefined) for (const check of [bind, ...checks]) check(constants[hole]?.value);
  }

  /** Reads all rows of a result. */
  read({ rows }: Pick<DriverResult, "rows">): DecodedRow[] {
    const decode = this.#decoder();
    try {
      const read = rows.map((values) => decode(values));
      if (read.length > 0) this.#hasRead = true;
      return read;
    } catch (error) {
      suspects.add(this.table);
      throw error;
    }
  }

  /** The facts that the event of a result with these rows reports. */
  facts({ length }: readonly DecodedRow[]): Facts {
    return { rowsReturned: length };
  }

  /** Decodes a row. */
  decodeRow(values: readonly unknown[]): DecodedRow {
    return this.#decoder()(values);
  }

  #decoder(): RowDecoder {
    this.#decodeRow ??= rowDecoder(this.table, this.output);
    return this.#decodeRow;
  }
}

// Tables that returned a row which cannot be decoded: a trigger may write more of them.
const suspects = new WeakSet<AnyTable>();

/** A plan that is ready to be carried out: its own text and its steps. */
export class PreparedPlan extends PreparedText<Plan> {
  #all: ReadonlySet<string> | undefined;
  #bound: boolean | undefined;
  #unwritten: readonly { readonly name: string; readonly check: Binder }[] | undefined;

  /** The names of all parameters of a call, including those that are in no text. */
  override get names(): ReadonlySet<string> {
    const { unwritten } = this.plan;
    if (unwritten === undefined) return super.names;
    this.#all ??= new Set([...super.names, ...unwritten.map(({ name }) => name)]);
    return this.#all;
  }

  /**
   * A call with these parameters.
   * @param known all names that may be given.
   * @param required the names that must be given.
   * @throws {ParameterError}
   */
  request(
    params: unknown,
    known: ReadonlySet<string> = this.names,
    required: readonly string[] = this.plan.rendered.params,
  ): PlanRequest {
    // A call that gives exactly the parameters of the placeholders needs no other check of its names.
    if (this.#bindsAll && required === this.plan.rendered.params && isObject(params)) {
      const values = this.boundAtOnce(params);
      if (values !== undefined) return { prepared: this, values, params: paramsOf(this.plan, params) };
    }
    const given = checkNames(params, required, known, this.table);
    if (this.plan.unwritten !== undefined) this.#checkUnwritten(this.plan.unwritten, given);
    return { prepared: this, values: this.boundOneByOne(given), params: paramsOf(this.plan, given) };
  }

  /** Whether the parameters are the placeholders, and nothing else. */
  get #bindsAll(): boolean {
    if (this.#bound === undefined) {
      const { unwritten, rendered } = this.plan;
      const bound = new Set(this.places.flatMap(({ name, isConstant }) => (isConstant ? [] : [name])));
      const areSame =
        bound.size === rendered.params.length && rendered.params.every((name) => bound.has(name));
      this.#bound = unwritten === undefined && areSame;
    }
    return this.#bound;
  }

  #checkUnwritten(unwritten: readonly Unwritten[], given: Readonly<Record<string, unknown>>): void {
    this.#unwritten ??= unwritten.map(({ name, binder }) => ({ name, check: binder() }));
    for (const { name, check } of this.#unwritten) if (isGiven(given, name)) check(given[name]);
  }
}

/** The parameters of a call as its steps bind them later: what the caller changes until then has no effect. */
export function paramsOf(
  { steps }: Plan,
  params: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return steps === undefined ? params : copiesOf(params);
}

function placeOf({ name, constant, binders }: Slot): BoundPlace {
  const [bind = unbound, ...checks] = binders.map((make) => make());
  const hole = constant !== undefined && "hole" in constant ? constant.hole : undefined;
  const isConstant = constant !== undefined;
  return { name, hole, isConstant, bind, checks: checks.length === 0 ? undefined : checks };
}

function unbound(): never {
  throw new TypeError("a placeholder has no binder");
}
