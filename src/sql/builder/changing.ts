/** What update and removal share: one statement with and without RETURNING, and a bound on what it changes. */
import { checkBounded } from "../check/scope.js";
import { checkStatement } from "../check/statement.js";
import { type Call, fetchAffected } from "../exec/execute.js";
import { asList, checkNames, eachOf, type Params } from "../exec/params.js";
import { Prepared } from "../exec/prepared.js";
import type { Ready } from "../exec/steps.js";
import type { Returning } from "../render/change.js";
import type { Plan } from "../render/plan.js";
import { type Filtered, FilteredBuilder } from "./filtered.js";

/** A text of a change, and the names of its parameters. */
interface Text {
  readonly prepared: Prepared;
  readonly known: ReadonlySet<string>;
}

/** A builder that changes rows. */
export abstract class ChangingBuilder<S extends Filtered> extends FilteredBuilder<S> {
  readonly #texts = new Map<Returning, Text>();

  protected abstract readonly verb: "update" | "delete";
  /** What `exec` sends, and `render` shows. */
  protected abstract readonly returning: Returning;
  /** The text of the checked spec. */
  protected abstract planFor(returning: Returning): Plan;

  protected plan(): Plan {
    return this.planFor(this.returning);
  }

  /** Checks and binds a call of the statement that gives rows, or only their number. */
  protected boundFor(returning: Returning, given: Params): Ready {
    const { table } = this.source;
    const { prepared, known } = this.#textFor(returning);
    // Read once: what is bound, and what is said of it below, is then the same.
    const params = { ...checkNames(given, prepared.plan.rendered.params, known, table) };
    const values = prepared.bind(params);
    checkBounded(this.verb, this.spec.where, params);
    return { prepared, values, params };
  }

  #textFor(returning: Returning): Text {
    const kept = this.#texts.get(returning);
    if (kept !== undefined) return kept;
    const prepared = returning === this.returning ? this.prepared() : this.#prepare(returning);
    const text = { prepared, known: new Set(prepared.plan.rendered.params) };
    this.#texts.set(returning, text);
    return text;
  }

  // Apart from what `exec` sends: a dialect may be able to do the one and not the other.
  #prepare(returning: Returning): Prepared {
    checkStatement(this.statement(), this.source.grammar, this.problems);
    const prepared = new Prepared(this.planFor(returning));
    this.accepted(prepared.sql.length);
    return prepared;
  }

  /** Checks and binds every call of a batch before the first is sent. */
  protected boundBatch(list: readonly Params[]): Ready[] {
    // An untyped caller's items are checked as parameters are.
    return eachOf(asList(list, this.source.table), (params) => this.boundFor("nothing", params as Params));
  }

  /** Runs the calls of a batch and adds up the rows that they changed. */
  protected async affectedBy(batch: readonly Ready[], call: Call): Promise<number> {
    let affected = 0;
    for (const { prepared, values } of batch) affected += await fetchAffected(prepared, values, call);
    return affected;
  }
}
