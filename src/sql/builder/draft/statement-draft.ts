/**
 * Drafts whose text is the same in every call, except for the optional conditions that a call omits. The statement is
 * resolved, rendered and prepared once, and again for each set of omitted conditions.
 */
import type { QueryStatement, SelectStatement, Statement } from "../../ast/statement.js";
import { asRecord, type CallParams, isGiven } from "../../exec/params.js";
import { type PlanRequest, PreparedPlan } from "../../exec/prepared.js";
import { renderStatement } from "../../render/statement.js";
import type { ResolvedReading } from "../../resolve/scope/resolved.js";
import type { ResolvedStatement } from "../../resolve/scope/resolved-change.js";
import { leavingOut, optionalParamsOf, type Reading, resolveReading } from "../../resolve/statement.js";
import { Draft } from "./draft.js";
import { Texts } from "./texts.js";

type Given = Readonly<Record<string, unknown>>;

/** A draft of one statement. */
export abstract class StatementDraft<
  T extends Statement = Statement,
  R extends ResolvedStatement = ResolvedStatement,
> extends Draft<T> {
  #resolved: R | undefined;
  #whole: PreparedPlan | undefined;
  #optional: readonly string[] | undefined;
  // The key is the set of omitted parameters.
  #reduced: Texts | undefined;

  /** Resolves the statement, and adds all problems that were found while it was written. */
  protected abstract resolve(): R;

  get resolved(): R {
    this.#resolved ??= this.resolve();
    return this.#resolved;
  }

  get prepared(): PreparedPlan {
    if (this.#whole === undefined) {
      this.#whole = this.#prepare([]);
      this.accepted(this.#whole.sql.length);
    }
    return this.#whole;
  }

  get names(): ReadonlySet<string> {
    return this.prepared.names;
  }

  /** A call with these parameters. @throws {ParameterError} */
  request(params: CallParams): PlanRequest {
    const whole = this.prepared;
    this.#optional ??= optionalParamsOf(this.resolved);
    if (this.#optional.length === 0) return whole.request(params);
    const given = asRecord(params, this.source.table);
    return this.#textFor(given, whole).request(given, whole.names);
  }

  /** The text for the given parameters. */
  #textFor(given: Given, whole: PreparedPlan): PreparedPlan {
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

  #prepare(left: readonly string[]): PreparedPlan {
    const { grammar } = this.source;
    return new PreparedPlan(renderStatement(leavingOut(this.resolved, left, grammar), grammar));
  }
}

/** A draft of a statement that reads rows. */
export class ReadingDraft<T extends Reading = Reading> extends StatementDraft<T, ResolvedReading> {
  protected resolve(): ResolvedReading {
    return resolveReading(this.statement, this.source.grammar, this.problems);
  }
}

/** A draft of rows. */
export type SelectingDraft = ReadingDraft<SelectStatement | QueryStatement>;

/** The optional parameters that a call omits: one bit for each, or an empty text if it gives them all. */
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

/** The number of bits in a character below the surrogate range. */
const BITS = 15;
