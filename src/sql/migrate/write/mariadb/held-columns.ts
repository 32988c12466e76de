/** Columns of MariaDB that are dropped although an undeclared index is over them and over others. */
import { quoted } from "../../../../core/errors.js";
import type { TableDelta } from "../../diff/compare.js";
import { mentions } from "../../text/expressions.js";
import { mariadbText } from "../../text/mariadb.js";
import { MigrationError } from "../../words/errors.js";
import { stepWords } from "../../words/step.js";
import type { PlanContext } from "../dialect.js";
import { subjectOf } from "../plan.js";

/**
 * The server would refuse to drop such a column, or leave an index on the others that nobody made.
 * @throws {MigrationError} `MIGRATION_REFUSED`
 */
export function refuseHeldColumns(delta: TableDelta, context: PlanContext): void {
  const { actual, declared, dropped } = delta;
  for (const { name: column } of dropped)
    for (const { name, text } of indexesOver(column, delta, context)) {
      const others = actual.columns.map((one) => one.name).filter((one) => one !== column);
      if (!mentions(text, new Set(others), mariadbText)) continue;
      const subject = { ...subjectOf(declared.schema, declared.catalog.name), name: column };
      const step = stepWords({ kind: "drop column", ...subject });
      throw new MigrationError(
        "MIGRATION_REFUSED",
        `the step ${step} is refused: index ${quoted(name)} is over it and other columns: drop it first, and create it again afterwards`,
        { step },
      );
    }
}

/** The indexes over a column that no declaration says. */
export function indexesOver(
  column: string,
  { actual }: TableDelta,
  { catalog }: PlanContext,
): readonly { readonly name: string; readonly text: string }[] {
  return catalog.unknown
    .filter(
      ({ kind, table, schema }) =>
        kind.endsWith("index") && table === actual.name && schema === actual.schema,
    )
    .map(({ name, definition }) => ({
      name,
      // Without its name, which may also be that of a column.
      text: definition?.slice(definition.indexOf("(")) ?? "",
    }))
    .filter(({ text }) => mentions(text, new Set([column]), mariadbText));
}
