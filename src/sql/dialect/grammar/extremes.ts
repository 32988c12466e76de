/**
 * The greatest and the least of several values without NULLs. PostgreSQL leaves them out by itself. Elsewhere a single
 * NULL would be the result: each operand then has in its place a value that no operand has and that never wins, and
 * what remains of that becomes NULL. So each operand is written once, and nested calls stay short.
 */
import type { Storage } from "../../declare/declaration.js";
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

/** Operands with a value in the place of NULL, `loser`, which never wins. */
export function filled(name: string, ifNull: string, loser: string): ExtremeForm {
  return {
    nullable: `${ifNull}({f}, ${loser})`,
    operand: "{f}",
    allNullable: `NULLIF(${name}({f}), ${loser})`,
    all: `${name}({f})`,
  };
}
