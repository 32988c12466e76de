/**
 * What the builders of one statement share: it is checked, rendered and prepared once, and once more for each set of
 * optional conditions that a call leaves out.
 */
import type { Statement } from "../ast/statement.js";
import type { Row } from "../exec/decode.js";
import { callOf, fetchRows } from "../exec/execute.js";
import { explained } from "../exec/explain.js";
import { asRecord, checkNames, isGiven, type Params } from "../exec/params.js";
import { Prepared } from "../exec/prepared.js";
import { rowsOneByOne } from "../exec/stream.js";
import { renderStatement } from "../render/statement.js";
import type { ResolvedStatement } from "../resolve/resolved.js";
import { leavingOut, optionalParamsOf } from "../resolve/statement.js";
import type { Operation } from "../words/events.js";
import type { ExecOptions, TransactionHandle } from "../words/options.js";
import type { Rendered } from "../words/rendered.js";
import { Builder, inTransaction } from "./builder.js";
import { Texts } from "./texts.js";

type Given = Readonly<Record<string, unknown>>;

/** A prepared statement and the values behind its placeholders. */
export interface Bound {
  readonly prepared: Prepared;
  readonly values: readonly unknown[];
}

/** A builder of one statement: its spec, and the statement that this resolves to. */
export abstract class StatementBuilder<S extends object, R extends ResolvedStatement> extends Builder<S> {
  #resolved: R | undefined;
  #whole: Prepared | undefined;
  #known: ReadonlySet<string> | undefined;
  #optional: readonly string[] | undefined;
  // By the parameters that were left out.
  #reduced: Texts | undefined;

  /** The statement of this builder. */
  abstract statement(): Statement;
  /** Resolves the statement, with all problems that were found while it was built. */
  protected abstract resolve(): R;
  abstract exec(params?: Params, options?: ExecOptions): Promise<unknown>;

  render(): Rendered {
    return this.prepared().plan.rendered;
  }

  async execTx(tx: TransactionHandle, params?: Params): Promise<unknown> {
    return this.exec(params, inTransaction(tx));
  }

  /** The server's plan for a call, which takes no locks and so needs no transaction. */
  protected async planOf(
    params: Params,
    options: ExecOptions | undefined,
    operation: Operation,
  ): Promise<string> {
    if (this.isLast(params, options)) return this.planOf(undefined, params, operation);
    const { prepared, values } = this.bound(params);
    return explained(prepared, values, callOf(this.context.session, options, operation));
  }

  /** All rows of a call. */
  protected async allOf(
    params: Params,
    options: ExecOptions | undefined,
    operation: Operation,
  ): Promise<Row[]> {
    if (this.isLast(params, options)) return this.allOf(undefined, params, operation);
    const { prepared, values } = this.bound(params);
    const call = this.call(options, operation);
    const answer = fetchRows(prepared, values, call);
    const rows = answer instanceof Promise ? await answer : answer;
    const scanned = this.scanned(rows, call);
    if (scanned !== undefined) await scanned;
    return rows;
  }

  /** The rows of a call one by one; each iteration sends it anew. */
  protected rowsOf(
    params: Params,
    options: ExecOptions | undefined,
    operation: Operation,
  ): AsyncIterable<Row> {
    return rowsOneByOne(() => {
      const isLast = this.isLast(params, options);
      const call = this.call(isLast ? params : options, operation);
      return { ...this.bound(isLast ? undefined : params), call, onRow: (row) => this.scanned([row], call) };
    });
  }

  /** The statement, resolved once. */
  protected resolved(): R {
    if (this.home !== this) return this.home.resolved();
    this.#resolved ??= this.resolve();
    return this.#resolved;
  }

  /** The whole statement: resolved, rendered and prepared once. */
  protected prepared(): Prepared {
    if (this.home !== this) return this.home.prepared();
    if (this.#whole === undefined) {
      this.#whole = this.#prepare([]);
      this.accepted(this.#whole.sql.length);
    }
    return this.#whole;
  }

  protected takesNothing(): boolean {
    return this.known().size === 0;
  }

  /** The names of all parameters. */
  protected known(): ReadonlySet<string> {
    this.#known ??= new Set(this.prepared().plan.rendered.params);
    return this.#known;
  }

  /** Checks the names of a call's parameters and binds their values. */
  protected bound(params: Params): Bound {
    if (this.home !== this) return this.home.bound(params);
    const whole = this.prepared();
    this.#optional ??= optionalParamsOf(this.resolved());
    const { table } = this.context;
    if (this.#optional.length === 0) {
      const record = checkNames(params, whole.plan.rendered.params, this.known(), table);
      return { prepared: whole, values: whole.bind(record) };
    }
    const given = asRecord(params, table);
    const prepared = this.#textFor(given, whole);
    checkNames(given, prepared.plan.rendered.params, this.known(), table);
    return { prepared, values: prepared.bind(given) };
  }

  /** The text of what a call gives. */
  #textFor(given: Given, whole: Prepared): Prepared {
    const optional = this.#optional ?? [];
    const left = leftOut(optional, given);
    if (left === "") return whole;
    this.#reduced ??= new Texts();
    const kept = this.#reduced.get(left);
    if (kept !== undefined) return kept;
    const prepared = this.#prepare(optional.filter((name) => !isGiven(given, name)));
    this.#reduced.set(left, prepared);
    this.accepted(whole.sql.length + this.#reduced.weight);
    return prepared;
  }

  #prepare(left: readonly string[]): Prepared {
    const { grammar } = this.context;
    return new Prepared(renderStatement(leavingOut(this.resolved(), left, grammar), grammar));
  }
}

/** Which of the optional parameters a call leaves out: a bit for each, and nothing where it gives them all. */
function leftOut(optional: readonly string[], given: Given): string {
  let text = "";
  let bits = 0;
  let isWhole = true;
  for (let i = 0; i < optional.length; i++) {
    const name = optional[i];
    if (name !== undefined && !isGiven(given, name)) {
      bits |= 1 << (i % BITS);
      isWhole = false;
    }
    if (i % BITS === BITS - 1) {
      text += String.fromCharCode(bits);
      bits = 0;
    }
  }
  return isWhole ? "" : text + String.fromCharCode(bits);
}

/** So many fit into a character, below the halves of pairs. */
const BITS = 15;
