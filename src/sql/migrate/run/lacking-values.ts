/** The message of a step that failed because rows have no value for a column: the column, and what to do. */
import { quoted } from "../../../core/errors.js";
import { ConstraintError, isSqlError, type SqlError } from "../../words/errors.js";
import type { FileStep } from "../text/migration-file.js";
import { NOT_NULL_END } from "../words/step.js";
import type { LackingCodes } from "./dialect.js";

/**
 * The sentence; undefined for a step that failed for another reason.
 * @param next the step after it: PostgreSQL validates a check before it sets NOT NULL.
 * @param codes the codes of the driver's errors.
 */
export function lackingValue(
  error: unknown,
  { subject }: FileStep,
  next: FileStep | undefined,
  codes?: LackingCodes,
): string | undefined {
  if (!isSqlError(error) || subject === undefined) return undefined;
  const { kind, table, name = "" } = subject;
  const rows = `rows of ${quoted(table)} have no value for`;
  const fill = "give it a default, make it nullable first, or fill it in these rows";
  const code = codes?.codeOf(error.cause);
  const isNull = error.code === "NOT_NULL_VIOLATION";
  switch (kind) {
    case "add column":
      return isNull || breaksCheck(error)
        ? `${rows} the new column ${quoted(name)}: give it a default, or make it nullable first`
        : undefined;
    case "set not null":
      return isNull || codes?.inColumn.includes(code) === true
        ? `${rows} column ${quoted(name)}: ${fill}`
        : undefined;
    case "validate check":
      return error.code === "CHECK_VIOLATION" && next?.subject?.kind === "set not null"
        ? `${rows} column ${quoted(next.subject.name ?? "")}: ${fill}`
        : undefined;
    case "rebuild table": {
      if (codes?.inKey?.includes(code) === true) return `${rows} its key: ${fill}`;
      const column = error instanceof ConstraintError ? error.fields?.[0] : undefined;
      return isNull && column !== undefined ? `${rows} column ${quoted(column)}: ${fill}` : undefined;
    }
    default:
      return undefined;
  }
}

// The temporary check: a separate step adds the check of a declaration.
function breaksCheck(error: SqlError): boolean {
  return (
    error instanceof ConstraintError &&
    error.code === "CHECK_VIOLATION" &&
    error.constraint?.endsWith(NOT_NULL_END) === true
  );
}
