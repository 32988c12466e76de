/**
 * The events of the SQL half, on `on` and on `node:diagnostics_channel` as `rowtype:` + name. They do not
 * contain values.
 */

import { type Emitter, emitter, type On } from "../../core/events.js";
import type { SqlError } from "./errors.js";
import { DeclarationError } from "./errors.js";

/** The operation of a statement. */
export type Operation =
  | "SELECT"
  | "QUERY"
  | "COMPOUND"
  | "INSERT"
  | "INSERT_BATCH"
  | "UPDATE"
  | "UPDATE_BATCH"
  | "DELETE"
  | "DELETE_BATCH"
  | "COUNT"
  | "SUM"
  | "AVG"
  | "MIN"
  | "MAX"
  | "SQL"
  | "NATIVE";

interface Statement {
  /** An object that the events of one statement share. It distinguishes concurrent statements. */
  readonly context: object;
  readonly table: string;
  readonly operation: Operation;
  /** The native text. */
  readonly sql: string;
}

interface Migrating {
  /** The name of the migration. */
  readonly name: string;
}

/** The events of migrations, by name. */
interface MigrationEvents {
  readonly "db.migration.started": Migrating & { readonly steps: number; readonly done: number };
  readonly "db.migration.step": Migrating & {
    /** The text of the completed step. */
    readonly step: string;
    readonly index: number;
    readonly steps: number;
    readonly durationMs: number;
  };
  readonly "db.migration.completed": Migrating & { readonly steps: number; readonly durationMs: number };
  readonly "db.migration.failed": Migrating & {
    readonly step: string | undefined;
    readonly durationMs: number;
    readonly error: SqlError;
  };
}

/** The events by name. */
export interface SqlEvents extends MigrationEvents, StatementEvents {}

interface StatementEvents {
  readonly "db.query.started": Statement;
  readonly "db.query.completed": Statement & {
    readonly durationMs: number;
    readonly rowsReturned?: number;
    readonly rowsAffected?: number;
    /** The result of an aggregate. */
    readonly value?: number | bigint | string;
  };
  readonly "db.query.failed": Statement & { readonly durationMs: number; readonly error: SqlError };
}

const refuse = (message: string) => new DeclarationError(message);

export const events: Emitter<StatementEvents> = emitter<StatementEvents>(
  ["db.query.started", "db.query.completed", "db.query.failed"],
  refuse,
);

// Separate from the events of statements, which cost time as soon as one of them has a listener.
export const migrationEvents: Emitter<MigrationEvents> = emitter<MigrationEvents>(
  ["db.migration.started", "db.migration.step", "db.migration.completed", "db.migration.failed"],
  refuse,
);

/**
 * Registers a listener and returns the function that removes it. Events cost nothing without a listener.
 * @throws {DeclarationError} for an unknown event.
 * @example
 * import { on } from "rowtype";
 * const off = on("db.query.completed", ({ sql, durationMs }) => console.log(durationMs, sql));
 */
export const on: On<SqlEvents> = (name, listener) => {
  const isOfMigrations = typeof name === "string" && name.startsWith("db.migration.");
  // The name selects the emitter; each refuses the names of the other.
  const emitterOf = (isOfMigrations ? migrationEvents : events) as Emitter<SqlEvents>;
  return emitterOf.on(name, listener);
};
