/**
 * The greatest and the least of several values without NULLs. PostgreSQL leaves them out by itself. Elsewhere a single
 * NULL would be the result: each operand then has in its place a value that no operand has and that never wins, and
 * what remains of that becomes NULL. So each operand is written once, and nested calls stay short.
 */
import type { Storage } from "../../declare/declaration.js";
import type { Dialect } from "../../words/dialect.js";
import type { ExtremeFunction } from "../../words/functions.js";

/** How a function of several values is written. */
export interface ExtremeForm {
  /** One operand, `{f}`, that may be null, and one that is never null. */
  readonly nullable: string;
  readonly operand: string;
  /** All of them, `{f}` with commas, where all may be null, and where one is never null. */
  readonly allNullable: string;
  readonly all: string;
}

/** The form for values of a storage. A column has the collation that it was declared with. */
export type Extremes = (func: ExtremeFunction, storage: Storage, isColumn: boolean) => ExtremeForm;

const postgres: Extremes = (func, { kind }, isColumn) => {
  const operand = kind === "text" && !isColumn ? '{f} COLLATE "C"' : "{f}";
  const all = `${func}({f})`;
  return { nullable: operand, operand, allNullable: all, all };
};

/** Operands with a value in the place of NULL, `loser`, which never wins. */
function filled(name: string, ifNull: string, loser: string): ExtremeForm {
  return {
    nullable: `${ifNull}({f}, ${loser})`,
    operand: "{f}",
    allNullable: `NULLIF(${name}({f}), ${loser})`,
    all: `${name}({f})`,
  };
}

// Values of all kinds have one order: numbers, texts, blobs.
const sqlite: Extremes = (func) =>
  func === "greatest" ? filled("max", "ifnull", "-9e999") : filled("min", "ifnull", "x''");

const mariadb: Extremes = (func, { kind, integer, wide, precision = 0, scale = 0 }) => {
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
      // The end of the doubles: beyond it the server knows none.
      if (integer !== true && kind === "number") return filled(name, "IFNULL", `${sign}${Number.MAX_VALUE}`);
      const form = filled(name, "IFNULL", `${sign}${"9".repeat(wide === true ? SUM_DIGITS : WHOLE_DIGITS)}`);
      return wide === true ? form : around(form, (all) => `(${all} DIV 1)`);
    }
  }
};

function around(form: ExtremeForm, written: (all: string) => string): ExtremeForm {
  return { ...form, all: written(form.all), allNullable: written(form.allNullable) };
}

// More than 64 bits have, and than a sum of them.
const WHOLE_DIGITS = 20;
const SUM_DIGITS = 40;

/** Texts behind a mark by which every one of them wins against what stands in the place of NULL. */
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

const oracle: Extremes = (func, { kind, integer }) => {
  const isGreatest = func === "greatest";
  const filledBy = (loser: string) => filled(func.toUpperCase(), "NVL", loser);
  switch (kind) {
    case "text":
      return markedOnOracle(func);
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

// NULL is the empty text, and behind a mark the least one.
function markedOnOracle(func: ExtremeFunction): ExtremeForm {
  const all = `SUBSTR(${func.toUpperCase()}({f}), 2)`;
  if (func === "greatest") return { nullable: "'1' || {f}", operand: "'1' || {f}", allNullable: all, all };
  return { nullable: "NVL(NULLIF('0' || {f}, '0'), '1')", operand: "'0' || {f}", allNullable: all, all };
}

/** How each dialect writes them. */
export const extremes: { readonly [D in Dialect]: Extremes } = { postgres, mariadb, sqlite, oracle };
