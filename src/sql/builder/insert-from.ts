/** New rows from a query: one statement that does not return its rows. */
import type { InnerQuery } from "../ast/inner-query.js";
import type { InsertStatement } from "../ast/statement.js";
import { fetchAffected, fetchStored } from "../exec/execute.js";
import type { CallParams } from "../exec/params.js";
import { PreparedPlan } from "../exec/prepared.js";
import { renderInsertFrom } from "../render/insert-from.js";
import { resolveInsertOf } from "../resolve/statement.js";
import { UnsupportedError } from "../words/errors.js";
import type { ExecOptions } from "../words/options.js";
import { Builder } from "./builder.js";
import { Draft } from "./draft/draft.js";
import type { InsertDraft } from "./draft/insert-draft.js";

/** A draft of an insert of the rows of a query. */
class InsertFromDraft extends Draft<InsertStatement> {
  #prepared: PreparedPlan | undefined;

  get prepared(): PreparedPlan {
    if (this.#prepared === undefined) {
      const { grammar } = this.source;
      const resolved = resolveInsertOf(this.statement, grammar, this.problems);
      this.#prepared = new PreparedPlan(renderInsertFrom(resolved, grammar));
      this.accepted(this.#prepared.sql.length);
    }
    return this.#prepared;
  }

  get names(): ReadonlySet<string> {
    return this.prepared.names;
  }
}

/** The draft of an insert, of the rows of a query. */
export function insertFrom(
  { source, spec, problems }: InsertDraft,
  from: InnerQuery,
  found: InsertDraft["problems"],
): InsertFromDraft {
  const { returning: _, ...rest } = spec;
  return new InsertFromDraft(source, "insert", { ...rest, from }, [...problems, ...found]);
}

export class InsertFromBuilder extends Builder<InsertStatement, InsertFromDraft> {
  /** The number of rows that were stored. */
  async exec(params?: CallParams, options?: ExecOptions): Promise<number> {
    if (this.isLast(params, options)) return this.exec(undefined, params);
    const { prepared, source } = this.draft;
    if (this.place.callbacks.onRecord !== null)
      throw new UnsupportedError(
        source.grammar.dialect,
        "execFrom where onRecord is set, which would not see the records",
        "read the rows, and store them with execBatch",
      );
    const request = prepared.request(this.given(params));
    const call = this.call(options, "INSERT_BATCH");
    const store = async () =>
      prepared.givesRows ? fetchStored(request, call) : fetchAffected(request, call);
    return call.session.changing(store, call.signal);
  }
}
