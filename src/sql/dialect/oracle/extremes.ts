/** The greatest and the least of several values on Oracle. */
import type { ExtremeFunction } from "../../words/functions.js";
import { type ExtremeForm, type Extremes, filled } from "../grammar/extremes.js";

export const oracleExtremes: Extremes = (func, { kind, integer }) => {
  const isGreatest = func === "greatest";
  const filledBy = (loser: string) => filled(func.toUpperCase(), "NVL", loser);
  switch (kind) {
    case "text":
      return marked(func);
    case "date":
      return filledBy(
        `TIMESTAMP '${isGreatest ? "-4712-01-01 00:00:00" : "9999-12-31 23:59:59.999999"} +00:00'`,
      );
    case "boolean":
      return filledBy(isGreatest ? "-1" : "2");
    default: {
      const loser = kind === "number" && integer !== true ? "BINARY_DOUBLE_INFINITY" : "1E100";
      return filledBy(isGreatest ? `-${loser}` : loser);
    }
  }
};

// NULL is the empty text, and after a mark it is the least text.
function marked(func: ExtremeFunction): ExtremeForm {
  const all = `SUBSTR(${func.toUpperCase()}({f}), 2)`;
  if (func === "greatest") return { nullable: "'1' || {f}", operand: "'1' || {f}", allNullable: all, all };
  return { nullable: "NVL(NULLIF('0' || {f}, '0'), '1')", operand: "'0' || {f}", allNullable: all, all };
}
