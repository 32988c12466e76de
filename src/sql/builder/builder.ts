/**
 * The run-time side of every builder: a draft of a statement, and the place where it runs. A method returns a builder
 * with a longer draft. The code here is untyped: `types/` has the types, `door/repository.ts` joins the two.
 */

import { frozenCopy } from "../ast/copy.js";
import { type ConstantNode, NO_CONSTANTS } from "../ast/given-node.js";
import { HasQuery, type Offered } from "../ast/inner-query.js";
import { sourceOf } from "../ast/source.js";
import type { Statement } from "../ast/statement.js";
import { allWhole, sayingWhole } from "../ast/whole.js";
import { callOf, type RequestCall } from "../exec/call.js";
import { type Callback, callBack } from "../exec/callbacks.js";
import type { DecodedRow } from "../exec/decode.js";
import { areOptions, type CallParams, withConstants } from "../exec/params.js";
import type { PlanRequest } from "../exec/prepared.js";
import { atomically, undoable } from "../exec/undo.js";
import { shownText } from "../render/shown.js";
import { BuildError, ParameterError, UnsupportedError } from "../words/errors.js";
import type { Operation } from "../words/events.js";
import type { ExecOptions, TransactionHandle } from "../words/options.js";
import type { Rendered, SafeRendered } from "../words/rendered.js";
import type { Sendable } from "./bound.js";
import type { AnyDraft, BuilderPlace, ChainStep, Draft, PlacedDraft } from "./draft/draft.js";

/** A builder of any kind. */
export type AnyBuilder = Builder<Statement, AnyDraft>;

// The class of a builder. All builders are made of a draft and a place, so each class can make more of its kind.
type Kind<D, B> = new (draft: D, place: BuilderPlace, constants: readonly ConstantNode[]) => B;

