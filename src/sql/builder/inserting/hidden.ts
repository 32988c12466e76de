/**
 * Conflicts of an insert with rows that a rule of the table hides. Such a row is neither kept nor updated, because nobody
 * sees it: the conflict is a violated key.
 */
import type { RequestCall } from "../../exec/call.js";
import { fetchRows } from "../../exec/execute.js";
import { ConstraintError } from "../../words/errors.js";
import type { InsertDraft, InsertRequest } from "../draft/insert-draft.js";

/**
 * Looks for the existing row of a record that was not stored.
 * @throws {ConstraintError} `UNIQUE_VIOLATION` if none is there for everyone.
 */
export async function requireSeen(
  draft: InsertDraft,
  insert: InsertRequest,
  call: RequestCall,
): Promise<void> {
  if (!draft.mayHide) return;
  const look = draft.existing(insert.record);
  if (look === undefined) return;
  const { prepared, params } = look;
  const rows = await fetchRows({ prepared, params, values: prepared.bind(params) }, call);
  if (rows.length === 0) throw hiddenConflict(draft, insert.index);
}

/** The error of a conflict with a hidden row. */
export function hiddenConflict({ key, source }: InsertDraft, index?: number): ConstraintError {
  const { name } = source.table;
  const message = `a row of "${name}" that a rule hides has the same key: restore or remove it by without(…)`;
  return new ConstraintError("UNIQUE_VIOLATION", message, { fields: key ?? [], index });
}
