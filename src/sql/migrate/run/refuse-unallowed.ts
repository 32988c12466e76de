/** The steps that are refused: they lose data, drop something undeclared, or block, and nobody allowed them by name. */
import { quoted } from "../../../core/errors.js";
import type { FileStep } from "../text/migration-file.js";
import { MigrationError } from "../words/errors.js";
import { type Risk, refusalOf, type StepSubject } from "../words/step.js";

/** Whether the table of a step has no rows after the steps before it. */
type IsEmpty = (subject: StepSubject, before: readonly FileStep[]) => Promise<boolean>;

/**
 * Refuses the first step that is not allowed.
 * @param allow the words of allowed steps.
 * @param isEmpty whether a table has no rows: no step blocks on it.
 * @throws {MigrationError} `MIGRATION_REFUSED`, with the step and what allows it.
 */
export async function refuseUnallowed(
  steps: readonly FileStep[],
  file: string,
  allow: ReadonlySet<string>,
  isEmpty: IsEmpty,
): Promise<void> {
  for (const [i, step] of steps.entries()) {
    const reason = refusalOf(risksOf(step));
    if (reason === undefined || step.allowed || allow.has(step.words)) continue;
    const { subject } = step;
    if (reason === "blocks" && subject !== undefined && (await isEmpty(subject, steps.slice(0, i)))) continue;
    throw new MigrationError(
      "MIGRATION_REFUSED",
      `step ${quoted(step.words)} of ${quoted(file)} ${reason}: write (allowed) after its words, or allow ${quoted(step.words)}`,
      { file, step: step.words },
    );
  }
}

/** The risks that the marks of a step say; its words say that it drops a table or a column, whatever its marks are. */
function risksOf({ words, losesData, undeclared, blocks }: FileStep): Risk[] {
  const loses = losesData || /^drop (?:table|column)(?![\p{L}\p{N}_])/iu.test(words);
  return [
    ...(loses ? (["loses-data"] as const) : []),
    ...(undeclared ? (["undeclared"] as const) : []),
    ...(blocks ? (["blocks"] as const) : []),
  ];
}