/** The methods of every builder. */
export abstract class Builder<T extends Statement, D extends Draft<T>>
  extends HasQuery
  implements PlacedDraft
{
  readonly draft: D;
  readonly place: BuilderPlace;
  /** The constants of the chain, in the order of the holes of its draft. */
  readonly constants: readonly ConstantNode[];

  /** The value as a builder; undefined for any other value. */
  static override own(value: unknown): AnyBuilder | undefined {
    // Only builders offer queries, and every builder has a statement.
    return HasQuery.own(value) as unknown as AnyBuilder | undefined;
  }

  constructor(draft: D, place: BuilderPlace, constants: readonly ConstantNode[] = NO_CONSTANTS) {
    super();
    this.draft = draft;
    this.place = place;
    this.constants = constants;
  }

  /** The part of it that conditions and expressions use. */
  get offered(): Offered {
    const { statement, problems, source, id } = this.draft;
    const { constants } = this;
    return { statement, problems, database: source.memory, id, draft: this.draft, constants };
  }

  /** The builder of the same draft in another place, such as a transaction of its database. */
  at(place: BuilderPlace, constants: readonly ConstantNode[] = this.constants): this {
    return place === this.place && constants === this.constants
      ? this
      : new (this.constructor as Kind<D, this>)(this.draft, place, constants);
  }

  protected get spec(): T["spec"] {
    return this.draft.spec;
  }

  render(): Rendered {
    const { prepared, source } = this.draft;
    if (this.constants.length > 0) prepared.check(this.constants);
    return shownText(prepared.plan, source.grammar, this.constants);
  }

  /** The parameters of a call, with the constants of the chain. */
  given(params: CallParams): CallParams {
    return this.constants.length === 0
      ? params
      : withConstants(params, this.constants, this.draft.source.table);
  }

  /**
   * The builder as JSON.
   * @throws {BuildError} `INVALID_SPEC` if a spec cannot hold a part of it, or a part that a spec cannot hold is
   * wrong.
   */
  toSpec(): unknown {
    const [first, ...more] = this.draft.problems;
    if (first !== undefined) throw new BuildError([first, ...more]);
    if (sourceOf(this.draft.source.table) !== undefined)
      throw new BuildError([
        { code: "INVALID_SPEC", message: "a spec cannot hold a query as a table", path: "" },
      ]);
    const { table, isNarrowed } = this.draft.source;
    const spec = this.shownSpec();
    // A reader of the spec would restrict the related tables, but the builders of a scope do not.
    if (table.fixed === undefined || isNarrowed === true) return frozenCopy(spec);
    return frozenCopy(sayingWhole(Object(frozenCopy(spec)), allWhole));
  }

  /** The content of `toSpec`. */
  protected shownSpec(): object {
    return this.spec;
  }

  safeRender(): SafeRendered {
    try {
      return { success: true, data: this.render() };
    } catch (error) {
      if (error instanceof BuildError || error instanceof UnsupportedError || error instanceof ParameterError)
        return { success: false, error };
      throw error;
    }
  }

  /** The same builder with another type. */
  dynamic(): this {
    return this;
  }

  build(): this {
    this.render();
    return this;
  }

  /** The builder after a step. */
  protected take(step: ChainStep<D>): this {
    return this.draft.take(step, this.place, this.constants, this.constructor as Kind<D, this>);
  }

  /** The builder after the step that `of` makes of these arguments. A repeated step is found without making it. */
  protected taking<const A, const B, C>(of: (a: A, b: B, c: C) => ChainStep<D>, a: A, b: B, c: C): this {
    const known = this.draft.again(this.place, this.constants, of, a, b, c);
    // A step leads to builders of one kind.
    if (known !== undefined) return known as this;
    const made = this.take(of(a, b, c));
    this.draft.note(made, of, a, b, c);
    return made;
  }

  /** Whether the last argument of a call contains options instead of parameters. */
  isLast(params: CallParams | ExecOptions, options: ExecOptions | undefined): params is ExecOptions {
    return options === undefined && areOptions(params) && this.draft.names.size === 0;
  }

  /** The options of its calls, if they differ from the usual ones. */
  protected get options(): readonly string[] | undefined {
    return undefined;
  }

  /** The session and the purpose of a call with these options. */
  call(options: ExecOptions | undefined, operation: Operation): RequestCall {
    return callOf(this.place.session, options, operation, this.options);
  }

  /** Runs all of `work` or none of it, as one call. */
  protected atomically<R>(call: RequestCall, work: (call: RequestCall) => Promise<R>): Promise<R> {
    return atomically(call, this.place.callbacks, work);
  }

  /** Runs `work` so that an error of a callback on its result rolls it back. */
  protected undoable<R>(call: RequestCall, work: (call: RequestCall) => Promise<R>): Promise<R> {
    return undoable(call, this.place.callbacks, work);
  }

  /** Whether a callback must be called with each row. */
  callsBack(): boolean {
    return this.place.callbacks.onScan !== null;
  }

  /** What a call of a plan sends where it goes together with others. */
  protected sending({ prepared }: PlanRequest, isSure: boolean): Sendable {
    const isOne = () =>
      prepared.plan.steps === undefined && !this.callsBack() && this.place.callbacks.onRecord === null;
    return { isOne, isSure };
  }

  /** Calls `onScan` with returned rows, if it is registered. */
  scanned(rows: readonly DecodedRow[], call: RequestCall, index?: number): Promise<void> | undefined {
    const { onScan } = this.place.callbacks;
    return onScan === null ? undefined : this.#callEach(onScan, rows, call, index);
  }

  async #callEach(
    onScan: Callback<DecodedRow>,
    rows: readonly DecodedRow[],
    call: RequestCall,
    index: number | undefined,
  ): Promise<void> {
    for (const row of rows) await callBack(onScan, row, this.draft.source.table, call, { index });
  }
}

/** The options of a call in a transaction. A `tx` that an untyped caller left out is refused. */
export function inTransaction(tx: TransactionHandle | undefined): ExecOptions {
  return { tx: tx ?? NO_TRANSACTION };
}

const NO_TRANSACTION = Object.freeze({}) as TransactionHandle;
