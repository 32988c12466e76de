/** Calls `onRecord` with the records of an insert. */
import type { AnyTable } from "../../declare/declaration.js";
import type { RequestCall } from "../../exec/call.js";
import { type Callback, callBack, type RecordPlace } from "../../exec/callbacks.js";
import { fixedValues, lent, type RecordValues, returned } from "../../exec/record.js";
import { ParameterError } from "../../words/errors.js";

/**
 * Calls `onRecord` with a copy of a valid record; the changed values are validated again.
 * @param table what the record gives.
 */
export async function calledBack(
  valid: RecordValues,
  onRecord: Callback<Record<string, unknown>>,
  table: AnyTable,
  call: RequestCall,
  place: RecordPlace,
): Promise<RecordValues> {
  const copy = lent(valid);
  const fixed = fixedValues(table);
  // The callback sees the whole record. Its changes to the fields of the scope are ignored.
  Object.assign(copy.own, fixed);
  await callBack(onRecord, copy.own, table, call, place);
  for (const property of Object.keys(fixed)) delete copy.own[property];
  return inPlace(place, () => returned(copy, table));
}

/** Runs `work`; a {@link ParameterError} then has the place of the record. */
export function inPlace<T>({ index, path }: RecordPlace, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ParameterError)) throw error;
    if (path !== undefined) throw error.within(path, index);
    throw index === undefined ? error : error.at(index);
  }
}
