/** Makes a driver's request from a prepared text and the values of one call. */

import type { DriverRequest } from "../contract/driver.js";
import type { Grammar, InUtc, UtcForm } from "../dialect/grammar/grammar.js";
import { inUtcOf, stricter } from "../dialect/grammar/utc.js";
import { writtenOut } from "./lists.js";
import type { About, Prepared, Request } from "./prepared.js";
import type { Session } from "./session.js";

/** The request to a driver: its lists are written out, and its dates are in UTC. */
export function driverRequest({ prepared, values, batch }: Request, { grammar }: Session): DriverRequest {
  const { sql, pieces, table } = prepared;
  const { utc } = grammar;
  if (pieces === undefined && utc === undefined) return { prepared, sql, params: values, batch };
  const written = pieces === undefined ? { sql, params: values } : writtenOut(pieces, values, table, grammar);
  const inUtc = utc && stricter(prepared.inUtc, zoneOf(table.columns, utc));
  const zoned = () => withSettings(utc?.statement(written.sql) ?? written.sql, prepared, grammar);
  const text = inUtc === "always" ? zoned() : withSettings(written.sql, prepared, grammar);
  const { params } = written;
  return inUtc === "in other zones"
    ? { prepared, sql: text, params, batch, inUtc: zoned }
    : { prepared, sql: text, params, batch };
}

function withSettings(sql: string, { levels, needsLongText }: Prepared, grammar: Grammar): string {
  const gathered = needsLongText === true ? (grammar.allowingLongText?.(sql) ?? sql) : sql;
  return levels === undefined ? gathered : (grammar.recursion.allowing?.(gathered, levels) ?? gathered);
}

const zones = new WeakMap<object, InUtc | "never">();

/** The requirement of the dates of a table. Only one dialect has such columns. */
function zoneOf(columns: About["columns"], utc: UtcForm): InUtc | undefined {
  let zone = zones.get(columns);
  if (zone === undefined) {
    zone = inUtcOf(Object.values(columns), utc) ?? "never";
    zones.set(columns, zone);
  }
  return zone === "never" ? undefined : zone;
}
