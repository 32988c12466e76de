/** Emits the events of a statement. */
import type { AnyTable } from "../declare/declaration.js";
import type { SqlError } from "../words/errors.js";
import { events, type Operation, type SqlEvents } from "../words/events.js";

/** The outcome of a statement. */
export type Facts = Pick<SqlEvents["db.query.completed"], "rowsReturned" | "rowsAffected" | "value">;

/** Reports how a statement ends. */
export interface Watch {
  readonly completed: (facts: Facts) => void;
  readonly failed: (error: SqlError) => void;
}

/** Reports that a statement begins; does nothing without a listener. */
export function watched(table: Pick<AnyTable, "name">, operation: Operation, sql: string): Watch | undefined {
  if (!events.isHeard()) return undefined;
  const statement = { context: {}, table: table.name, operation, sql };
  const start = performance.now();
  events.emit("db.query.started", statement);
  return {
    completed: (facts) => {
      const durationMs = performance.now() - start;
      events.emit("db.query.completed", Object.assign({}, statement, { durationMs }, facts));
    },
    failed: (error) => {
      const durationMs = performance.now() - start;
      events.emit("db.query.failed", Object.assign({}, statement, { durationMs, error }));
    },
  };
}
