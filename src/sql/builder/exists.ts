/** Whether a row meets the conditions: a query of one field of one row. */
import type { QueryStatement } from "../ast/statement.js";
import type { AnyTable } from "../declare/declaration.js";
import { fetchRows } from "../exec/execute.js";
import type { CallParams } from "../exec/params.js";
import type { ExecOptions } from "../words/options.js";
import { OptionallyFilteredBuilder } from "./optional.js";

type Spec = QueryStatement["spec"];

/** The query that is sent. */
export function existsSpec(
  { columns, primaryKey }: AnyTable,
  { where, joins }: Pick<Spec, "where" | "joins">,
): Spec {
  // A field that always exists and is small: one of the key, if there is a key.
  const [field = Object.keys(columns)[0]] = primaryKey;
  // A query with problems has no columns.
  const fields = field === undefined ? {} : { fields: [field] };
  return { ...fields, where, limit: 1, ...(joins === undefined ? {} : { joins }) };
}

export class ExistsBuilder extends OptionallyFilteredBuilder<QueryStatement> {
  async exec(params?: CallParams, options?: ExecOptions): Promise<boolean> {
    if (this.isLast(params, options)) return this.exec(undefined, params);
    const request = this.draft.request(this.given(params));
    const rows = await fetchRows(request, this.call(options, "QUERY"));
    return rows.length > 0;
  }

  protected override shownSpec(): object {
    const { where, joins } = this.spec;
    return { ...(where === undefined ? {} : { where }), ...(joins === undefined ? {} : { joins }) };
  }
}
