/**
 * Columns that PostgreSQL computes from others: while such a column exists, the type of a column that it reads cannot
 * change. It is dropped before and created again after, and the server computes its values again.
 */
import { type ColumnChange, columnOf, type TableDelta } from "../../diff/compare.js";
import { mentions } from "../../text/expressions.js";
import { postgresText } from "../../text/postgres.js";
import { touchedOf } from "../plan.js";

/** The difference with every computed column that reads one whose type changes. */
export function withRecomputed(delta: TableDelta): TableDelta {
  const { actual, declared, changed, renames } = delta;
  const retyped = touchedOf(delta).before;
  const isChanged = new Set(changed.map((one) => one.actual.name));
  const again = actual.columns.flatMap((column): ColumnChange[] => {
    if (column.computed === null || isChanged.has(column.name)) return [];
    if (!mentions(column.computed.expression, retyped, postgresText)) return [];
    const wanted = columnOf(declared.catalog, renames.get(column.name) ?? column.name);
    return wanted === undefined ? [] : [{ ...SAME, actual: column, declared: wanted, computed: true }];
  });
  return {
    ...delta,
    // A comment is dropped with its column.
    changed: [...changed, ...again].map((one) =>
      isRemade(one) ? { ...one, comment: one.declared.comment !== null } : one,
    ),
  };
}

const SAME = { type: false, nullable: false, default: false, generated: false, comment: false };

/** Whether a column is dropped and created again: with a changed expression, its values come from other columns. */
export function isRemade({ computed, type, declared }: ColumnChange): boolean {
  return declared.computed !== null && (computed || type);
}
