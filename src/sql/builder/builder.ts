/**
 * The run-time side of every builder: a spec being written. A method gives a new builder with a longer spec;
 * what is rendered is kept. Untyped beneath: `types/` has the types, `repository.ts` joins the two.
 */
import { frozenCopy } from "../ast/copy.js";
import type { AnyTable } from "../declare/declaration.js";
import type { Grammar } from "../dialect/grammar.js";
import { type Callback, type Callbacks, callBack } from "../exec/callbacks.js";
import type { Row } from "../exec/decode.js";
import { type Call, callOf } from "../exec/execute.js";
import { areOptions, type Params } from "../exec/params.js";
import type { Session } from "../exec/session.js";
import { BuildError, type Problem, UnsupportedError } from "../words/errors.js";
import type { Operation } from "../words/events.js";
import type { ExecOptions, TransactionHandle } from "../words/options.js";
import type { Rendered, SafeRendered } from "../words/rendered.js";
import { type Edit, edited } from "./edit.js";
import type { Memory, Place } from "./memory.js";

/** What the builders of one table share, and where they run: the database, or a transaction of it. */
export interface RepositoryContext {
  readonly table: AnyTable;
  readonly grammar: Grammar;
  readonly session: Session;
  readonly callbacks: Callbacks;
  readonly memory: Memory;
}

/** The step that a builder was made by. */
interface Origin {
  readonly before: Builder<object>;
  readonly key: string;
  readonly made: Builder<object>;
  /** What the key names by its id. */
  readonly operand: Builder<object> | undefined;
}

let nextId = 1;

/** What every builder does. `S` is its spec. */
export abstract class Builder<S extends object> {
  protected readonly context: RepositoryContext;
  /** What the spec cannot hold, such as a field set twice; thrown together with what the check finds. */
  protected readonly problems: readonly Problem[];
  readonly #start: S;
  readonly #edit: Edit | undefined;
  #spec: S | undefined;
  // Only what begins with such a builder has an id, and no other id is 0: a spec from outside begins with none.
  #id = 0;
  // How it was come to, until it is remembered.
  #origin: Origin | undefined;
  #next: Map<string, Builder<object>> | undefined;
  #ref: WeakRef<Place> | undefined;
  readonly #home: this;

  constructor(
    context: RepositoryContext,
    start: S,
    problems: readonly Problem[] = [],
    edit?: Edit,
    home?: Builder<S>,
  ) {
    this.context = context;
    this.problems = problems;
    this.#start = start;
    this.#edit = edit;
    // It is of the class of this one: `within` alone gives one.
    this.#home = (home ?? this) as this;
  }

  /**
   * The builder that works out and keeps everything for this one. It is this one itself, except in a transaction: there
   * it is the one of the database.
   */
  protected get home(): this {
    return this.#home;
  }

  /** The same builder in another place: a transaction of its database. */
  within(context: RepositoryContext): this {
    return this.#another(context, this.#edit, this.problems, this.#home);
  }

  /** Never handed out: the rendered text is kept, and must not differ from what was checked. */
  protected get spec(): S {
    const home = this.#home;
    home.#spec ??= edited(home.#start, home.#edit);
    return home.#spec;
  }

  /** Tells this builder from all others whose steps have keys, where it is one of them. */
  get id(): number | undefined {
    return this.#home.#id === 0 ? undefined : this.#home.#id;
  }

  /** The builder where chains begin, which whoever made it keeps. It cannot be changed any more. */
  beginning(): this {
    this.#id = nextId++;
    return Object.freeze(this);
  }

  /** Lets go of a step from here. */
  forget(key: string): void {
    this.#next?.delete(key);
  }

