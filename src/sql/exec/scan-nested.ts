/** Calls `onScan` for nested rows: the callbacks of their own table, before those of the outer row. */
import type { AnyTable } from "../declare/declaration.js";
import type { Output } from "../value/output.js";
import type { RequestCall } from "./call.js";
import { type Callbacks, callBack } from "./callbacks.js";
import type { DecodedRow } from "./decode.js";
import type { PreparedPlan } from "./prepared.js";

type CallbacksOf = (table: AnyTable) => Callbacks | undefined;

/** The table of rows, and the callbacks of all tables of the database. */
interface Scanned {
  readonly table: AnyTable;
  readonly callbacksOf: CallbacksOf;
}

/** Whether a callback reads nested rows. */
export function isScannedInside(
  { plan, output }: Pick<PreparedPlan, "plan" | "output">,
  { callbacksOf }: Pick<Scanned, "callbacksOf">,
): boolean {
  return plan.nests === true && areScanned(output, callbacksOf);
}

/**
 * Calls the callbacks of nested rows; undefined if there are no such callbacks or rows.
 * @param prepared the text that returned the rows.
 */
export function scannedInside(
  rows: readonly DecodedRow[],
  prepared: PreparedPlan,
  scanned: Scanned,
  call: RequestCall,
): Promise<void> | undefined {
  return isScannedInside(prepared, scanned) ? scanNested(rows, scanned, prepared.output, call) : undefined;
}

/** Whether a callback reads nested rows of these outputs. */
function areScanned(outputs: readonly Output[], callbacksOf: CallbacksOf): boolean {
  return outputs.some(({ nested }) => {
    if (nested === undefined) return false;
    return hasScan(nested.table, callbacksOf) || areScanned(nested.outputs, callbacksOf);
  });
}

function hasScan(table: AnyTable, callbacksOf: CallbacksOf): boolean {
  const { onScan = null } = callbacksOf(table) ?? {};
  return onScan !== null;
}

/** Calls the callbacks of rows, and of the rows nested in them. */
async function scanNested(
  rows: readonly DecodedRow[],
  { table, callbacksOf }: Scanned,
  outputs: readonly Output[],
  call: RequestCall,
): Promise<void> {
  for (const row of rows) {
    await scanInside(row, outputs, callbacksOf, call);
    const { onScan = null } = callbacksOf(table) ?? {};
    if (onScan !== null) await callBack(onScan, row, table, call);
  }
}

/** Calls the callbacks of the rows nested in a row. */
async function scanInside(
  row: DecodedRow,
  outputs: readonly Output[],
  callbacksOf: CallbacksOf,
  call: RequestCall,
): Promise<void> {
  for (const { name, nested } of outputs) {
    if (nested === undefined) continue;
    const { onScan = null } = callbacksOf(nested.table) ?? {};
    for (const inner of rowsIn(row[name])) {
      await scanInside(inner, nested.outputs, callbacksOf, call);
      if (onScan !== null) await callBack(onScan, inner, nested.table, call);
    }
  }
}

// The value is a list of rows, a row, or null.
function rowsIn(value: unknown): readonly DecodedRow[] {
  if (Array.isArray(value)) return value;
  return value === null || value === undefined ? [] : [value as DecodedRow];
}
