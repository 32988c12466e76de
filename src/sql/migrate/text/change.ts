/** A change: the steps from a database to its declarations, and the text of the file that contains them. */

import { visible } from "../../../core/errors.js";
import { type Step, stepWords } from "../words/step.js";
import type { TextDialect } from "./dialect.js";
import { MAY_FAIL } from "./migration-file.js";
import { withoutBreaks } from "./one-line-literals.js";

/** The result of `diff`: the steps from the database to the declarations. */
export interface Change {
  readonly steps: readonly Step[];
  /** Whether there is nothing to do. */
  readonly isEmpty: boolean;
  /** The statements of all steps, in order. */
  sql(): string[];
  /** The file that `generate` writes, without a name and without marks `(allowed)`; empty if there is nothing to do. */
  text(): string;
}

/** The parts of a file other than its steps. */
interface ChangeText {
  readonly dialect: TextDialect;
  /** The name of the migration. */
  readonly name?: string | undefined;
  /** The words of the steps that are allowed to lose data, to drop something undeclared, or to block. */
  readonly allowed?: ReadonlySet<string> | undefined;
}

/** Makes the change of these steps. */
export function makeChange(steps: readonly Step[], dialect: TextDialect): Change {
  return Object.freeze<Change>({
    steps: Object.freeze([...steps]),
    isEmpty: steps.length === 0,
    sql: () => steps.flatMap(({ sql }) => sql),
    text: () => changeText(steps, { dialect }),
  });
}

/** The text of a file of these steps: a line that names its dialect, then each statement after a line `-- step`. */
export function changeText(
  steps: readonly Step[],
  { dialect, name, allowed = new Set() }: ChangeText,
): string {
  if (steps.length === 0) return "";
  const head = ["rowtype 1", dialect.name, ...(name === undefined ? [] : [name])].join(" · ");
  const lines = steps.flatMap((step) => {
    const line = `-- step ${stepWords(step)}${marksOf(step, dialect, allowed)}`;
    const note = noteOf(step);
    return step.sql.map((sql, i) => `${line}\n${i === 0 ? note : ""}${withoutBreaks(sql, dialect)}`);
  });
  return `-- ${head}\n${lines.join("\n")}\n`;
}

// The requirement on rows that the words do not state: for a rebuilt table, or a column that has no value yet.
function noteOf({ kind, risks, why }: Step): string {
  const isTold = risks.includes("may-fail") && (kind === "add column" || kind === "rebuild table");
  return isTold ? `${MAY_FAIL} ${visible(why)}\n` : "";
}

function marksOf(step: Step, { undoesDdl }: TextDialect, allowed: ReadonlySet<string>): string {
  const marks = [
    ...(!step.transaction && undoesDdl ? ["(no transaction)"] : []),
    ...(step.risks.includes("loses-data") ? ["(loses data)"] : []),
    ...(step.risks.includes("undeclared") ? ["(undeclared)"] : []),
    ...(step.risks.includes("blocks") ? ["(blocks)"] : []),
    ...(allowed.has(stepWords(step)) ? ["(allowed)"] : []),
  ];
  return marks.map((mark) => ` ${mark}`).join("");
}
