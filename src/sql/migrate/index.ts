/** The entry point of `rowtype/migrate`: from the declarations to the database that exists, and back. */

export type { MigrationErrorCode } from "../words/errors.js";
export { assertInSync } from "./assert-in-sync.js";
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
} from "./catalog.js";
export type { Change } from "./change.js";
export { defineConfig, type MigrateConfig, type OpenedDatabase } from "./config.js";
export {
  type BatchOptions,
  type DataMigration,
  type DataMigrationContext,
  type DataMigrationWork,
  dataMigration,
} from "./data-migration.js";
export type { DeclaredTables } from "./declared-list.js";
export { type DiffOptions, diff } from "./diff.js";
export { DriftError, MigrationError } from "./errors.js";
export { type GenerateOptions, generate } from "./generate.js";
export { type IntrospectOptions, introspect } from "./introspect.js";
export { type AppliedMigration, type MigrateOptions, type MigrateResult, migrate } from "./migrate.js";
export { type Pulled, type PullOptions, pull } from "./pull.js";
export type { StepDone } from "./run.js";
export { type MigrationStatus, type NamedMigration, type StatusOptions, status } from "./status.js";
export type { Risk, Step, StepKind, StepLock } from "./step.js";