  /** The builder was checked and rendered: from now on its chain is remembered, with the number of characters of its texts. */
  protected accepted(characters: number): void {
    this.#remember();
    this.context.memory.weigh(this.#id, characters);
  }

  /** Has the chain found again, and says whether it is this one that is found: another of the same steps may be. */
  #remember(): boolean {
    const chain: Origin[] = [];
    for (let step = this.#origin; step !== undefined; step = step.before.#origin) chain.push(step);
    let at: Builder<object> = chain.at(-1)?.before ?? this;
    for (let i = chain.length - 1; i >= 0; i--) {
      const step = chain[i];
      if (step === undefined) break;
      const known = at.#next?.get(step.key);
      if (known === undefined) {
        // The key names an operand by its id: of one that is not found again, neither is this.
        if (step.operand !== undefined && !step.operand.#remember()) return false;
        at.#leadTo(step);
      }
      at = known ?? step.made;
    }
    return at === this;
  }

  #leadTo({ key, made }: Origin): void {
    this.#next ??= new Map();
    this.#next.set(key, made);
    made.#origin = undefined;
    this.#ref ??= new WeakRef<Place>(this);
    this.context.memory.add(made.#id, this.#ref, key);
  }

  abstract render(): Rendered;

  /**
   * The builder as JSON.
   * @throws {BuildError} `INVALID_SPEC` where specs do not have what it says, or what a spec cannot hold was wrong.
   */
  toSpec(): unknown {
    const [first, ...more] = this.problems;
    if (first !== undefined) throw new BuildError([first, ...more]);
    return frozenCopy(this.shownSpec());
  }

  /** What `toSpec` shows. */
  protected shownSpec(): object {
    return this.spec;
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

  /** The builder that a step leads to: the one that it led to before, where the step has a key. */
  protected step<B extends Builder<object>>(
    key: string | undefined,
    make: () => B,
    operand?: Builder<object>,
  ): B {
    const home: Builder<object> = this.#home;
    if (key === undefined || home.#id === 0) return make();
    const known = home.#next?.get(key);
    if (known !== undefined) {
      this.context.memory.touch(known.#id);
      // A key names one step, and a step leads to builders of one kind.
      return (home === this ? known : known.within(this.context)) as B;
    }
    const built = make();
    const made: Builder<object> = built.#home;
    // A step that leads nowhere stays where it is.
    if (made !== home) made.#come({ before: home, key, made, operand: operand?.home });
    return built;
  }

  #come(origin: Origin): void {
    this.#id = nextId++;
    this.#origin = origin;
    Object.freeze(this);
  }

  /** A builder of another kind, which runs where this one does. */
  protected other<B extends Builder<object>>(make: (context: RepositoryContext) => B): B {
    const home = this.#home;
    return home === this ? make(this.context) : make(home.context).within(this.context);
  }

  /** The builder with keys of its spec set. */
  protected with(values: Partial<S>): this {
    return this.#edited({ before: this.#edit, values }, this.problems);
  }

  /** The builder with more in a list of its spec. What an untyped caller adds is checked with the statement. */
  protected adding(list: keyof S & string, items: readonly unknown[]): this {
    return this.#edited({ before: this.#edit, list, items }, this.problems);
  }

  /** The builder with a problem, and nothing else changed. */
  protected failing(problem: Problem): this {
    return this.#edited(this.#edit, [...this.problems, problem]);
  }

  #edited(edit: Edit | undefined, problems: readonly Problem[]): this {
    const home = this.#home;
    const made = home.#another(home.context, edit, problems);
    return home === this ? made : made.within(this.context);
  }

  #another(
    context: RepositoryContext,
    edit: Edit | undefined,
    problems: readonly Problem[],
    home?: this,
  ): this {
    // Every builder is made of the same things, so the class of this one makes another one of its kind.
    const Kind = this.constructor as new (...parts: ConstructorParameters<typeof Builder<S>>) => this;
    return new Kind(context, this.#start, problems, edit, home);
  }

  /** Whether calls take no parameters, so that options stand in their place. */
  protected abstract takesNothing(): boolean;

  /** Whether what a call was given as its last argument, in the place of parameters, are options. */
  protected isLast(params: Params | ExecOptions, options: ExecOptions | undefined): params is ExecOptions {
    return options === undefined && areOptions(params) && this.takesNothing();
  }

  /** Where and for what a call with these options runs. */
  protected call(options: ExecOptions | undefined, operation: Operation): Call {
    return callOf(this.context.session, options, operation);
  }

  /** Runs all of `work` or nothing of it, as one call with these options. */
  protected atomically<T>(
    options: ExecOptions | undefined,
    operation: Operation,
    work: (call: Call) => Promise<T>,
  ): Promise<T> {
    const call = this.call(options, operation);
    const { session, signal } = call;
    const { onScan, onRecord } = this.context.callbacks;
    const callsBack = onScan !== null || onRecord !== null;
    const run = () => session.atomically((inner) => work({ ...call, session: inner }), { signal, callsBack });
    return session.changing(run, signal);
  }

  /** Runs `work` so that a callback that fails on what it gives undoes it. */
  protected undoable<T>(
    options: ExecOptions | undefined,
    operation: Operation,
    work: (call: Call) => Promise<T>,
  ): Promise<T> {
    if (this.context.callbacks.onScan !== null) return this.atomically(options, operation, work);
    const call = this.call(options, operation);
    return call.session.changing(() => work(call), call.signal);
  }

  /** Calls `onScan` on rows that came back, where there is one. */
  protected scanned(rows: readonly Row[], call: Call, index?: number): Promise<void> | undefined {
    const { onScan } = this.context.callbacks;
    return onScan === null ? undefined : this.#callEach(onScan, rows, call, index);
  }

  async #callEach(
    onScan: Callback<Row>,
    rows: readonly Row[],
    call: Call,
    index: number | undefined,
  ): Promise<void> {
    for (const row of rows) await callBack(onScan, row, this.context.table, call, index);
  }
}

/** The options of a call in a transaction. One that an untyped caller left out is refused as none. */
export function inTransaction(tx: TransactionHandle | undefined): ExecOptions {
  return { tx: tx ?? NO_TRANSACTION };
}

const NO_TRANSACTION = Object.freeze({}) as TransactionHandle;
