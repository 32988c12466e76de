/** Drafts of statements that change rows which are there: with and without RETURNING, and with a bound on what they change. */
import { asRecord, type Params } from "../exec/params.js";
import { type PlanRequest, PreparedPlan } from "../exec/prepared.js";
import { renderStatement } from "../render/statement.js";
import { requireBounded } from "../resolve/bounded.js";
import { fixesKey } from "../resolve/keys.js";
import type { ResolvedChange } from "../resolve/resolved.js";
import { type Change, type Gives, resolveChange } from "../resolve/statement.js";
import { StatementDraft } from "./statement-draft.js";

/** One of the two texts of a change. */
interface Text {
  readonly resolved: ResolvedChange;
  readonly prepared: PreparedPlan;
}

/** A draft of a change. */
export class ChangeDraft<T extends Change = Change> extends StatementDraft<T, ResolvedChange> {
  readonly #texts = new Map<Gives, Text>();
  #fixesKey: boolean | undefined;

  /** Whether the conditions fix a declared key by `=`, and so match one row at most. */
  get fixesKey(): boolean {
    this.#fixesKey ??= fixesKey(this.resolved.where, this.source.table);
    return this.#fixesKey;
  }

  /** A call of the statement that gives rows, or only their number. @throws {ParameterError | BuildError} */
  requestFor(gives: Gives, given: Params): PlanRequest {
    const { resolved, prepared } = this.#textFor(gives);
    // Read once, so that the bound values and the later checks use the same.
    const request = prepared.request({ ...asRecord(given, this.source.table) });
    requireBounded(resolved, request.params);
    return request;
  }

  protected resolve(): ResolvedChange {
    return this.#resolve(this.#gives);
  }

  /** The returned columns of the statement that `exec` sends and `render` shows. */
  get #gives(): Gives {
    return this.kind === "modify" ? "rows" : "nothing";
  }

  // Separate from the statement of `exec`: a dialect may support one and not the other.
  #textFor(gives: Gives): Text {
    const kept = this.#texts.get(gives);
    if (kept !== undefined) return kept;
    const isOwn = gives === this.#gives;
    const resolved = isOwn ? this.resolved : this.#resolve(gives);
    const prepared = isOwn ? this.prepared : new PreparedPlan(renderStatement(resolved, this.source.grammar));
    const text = { resolved, prepared };
    this.#texts.set(gives, text);
    if (!isOwn) this.accepted(prepared.sql.length);
    return text;
  }

  #resolve(gives: Gives): ResolvedChange {
    return resolveChange(this.statement, this.source.grammar, this.problems, gives);
  }
}
