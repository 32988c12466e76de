/** Reads the filters of a table: conditions of a row alone, which hold wherever the table is read or changed. */
import { describeType, listed, quoted, readParts } from "../../core/errors.js";
import { asCondition, type NamedCondition } from "../words/condition.js";
import { DeclarationError } from "../words/errors.js";
import { isName } from "../words/names.js";
import type { ColumnInfo } from "./declaration.js";

/**
 * The conditions by their names.
 * @throws {DeclarationError} for a name that is a field, and for what is not a condition of the table's own columns.
 */
export function filtersOf(
  table: string,
  columns: Readonly<Record<string, ColumnInfo>>,
  given: unknown,
): ReadonlyMap<string, object> {
  const filters = new Map<string, object>();
  if (given === undefined) return filters;
  const about = `the filters of table ${quoted(table)}`;
  const parts = readParts(given);
  if (parts === undefined)
    throw new DeclarationError(
      `${about} must be an object of conditions by name, not ${describeType(given)}`,
    );
  const fields = new Set(Object.keys(columns).map((field) => field.toLowerCase()));
  for (const [name, value] of Object.entries(parts)) {
    const where = `filter ${quoted(name)} of table ${quoted(table)}`;
    const refuse = (what: string): never => {
      throw new DeclarationError(`${where} ${what}`);
    };
    if (!isName(name)) refuse("cannot have that name: letters, digits and _, at most 63");
    if (fields.has(name.toLowerCase())) refuse("cannot have that name: a field has it");
    const condition = asCondition(value);
    if (condition === undefined)
      refuse(`must be a condition, c(…) or isNull(…) say, not ${describeType(value)}`);
    else filters.set(name, checked(condition, columns, refuse));
  }
  return filters;
}

function checked(
  { spec, names }: NamedCondition,
  columns: Readonly<Record<string, ColumnInfo>>,
  refuse: (what: string) => never,
): object {
  const { fields, params, others } = names;
  const [param] = params;
  if (param !== undefined) refuse(`holds the parameter ${quoted(param)}, which nobody gives: use value(…)`);
  const [other] = others;
  if (other !== undefined) refuse(`holds ${other}: a filter is a condition of a row alone`);
  const unknown = fields.find((field) => !Object.hasOwn(columns, field));
  if (unknown !== undefined)
    refuse(
      `names the field ${quoted(unknown)}, which the table does not have; fields: ${listed(Object.keys(columns))}`,
    );
  if (fields.length === 0) refuse("names no field");
  return spec;
}
