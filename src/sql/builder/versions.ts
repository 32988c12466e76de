/** Changes of tables with versions: whether a row that no change met is there in another version. */
import type { RequestCall } from "../exec/call.js";
import { fetchRows } from "../exec/execute.js";
import type { PlanRequest } from "../exec/prepared.js";
import type { ChangeStatement } from "../resolve/statement.js";
import { StaleVersionError } from "../words/errors.js";
import type { ChangeDraft } from "./draft/change-draft.js";

/**
 * Looks for the row of a call that changed nothing.
 * @param index the position of the record in a batch.
 * @throws {StaleVersionError} if it is there in another version.
 */
export async function requireCurrent<T extends ChangeStatement>(
  draft: ChangeDraft<T>,
  params: PlanRequest["params"],
  call: RequestCall,
  index?: number,
): Promise<void> {
  const { look } = draft;
  if (look === undefined) return;
  const rows = await fetchRows({ prepared: look, params, values: look.bind(params) }, call);
  if (rows.length > 0) throw new StaleVersionError(draft.source.table.name, index);
}
