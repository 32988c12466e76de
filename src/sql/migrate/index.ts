/** The entry point of `rowtype/migrate`: from the declarations to the database that exists, and back. */

export type { MigrationErrorCode } from "../words/errors.js";
export { assertInSync } from "./assert-in-sync.js";
export { type DiffOptions, diff } from "./diff.js";
export { type GenerateOptions, generate } from "./generate.js";
export { type IntrospectOptions, introspect } from "./introspect.js";
export { type AppliedMigration, type MigrateOptions, type MigrateResult, migrate } from "./migrate.js";
export { type Pulled, type PullOptions, pull } from "./pull.js";
export type { StepDone } from "./run/run.js";
export { type MigrationStatus, type NamedMigration, type StatusOptions, status } from "./status.js";
export type { Change } from "./text/change.js";
export type {
  Catalog,
  CatalogCheck,
  CatalogColumn,
  CatalogEnum,
  CatalogForeignKey,
  CatalogIndex,
  CatalogKey,
  CatalogTable,
  CatalogUnknown,
  CatalogView,
  ReferenceAction,
} from "./words/catalog.js";
export { defineConfig, type MigrateConfig, type OpenedDatabase } from "./words/config.js";
export {
  type BatchOptions,
  type DataMigration,
  type DataMigrationContext,
  type DataMigrationWork,
  dataMigration,
} from "./words/data-migration.js";
export type { DeclaredTables } from "./words/declared-list.js";
export { DriftError, MigrationError } from "./words/errors.js";
export type { Risk, Step, StepKind, StepLock } from "./words/step.js";
