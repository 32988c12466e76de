/** Whether a step in which a runner died was done: the database may show it, or the step may simply run again. */
import { quoted } from "../../../core/errors.js";
import type { Database } from "../../door/database.js";
import { readCatalog } from "../catalog/read.js";
import { checksumOf, type FileStep } from "../text/migration-file.js";
import type { Migration } from "../text/migration-folder.js";
import type { Catalog } from "../words/catalog.js";
import { MigrationError } from "../words/errors.js";
import { runsOf } from "../words/reading.js";
import type { StepKind, StepSubject } from "../words/step.js";
import type { RunDialect } from "./dialect.js";
import type { MigrationRecord } from "./records.js";
import type { MigrationRun } from "./run.js";

/** A statement that changes rows: its transaction would have recorded it. */
const CHANGES_ROWS = /^\s*(?:insert|update|delete|replace|merge|with|select|values)\b/i;
/** A statement that has no effect the second time, on every database. */
const REPEATABLE = /\bif\s+(?:not\s+)?exists\b|^\s*create\s+or\s+replace\b/i;
const REPEATABLE_KINDS: ReadonlySet<StepKind> = new Set<StepKind>([
  ...(["change type", "set not null", "drop not null", "set default", "drop default"] as const),
  ...(["comment table", "comment view", "comment column", "backfill column", "change column"] as const),
  ...(["validate foreign key", "validate check"] as const),
]);

/**
 * Whether a step in which a runner died was done.
 * @throws {MigrationError} `MIGRATION_INTERRUPTED` if the database does not tell.
 */
export async function isDoneAlready(
  { db, dialect }: Pick<MigrationRun, "db" | "dialect">,
  { file, name, steps }: Migration,
  step: FileStep,
  record: MigrationRecord,
): Promise<boolean> {
  // Its author has changed it since, and knows what to do.
  if (record.cursor !== checksumOf(step.sql)) return false;
  const { repeatable, halves } = dialect;
  if (halves !== undefined) {
    const isWhole = await halves.isWhole(db, step.sql);
    if (isWhole !== undefined) return isWhole;
  } else if (step.transaction && CHANGES_ROWS.test(step.sql)) return false;
  if (REPEATABLE.test(step.sql) || repeatable.test(step.sql)) return false;
  const { subject } = step;
  if (subject !== undefined && REPEATABLE_KINDS.has(subject.kind)) return false;
  // Several steps have the same words: these do not tell which of them was done.
  const isOnly = steps?.filter(({ words }) => words === step.words).length === 1;
  const shown = subject !== undefined && isOnly ? await shownBy(db, dialect, subject) : undefined;
  if (shown !== undefined) return shown;
  throw new MigrationError(
    "MIGRATION_INTERRUPTED",
    `a runner ended within step ${quoted(step.words)} of ${quoted(file)}: look whether it was done, then accept ${quoted(name)} if it was, or change the step`,
    { file, step: step.words },
  );
}

/** Whether the catalog shows the effect of a step; undefined if it does not tell. */
async function shownBy(
  db: Database,
  { catalog: reads }: RunDialect,
  subject: StepSubject,
): Promise<boolean | undefined> {
  if (reads === undefined) return undefined;
  const { schema = null } = subject;
  const catalog = await readCatalog(reads, runsOf(db), { schemas: [schema] }, []);
  const [verb] = subject.kind.split(" ", 1);
  if (verb === "create" || verb === "add") return isThere(catalog, subject);
  if (verb !== "drop") return undefined;
  const found = isThere(catalog, subject);
  return found === undefined ? undefined : !found;
}

/** Whether the catalog has the subject of a step; undefined if it does not tell. */
function isThere(catalog: Catalog, { kind, table: name, name: part }: StepSubject): boolean | undefined {
  const hasName = (list: readonly { readonly name: string | null }[], wanted: string | undefined) =>
    list.some((one) => one.name === wanted);
  switch (kind) {
    case "create table":
    case "drop table":
      return hasName(catalog.tables, name) || catalog.unknown.some((one) => one.name === name);
    case "create view":
    case "drop view":
      return hasName(catalog.views, name);
    case "create enum":
    case "drop enum":
      return hasName(catalog.enums, name);
    case "add value":
      return catalog.enums.some(({ name: of, values }) => of === name && values.includes(part ?? ""));
  }
  // A table that is not listed, such as a partition, may exist all the same.
  const table = catalog.tables.find((one) => one.name === name);
  if (table === undefined) return undefined;
  // So may a part that is not listed, such as an index that no declaration can say.
  const hasUnlisted = catalog.unknown.some((one) => one.table === name && one.name === part);
  switch (kind) {
    case "add column":
    case "drop column":
      return hasName(table.columns, part);
    case "add primary key":
    case "drop primary key":
      return table.primaryKey !== null || hasUnlisted;
    case "add foreign key":
    case "drop foreign key":
      return hasName(table.foreignKeys, part) || hasUnlisted;
    case "add check":
    case "drop check":
      return hasName(table.checks, part) || hasUnlisted;
    case "add unique":
    case "drop unique":
    case "create index":
    case "drop index":
      return hasName(table.keys, part) || hasName(table.indexes, part) || hasUnlisted;
    default:
      return undefined;
  }
}
