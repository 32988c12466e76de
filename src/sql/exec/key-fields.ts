/**
 * The fields of a violated key whose name the declarations do not know, because it was named elsewhere. If the server
 * reports only the name, it is asked for the columns, once for each key of a table.
 */
import { ConstraintError, type SqlError } from "../words/errors.js";
import type { About, Prepared } from "./prepared.js";
import type { Session } from "./session.js";

const known = new WeakMap<About["columns"], Map<string, readonly string[]>>();

/** Whether an error may be given the fields of its key. */
export function lacksFields(failure: SqlError, { table }: Prepared, { driver }: Session): boolean {
  return (
    driver.keyColumns !== undefined &&
    table.name !== "" &&
    failure instanceof ConstraintError &&
    failure.code === "UNIQUE_VIOLATION" &&
    failure.constraint !== undefined &&
    failure.fields.length === 0
  );
}

/** The error with the fields of its key; the same error if the server does not report them. */
export async function withFields(
  failure: SqlError,
  { table }: Prepared,
  session: Session,
): Promise<SqlError> {
  const { code, message, constraint, cause } = failure as ConstraintError;
  const request = constraint === undefined ? undefined : session.driver.keyColumns?.(table, constraint);
  if (request === undefined || constraint === undefined) return failure;
  const names = known.get(table.columns) ?? new Map<string, readonly string[]>();
  known.set(table.columns, names);
  let columns = names.get(constraint);
  if (columns === undefined) {
    try {
      columns = (await session.run(request, undefined)).rows.map(([column]) => String(column));
    } catch {
      // The first error is reported.
      return failure;
    }
    names.set(constraint, columns);
  }
  if (columns.length === 0) return failure;
  const fields = columns.map(propertyOf(table));
  return new ConstraintError(code, message, { constraint, fields }, { cause });
}

/** The property of a column by its name; a name that is not declared stays itself. */
export function propertyOf(table: About): (column: string) => string {
  const columns = Object.values(table.columns);
  return (name) => columns.find((column) => column.name === name)?.property ?? name;
}
