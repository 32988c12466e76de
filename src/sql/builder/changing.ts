/** What update and removal share: one statement with and without RETURNING, and a bound on what it changes. */
import { type Call, fetchAffected } from "../exec/execute.js";
import { asList, checkNames, eachOf, type Params } from "../exec/params.js";
import { Prepared } from "../exec/prepared.js";
import type { Ready } from "../exec/steps.js";
import { renderStatement } from "../render/statement.js";
import { requireBounded } from "../resolve/bounded.js";
import type { ResolvedChange } from "../resolve/resolved.js";
import { type Change, type Gives, resolveChange } from "../resolve/statement.js";
import { type Filtered, FilteredBuilder } from "./filtered.js";

/** A text of a change, and the names of its parameters. */
interface Text {
  readonly resolved: ResolvedChange;
  readonly prepared: Prepared;
  readonly known: ReadonlySet<string>;
}

/** A builder that changes rows. */
export abstract class ChangingBuilder<S extends Filtered> extends FilteredBuilder<S, ResolvedChange> {
  readonly #texts = new Map<Gives, Text>();

  /** What comes back of what `exec` sends, and `render` shows. */
  protected abstract readonly gives: Gives;
  abstract override statement(): Change;

  protected resolve(): ResolvedChange {
    return this.#resolve(this.gives);
  }

  /** Checks and binds a call of the statement that gives rows, or only their number. */
  protected boundFor(gives: Gives, given: Params): Ready {
    if (this.home !== this) return this.home.boundFor(gives, given);
    const { table } = this.context;
    const { resolved, prepared, known } = this.#textFor(gives);
    // Read once: what is bound, and what is said of it below, is then the same.
    const params = { ...checkNames(given, prepared.plan.rendered.params, known, table) };
    const values = prepared.bind(params);
    requireBounded(resolved, params);
    return { prepared, values, params };
  }

  // Apart from what `exec` sends: a dialect may be able to do the one and not the other.
  #textFor(gives: Gives): Text {
    const kept = this.#texts.get(gives);
    if (kept !== undefined) return kept;
    const isOwn = gives === this.gives;
    const resolved = isOwn ? this.resolved() : this.#resolve(gives);
    const prepared = isOwn ? this.prepared() : new Prepared(renderStatement(resolved, this.context.grammar));
    const text = { resolved, prepared, known: new Set(prepared.plan.rendered.params) };
    this.#texts.set(gives, text);
    if (!isOwn) this.accepted(prepared.sql.length);
    return text;
  }

  #resolve(gives: Gives): ResolvedChange {
    return resolveChange(this.statement(), this.context.grammar, this.problems, gives);
  }

  /** Checks and binds every call of a batch before the first is sent. */
  protected boundBatch(list: readonly Params[]): Ready[] {
    // An untyped caller's items are checked as parameters are.
    return eachOf(asList(list, this.context.table), (params) => this.boundFor("nothing", params as Params));
  }

  /** Runs the calls of a batch and adds up the rows that they changed. */
  protected async affectedBy(batch: readonly Ready[], call: Call): Promise<number> {
    let affected = 0;
    for (const { prepared, values } of batch) affected += await fetchAffected(prepared, values, call);
    return affected;
  }
}
