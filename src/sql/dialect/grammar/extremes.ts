/**
 * The greatest and the least of several values without NULLs. PostgreSQL ignores NULLs. Elsewhere a single NULL would
 * be the result: there a value that no operand has and that never wins replaces NULL in each operand, and becomes NULL
 * again if it is the result. Each operand is written once, so nested calls stay short.
 */
import type { Storage } from "../../declare/declaration.js";
import type { ExtremeFunction } from "../../words/functions.js";

/** How a function of several values is written. */
export interface ExtremeForm {
  /** One operand, `{f}`, that may be null, and one that is never null. */
  readonly nullable: string;
  readonly operand: string;
  /** All operands, `{f}` with commas, if all may be null, and if at least one is never null. */
  readonly allNullable: string;
  readonly all: string;
}

/** The form for values of a storage. A column has the collation that it was declared with. */
export type Extremes = (func: ExtremeFunction, storage: Storage, isColumn: boolean) => ExtremeForm;

/** Operands in which `loser`, a value that never wins, replaces NULL. */
export function filled(name: string, ifNull: string, loser: string): ExtremeForm {
  return {
    nullable: `${ifNull}({f}, ${loser})`,
    operand: "{f}",
    allNullable: `NULLIF(${name}({f}), ${loser})`,
    all: `${name}({f})`,
  };
}
