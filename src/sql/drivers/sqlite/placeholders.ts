/** Where the values of a statement stand in its text. */
import { sqliteScan } from "../../dialect/sqlite/scan.js";

/** The parts of a text that are no code, and the placeholders. */
export const PARTS: RegExp = new RegExp(`${sqliteScan.skipped}|\\?`, "g");

/** The number of placeholders in a text. */
export function placesIn(sql: string): number {
  let places = 0;
  for (const [part] of sql.matchAll(PARTS)) if (part === "?") places++;
  return places;
}

/**
 * Refuses a value too few, which `node:sqlite` and `bun:sqlite` would take for null.
 * @throws {RangeError} in the words of better-sqlite3
 */
export function checkValues({ length }: readonly unknown[], places: number): void {
  if (length < places) throw new RangeError("Too few parameter values were provided");
}
