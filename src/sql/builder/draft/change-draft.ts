/** Drafts of statements that change existing rows: with and without RETURNING, and with a limit on the changed rows. */

import type { QueryStatement } from "../../ast/statement.js";
import { asRecord, type CallParams, reading } from "../../exec/params.js";
import { type PlanRequest, PreparedPlan } from "../../exec/prepared.js";
import { PreparedTogether } from "../../exec/together.js";
import { renderStatement } from "../../render/statement.js";
import { renderTogether } from "../../render/together.js";
import { requireBounded } from "../../resolve/change/bounded.js";
import { togetherConditions } from "../../resolve/change/together.js";
import { fixesKey } from "../../resolve/expression/keys.js";
import { returnedParams } from "../../resolve/rows/returning.js";
import type { ResolvedChange } from "../../resolve/scope/resolved-change.js";
import { type ChangeStatement, type Gives, resolveChange } from "../../resolve/statement.js";
import { type Check, checksOf } from "./checks.js";
import { ReadingDraft, StatementDraft } from "./statement-draft.js";

/** One of the two texts of a change. */
interface Text {
  readonly resolved: ResolvedChange;
  readonly prepared: PreparedPlan;
  /** The other values of a call, for the rows that it could return. */
  readonly others: Others | undefined;
}

/** The parameters of returned expressions that are not in a text. */
interface Others {
  /** These parameters and those of the text. */
  readonly names: ReadonlySet<string>;
  readonly checks: readonly Check[];
}

/** A draft of a change. */
export class ChangeDraft<T extends ChangeStatement = ChangeStatement> extends StatementDraft<
  T,
  ResolvedChange
> {
  readonly #texts = new Map<Gives, Text>();
  readonly #together = new Map<Gives, PreparedTogether | undefined>();
  #fixesKey: boolean | undefined;
  #look: PreparedPlan | undefined;

  /** Whether the conditions fix a declared key by `=`, and so match at most one row. */
  get fixesKey(): boolean {
    this.#fixesKey ??= fixesKey(this.resolved.where, this.source.table);
    return this.#fixesKey;
  }

  // Every call takes the same parameters, whatever it returns.
  override get names(): ReadonlySet<string> {
    return this.#textFor(this.#gives).others?.names ?? super.names;
  }

  /**
   * A call of the statement that returns rows, or only their number.
   * @param together the statement of many records, if this call is one of them.
   * @throws {ParameterError | BuildError}
   */
  requestFor(gives: Gives, given: CallParams, together?: PreparedTogether): PlanRequest {
    const { resolved, prepared: alone, others } = this.#textFor(gives);
    const prepared = together?.record ?? alone;
    // Read once, so that the bound values and the later checks use the same.
    const { table } = this.source;
    const params = reading("parameters", table, () => ({ ...asRecord(given, table) }));
    const request =
      others === undefined
        ? prepared.request(params)
        : prepared.request(params, others.names, [...others.names]);
    for (const { name, check } of others?.checks ?? []) check(params[name]);
    requireBounded(this.kind, resolved, request.params);
    return request;
  }

  /** The statement that does many calls at once; undefined if each needs a statement of its own. */
  togetherFor(gives: Gives): PreparedTogether | undefined {
    if (this.#together.has(gives)) return this.#together.get(gives);
    const { resolved } = this.#textFor(gives);
    const { grammar } = this.source;
    const conditions = togetherConditions(resolved, grammar);
    const rendered = conditions && renderTogether(resolved, conditions, grammar);
    const together = rendered && new PreparedTogether(rendered, this.fixesKey);
    this.#together.set(gives, together);
    if (together !== undefined) this.accepted(together.weight);
    return together;
  }

  /** Whether one text is executed with many calls at once. */
  executesTogether(gives: Gives): boolean {
    const { resolved, prepared } = this.#textFor(gives);
    const { severalRows } = this.source.grammar;
    const { into = [], steps, pieces } = prepared.plan;
    if (severalRows || steps !== undefined || pieces !== undefined) return false;
    // Large objects are returned one by one.
    if (into.some(({ holds }) => holds === "long text" || holds === "long bytes")) return false;
    return togetherConditions(resolved, this.source.grammar) !== undefined;
  }

  /** The query of the row that a call would change, whatever its version; undefined if a call demands no version. */
  get look(): PreparedPlan | undefined {
    const { version, demandsVersion } = this.source.table.rules ?? {};
    if (version === undefined || demandsVersion !== true) return undefined;
    if (this.#look === undefined) {
      const { where = [] } = this.spec;
      const rest = where.filter((one) => !isOfVersion(one, version));
      const [[first = version] = []] = this.source.table.keys;
      const spec = { where: rest, fields: [first], limit: 1 };
      this.#look = new ReadingDraft<QueryStatement>(this.source, "query", spec).prepared;
      this.accepted(this.#look.sql.length);
    }
    return this.#look;
  }

  protected resolve(): ResolvedChange {
    return this.#resolve(this.#gives);
  }

  /** The statement that `render` shows. It returns removed rows only if their contents are specified. */
  get #gives(): Gives {
    return this.kind === "modify" || this.spec.returning !== undefined ? "rows" : "nothing";
  }

  // Separate from the statement of `exec`: a dialect may support only one of the two.
  #textFor(gives: Gives): Text {
    const kept = this.#texts.get(gives);
    if (kept !== undefined) return kept;
    const isOwn = gives === this.#gives;
    const resolved = isOwn ? this.resolved : this.#resolve(gives);
    const prepared = isOwn ? this.prepared : new PreparedPlan(renderStatement(resolved, this.source.grammar));
    const text = { resolved, prepared, others: othersOf(resolved, prepared) };
    this.#texts.set(gives, text);
    if (!isOwn) this.accepted(prepared.sql.length);
    return text;
  }

  #resolve(gives: Gives): ResolvedChange {
    return resolveChange(this.statement, this.source.grammar, this.problems, gives);
  }
}

// A program may say the condition of the version itself.
function isOfVersion(condition: object, version: string): boolean {
  const { field, operator, param }: Readonly<Record<string, unknown>> = { ...condition };
  return field === version && operator === "=" && param === version;
}

function othersOf({ returned }: ResolvedChange, { names }: PreparedPlan): Others | undefined {
  const checks = checksOf(returnedParams(returned)).filter(({ name }) => !names.has(name));
  if (checks.length === 0) return undefined;
  return { names: new Set([...names, ...checks.map(({ name }) => name)]), checks };
}
