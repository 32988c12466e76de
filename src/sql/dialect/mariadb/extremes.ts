/** The greatest and the least of several values on MariaDB. */
import type { ExtremeFunction } from "../../words/functions.js";
import { type ExtremeForm, type Extremes, filled } from "../grammar/extremes.js";

export const mariadbExtremes: Extremes = (func, { kind, integer, wide, precision = 0, scale = 0 }) => {
  const name = func.toUpperCase();
  const sign = func === "greatest" ? "-" : "";
  switch (kind) {
    case "text":
      return marked(func, "CONVERT({f} USING utf8mb4)", " COLLATE utf8mb4_nopad_bin");
    case "date": {
      const form = marked(func, "DATE_FORMAT({f}, '%Y-%m-%d %H:%i:%s.%f')", "");
      return around(form, (all) => `CAST(${all} AS DATETIME(3))`);
    }
    case "boolean":
      return filled(name, "IFNULL", func === "greatest" ? "-1" : "2");
    case "decimal":
      return filled(name, "IFNULL", `${sign}1${"0".repeat(precision - scale)}`);
    default: {
      // The greatest double: the server has no infinity.
      if (integer !== true && kind === "number") return filled(name, "IFNULL", `${sign}${Number.MAX_VALUE}`);
      const form = filled(name, "IFNULL", `${sign}${"9".repeat(wide === true ? SUM_DIGITS : WHOLE_DIGITS)}`);
      return wide === true ? form : around(form, (all) => `(${all} DIV 1)`);
    }
  }
};

function around(form: ExtremeForm, written: (all: string) => string): ExtremeForm {
  return { ...form, all: written(form.all), allNullable: written(form.allNullable) };
}

// More digits than 64 bits have, and than a sum of such numbers has.
const WHOLE_DIGITS = 20;
const SUM_DIGITS = 40;

/** Texts with a mark at the start, by which every text wins against the value that replaces NULL. */
function marked(func: ExtremeFunction, text: string, collation: string): ExtremeForm {
  const name = func.toUpperCase();
  const [wins, loses] = func === "greatest" ? ["1", "0"] : ["0", "1"];
  const operand = `CONCAT('${wins}', ${text})${collation}`;
  return {
    nullable: `IFNULL(${operand}, '${loses}')`,
    operand,
    allNullable: `SUBSTRING(NULLIF(${name}({f}), '${loses}'), 2)`,
    all: `SUBSTRING(${name}({f}), 2)`,
  };
}
