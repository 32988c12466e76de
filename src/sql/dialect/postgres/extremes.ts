/** The greatest and the least of several values on PostgreSQL. */
import type { Extremes } from "../grammar/extremes.js";

export const postgresExtremes: Extremes = (func, { kind }, isColumn) => {
  const operand = kind === "text" && !isColumn ? '{f} COLLATE "C"' : "{f}";
  const all = `${func}({f})`;
  return { nullable: operand, operand, allNullable: all, all };
};
