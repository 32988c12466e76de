/**
 * The rules of a table: columns that every change sets, and conditions that hold wherever the table is read or changed.
 * `without` gives a table some of whose rules are not in force.
 */
import { listed, quoted } from "../../core/errors.js";
import { DeclarationError } from "../words/errors.js";
import { isName, notName } from "../words/names.js";
import type { Auto, CheckedMeta, ColumnInfo, IndexInfo, Rules, Storage } from "./declaration.js";
import { filtersOf } from "./filters.js";

type Columns = Readonly<Record<string, ColumnInfo>>;

const NEEDS: Readonly<Record<Auto, string>> = {
  updated: "must be a date",
  version: "must be a whole number that is not null: z.int()",
  deleted: "must be a date that may be null: z.date().nullable()",
};

function fits(auto: Auto, { kind, integer }: Storage, nullable: boolean): boolean {
  if (auto === "version") return kind === "number" && integer === true && !nullable;
  return kind === "date" && (auto === "updated" || nullable);
}

/** What excludes `auto`, by the key of the metadata. */
const EXCLUDED = ["default", "generated", "primaryKey", "computed", "readOnly"] as const;

/**
 * The default of a column that every change sets: rows that others insert are right by it.
 * @throws {DeclarationError} for a column that cannot have such a rule.
 */
export function autoDefault(
  meta: CheckedMeta,
  storage: Storage,
  nullable: boolean,
  where: string,
): string | undefined {
  const { auto } = meta;
  if (auto === undefined) return undefined;
  for (const key of EXCLUDED)
    if (meta[key] !== undefined && meta[key] !== false)
      throw new DeclarationError(`column ${where} has auto ${quoted(auto)}, which excludes ${quoted(key)}`);
  if (!fits(auto, storage, nullable))
    throw new DeclarationError(`column ${where} has auto ${quoted(auto)} and ${NEEDS[auto]}`);
  if (auto === "deleted") return undefined;
  return auto === "version" ? "1" : "CURRENT_TIMESTAMP";
}

/**
 * The rules of a table; undefined if it has none.
 * @param filters its conditions by name, as an untyped caller may give them.
 * @throws {DeclarationError} for two columns of one rule, for one in the primary key, and for filters that cannot work.
 */
export function rulesOf(
  table: string,
  columns: Columns,
  primaryKey: readonly string[],
  filters: unknown,
): Rules | undefined {
  const of = (auto: Auto): string | undefined => {
    const [first, ...more] = Object.values(columns).flatMap((one) =>
      one.auto === auto ? [one.property] : [],
    );
    if (first === undefined) return undefined;
    if (more.length > 0)
      throw new DeclarationError(
        `table ${quoted(table)} has several columns of auto ${quoted(auto)} (${listed([first, ...more])}): one is needed`,
      );
    if (primaryKey.includes(first))
      throw new DeclarationError(
        `column ${quoted(first)} of table ${quoted(table)} has auto ${quoted(auto)} and cannot be in the primary key`,
      );
    if (auto === "version" && !isName(first))
      throw new DeclarationError(
        `column ${notName(first, "a parameter")}: the version in table ${quoted(table)} is one`,
      );
    return first;
  };
  const updated = of("updated");
  const version = of("version");
  const deleted = of("deleted");
  const declared = filtersOf(table, columns, filters);
  const all = deleted === undefined ? declared : new Map([...declared, [deleted, notDeleted(deleted)]]);
  if (updated === undefined && version === undefined && all.size === 0) return undefined;
  return Object.freeze({
    filters: all,
    declared: all,
    updated,
    version,
    deleted,
    demandsVersion: version !== undefined,
    left: NONE,
  });
}

/** @throws {DeclarationError} for an index of the rows that the filters leave, on a table without filters. */
export function checkVisible(table: string, indexes: readonly IndexInfo[], rules: Rules | undefined): void {
  if ((rules?.declared.size ?? 0) === 0 && indexes.some(({ visible }) => visible))
    throw new DeclarationError(
      `an index of table ${quoted(table)} is visible, which is of the rows that filters leave: the table has none`,
    );
}

const NONE: ReadonlySet<string> = new Set();

function notDeleted(field: string): object {
  return Object.freeze({ field, operator: "IS NULL", is_null: true });
}
