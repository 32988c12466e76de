/** The greatest and the least of several values on SQLite. */
import { type Extremes, filled } from "../grammar/extremes.js";

// Values of all kinds have one common order: numbers, texts, blobs.
export const sqliteExtremes: Extremes = (func) =>
  func === "greatest" ? filled("max", "ifnull", "-9e999") : filled("min", "ifnull", "x''");
