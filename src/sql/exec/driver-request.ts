/** Makes a driver's request from a prepared text and the values of one call. */

import type { DriverRequest } from "../contract/driver.js";
import type { UtcForm } from "../dialect/grammar.js";
import { writtenOut } from "./lists.js";
import type { About, Request } from "./prepared.js";
import type { Session } from "./session.js";

/** The request to a driver: its lists are written out, and its dates are in UTC. */
export function driverRequest({ prepared, values, batch }: Request, { grammar }: Session): DriverRequest {
  const { sql, pieces, table } = prepared;
  const { utc } = grammar;
  if (pieces === undefined && utc === undefined) return { prepared, sql, params: values, batch };
  const written = pieces === undefined ? { sql, params: values } : writtenOut(pieces, values, table, grammar);
  const isInUtc = utc !== undefined && (prepared.inUtc === true || holdsZoned(table.columns, utc));
  const zoned = isInUtc ? utc.statement(written.sql) : written.sql;
  const { levels } = prepared;
  const gathered = prepared.gathersText === true ? (grammar.gathersText?.(zoned) ?? zoned) : zoned;
  const text = levels === undefined ? gathered : (grammar.recursion.allowing?.(gathered, levels) ?? gathered);
  return { prepared, sql: text, params: written.params, batch };
}

const zonedTables = new WeakMap<object, boolean>();

/** Whether a server keeps a column of the table in the zone of the session. Only one dialect has such columns. */
function holdsZoned(columns: About["columns"], utc: UtcForm): boolean {
  let holds = zonedTables.get(columns);
  if (holds === undefined) {
    holds = Object.values(columns).some(({ storage }) => utc.appliesTo(storage));
    zonedTables.set(columns, holds);
  }
  return holds;
}
