/**
 * The run-time side of every builder: a spec being written. A method gives a new builder with a longer spec;
 * what is rendered is kept. Untyped beneath: `types/` has the types, `repository.ts` joins the two.
 */
import { frozenCopy } from "../ast/copy.js";
import type { AnyTable } from "../declaration.js";
import type { Grammar } from "../dialect/grammar.js";
import { BuildError, type Problem, UnsupportedError } from "../errors.js";
import type { Operation } from "../events.js";
import type { Call } from "../exec/execute.js";
import type { ExecOptions, TransactionHandle } from "../exec/options.js";
import { type Session, sessionOf } from "../exec/session.js";
import type { Rendered, SafeRendered } from "../render/rendered.js";

/** What the builders of one repository share. */
export interface Source {
  readonly table: AnyTable;
  readonly grammar: Grammar;
  readonly session: Session;
}

/** What every builder does. `S` is its spec. */
export abstract class Builder<S> {
  protected readonly source: Source;
  /** Never handed out: the rendered text is kept, and must not differ from what was checked. */
  protected readonly spec: S;
  /** What the spec cannot hold, such as a field set twice; thrown together with what the check finds. */
  protected readonly problems: readonly Problem[];

  constructor(source: Source, spec: S, problems: readonly Problem[] = []) {
    this.source = source;
    this.spec = spec;
    this.problems = problems;
  }

  abstract render(): Rendered;

  toSpec(): S {
    // A copy of plain JSON is of the same type.
    return frozenCopy(this.spec) as S;
  }

  safeRender(): SafeRendered {
    try {
      return { success: true, data: this.render() };
    } catch (error) {
      if (error instanceof BuildError || error instanceof UnsupportedError) return { success: false, error };
      throw error;
    }
  }

  build(): this {
    this.render();
    return this;
  }

  /** A builder of the same kind with another spec. */
  protected derive(spec: S, problems: readonly Problem[] = this.problems): this {
    // Every builder is made of the same three things, so the class of this one makes another one of its kind.
    const Kind = this.constructor as new (source: Source, spec: S, problems: readonly Problem[]) => this;
    return new Kind(this.source, spec, problems);
  }

  /** Where and for what a call with these options runs. */
  protected call(options: ExecOptions | undefined, operation: Operation): Call {
    const { session } = this.source;
    const tx = options?.tx;
    return {
      session: tx === undefined ? session : sessionOf(tx, session.driver),
      operation,
      signal: options?.signal,
    };
  }

  /** Runs all of `work` or nothing of it, as one call with these options. */
  protected atomically<T>(
    options: ExecOptions | undefined,
    operation: Operation,
    work: (call: Call) => Promise<T>,
  ): Promise<T> {
    const call = this.call(options, operation);
    return call.session.atomically((session) => work({ ...call, session }), { signal: call.signal });
  }
}

/** The options of a call in a transaction. One that an untyped caller left out is refused as none. */
export function inTransaction(tx: TransactionHandle | undefined): ExecOptions {
  return { tx: tx ?? NO_TRANSACTION };
}

const NO_TRANSACTION = Object.freeze({}) as TransactionHandle;
