/** `generate`: writes the difference between a database and its declarations as the next file of a folder. */
import { mkdir } from "node:fs/promises";
import { listed, quoted } from "../../core/errors.js";
import type { Database } from "../door/database.js";
import type { Dialect } from "../words/dialect.js";
import { readOptions } from "../words/known-options.js";
import { migrationDialect } from "./dialects/dialects.js";
import { diff } from "./diff.js";
import { revertOf } from "./revert.js";
import { readRecords } from "./run/records.js";
import { standingOf } from "./run/standing.js";
import { openScratch } from "./scratch.js";
import { type Change, changeText } from "./text/change.js";
import { addToFolder, checkLabel, labelsWithout, readFolder } from "./text/migration-folder.js";
import type { OpenedDatabase } from "./words/config.js";
import type { DeclaredTables } from "./words/declared-list.js";
import { MigrationError } from "./words/errors.js";
import { checkDatabase, textsOf } from "./words/options.js";
import { refusalOf, stepWords } from "./words/step.js";

/** Options of `generate`. */
export interface GenerateOptions {
  readonly folder: string;
  /** The words of the file's name: `add-teams`. */
  readonly name: string;
  /**
   * The words of steps that may lose data, drop something undeclared, or block: `["drop column people.age"]`. They are
   * marked in the file.
   */
  readonly allow?: readonly string[] | undefined;
  /** Names of tables that are left alone, `*` for any characters. */
  readonly ignore?: readonly string[] | undefined;
  /** `"tables"`: tables that exist and are not declared are dropped. */
  readonly drop?: "tables" | undefined;
  /** The name of a migration, or its words, as `add-teams`: its changes of the structure are undone, and the declarations are ignored. */
  readonly revert?: string | undefined;
  /** Opens an empty database for `revert`; by default one next to this one, which it creates and drops. */
  readonly scratch?: (() => OpenedDatabase | Promise<OpenedDatabase>) | undefined;
  /** The dialects of the folder's files; with several, the name of a file contains its dialect. */
  readonly dialects?: readonly Dialect[] | undefined;
}

const OPTIONS = ["folder", "name", "allow", "ignore", "drop", "dialects", "revert", "scratch"] as const;

/**
 * Writes what `diff` finds as a new file, and returns its path; `null` if there is nothing to do. The database must
 * have every migration of the folder: the file starts from it. The database is not changed.
 * @throws {MigrationError} `MIGRATION_REFUSED` for a database that is behind the folder, for a step that loses data,
 * drops something undeclared or blocks, and is not allowed by its words, or a migration that cannot be undone alone.
 * @example
 * import { generate } from "rowtype/migrate";
 * const path = await generate([User, Team], db, { folder: "migrations", name: "add-teams" });
 */
export async function generate(
  tables: DeclaredTables,
  db: Database,
  given: GenerateOptions,
): Promise<string | null> {
  checkDatabase(db, "generate");
  const options = readOptions(given, OPTIONS, "generate");
  const { folder, name, ignore, drop, dialects = [] } = options;
  checkLabel(name);
  const allowed = new Set(textsOf(options.allow, "allow"));
  await mkdir(folder, { recursive: true });
  await checkHead(db, folder, name);
  const { revert } = options;
  const asked = { ...(ignore === undefined ? {} : { ignore }), ...(drop === undefined ? {} : { drop }) };
  const change =
    revert === undefined
      ? await diff(tables, db, asked)
      : await inScratch(db, options.scratch, (scratch) =>
          revertOf(db, scratch, { folder, revert, ignore: ignore ?? [] }),
        );
  if (change.isEmpty) return null;
  checkSteps(change, allowed);
  const text = changeText(change.steps, { dialect: migrationDialect(db.dialect), name, allowed });
  return addToFolder(folder, { label: name, text, suffix: dialects.length > 1 ? db.dialect : undefined });
}

async function inScratch(
  db: Database,
  open: GenerateOptions["scratch"],
  work: (scratch: Database) => Promise<Change>,
): Promise<Change> {
  const opened = open === undefined ? await openScratch(db) : await open();
  try {
    return await work(opened.db);
  } finally {
    await opened.close?.();
  }
}

async function checkHead(db: Database, folder: string, label: string): Promise<void> {
  // The file of another dialect, to which this call adds its own.
  const dialect = migrationDialect(db.dialect);
  const twins = await labelsWithout(folder, db.dialect);
  const migrations = await readFolder(folder, dialect, twins.has(label) ? label : undefined);
  const { pending, missing, changed } = standingOf(migrations, await readRecords({ db, dialect }));
  const differing = [...pending.map(({ migration }) => migration), ...missing, ...changed];
  if (differing.length > 0)
    throw new MigrationError(
      "MIGRATION_REFUSED",
      `the database is not at the head of ${quoted(folder)}: migrate first; these differ: ${listed(differing.map((one) => one.name))}`,
    );
}

/** @throws {MigrationError} `MIGRATION_REFUSED` */
function checkSteps({ steps }: Change, allowed: ReadonlySet<string>): void {
  for (const step of steps) {
    const words = stepWords(step);
    const reason = refusalOf(step.risks);
    if (reason === undefined || allowed.has(words)) continue;
    throw new MigrationError(
      "MIGRATION_REFUSED",
      `step ${quoted(words)} ${reason}: allow ${quoted(words)}, or change the declaration. ${step.why}`,
      { step: words },
    );
  }
}
