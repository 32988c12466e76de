/** What PostgreSQL does not change while a view reads it. */
import type { TableDelta } from "../../diff/compare.js";
import { stepWords } from "../../words/step.js";
import type { Gone, Touched } from "../dialect.js";
import { subjectOf } from "../plan.js";

/** The columns, keys, tables and types that no view may read. */
export function touchedOnPostgres(
  deltas: readonly TableDelta[],
  { tables, enums }: Gone,
): readonly Touched[] {
  return [
    ...deltas.flatMap(touchedIn),
    ...tables.map(({ schema, name }) => ({
      schema,
      name,
      step: stepWords({ kind: "drop table", ...subjectOf(schema, name) }),
    })),
    ...enums.rebuilt.map(({ schema, type: { name } }) => ({
      schema,
      name,
      step: stepWords({ kind: "rebuild enum", ...subjectOf(schema, name) }),
    })),
  ];
}

function touchedIn({ actual, declared, changed, dropped, primaryKey }: TableDelta): Touched[] {
  const { schema, name } = actual;
  const now = subjectOf(declared.schema, declared.catalog.name);
  return [
    ...changed
      .filter(({ type, computed }) => type || computed)
      .map((one) => {
        const kind = one.declared.computed === null ? "change type" : "recompute column";
        const step = stepWords({ kind, ...now, name: one.declared.name });
        return { schema, name, column: one.actual.name, step };
      }),
    ...dropped.map((column) => ({
      schema,
      name,
      column: column.name,
      step: stepWords({ kind: "drop column", ...now, name: column.name }),
    })),
    // A view that groups by the key depends on it.
    ...primaryKey.drop.map((key) => ({
      schema,
      name,
      step: stepWords({ kind: "drop primary key", ...subjectOf(schema, name), name: key.name ?? "" }),
    })),
  ];
}
