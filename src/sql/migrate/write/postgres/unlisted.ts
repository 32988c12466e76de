/** Steps for parts that no declaration can say and that PostgreSQL would silently drop together with a column. */
import type { UnlistedPart } from "../../catalog/postgres/parts.js";
import type { TableDelta } from "../../diff/compare.js";
import { type Planned, planned, subjectOf, tableName } from "../plan.js";
import type { PostgresContext } from "./context.js";
import { isRemade } from "./recomputed.js";

/** Drops the parts on a column that is dropped or created again, if they are on other columns too. */
export function dropUnlisted({ actual, dropped, changed }: TableDelta, context: PostgresContext): Planned[] {
  const { grammar } = context;
  const { quote } = grammar;
  const gone = new Set(dropped.map(({ name }) => name));
  const remade = new Set(changed.filter(isRemade).map((one) => one.actual.name));
  const table = tableName(actual.schema, actual.name, grammar);
  const isLost = ({ columns }: UnlistedPart) =>
    columns.some((name) => remade.has(name)) ||
    (columns.some((name) => gone.has(name)) && !columns.every((name) => gone.has(name)));
  return context
    .unlistedParts(actual)
    .filter(isLost)
    .map(({ kind, name, columns }) => {
      const isIndex = kind === "index";
      const [column = ""] = columns.filter((one) => gone.has(one) || remade.has(one));
      return planned({
        phase: kind === "foreign key" ? "drop references" : "drop constraints",
        kind: `drop ${kind}`,
        ...subjectOf(actual.schema, actual.name),
        name,
        sql: [
          isIndex
            ? `DROP INDEX CONCURRENTLY IF EXISTS ${tableName(actual.schema, name, grammar)}`
            : `ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS ${quote(name)}`,
        ],
        ...(isIndex ? ({ transaction: false, lock: "none" } as const) : {}),
        risks: ["undeclared"],
        why: `no declaration can describe it, and it is dropped with the column ${quote(column)}: allow the step, and create it again in a step of your own if you still need it`,
      });
    });
}
