/**
 * What rowtype asks of a driver: run a statement, hold a connection for a transaction. Values arrive encoded,
 * rows leave as arrays of what the driver gives. The files in `drivers/` are written against this alone.
 */
import type { OutVariable } from "../dialect/grammar.js";
import type { SqlError } from "../errors.js";

export interface DriverRequest {
  readonly sql: string;
  readonly params: readonly unknown[];
  /** Whether rows come back. */
  readonly givesRows: boolean;
  /** Whether a column holds integers beyond 2^53 that must come back exactly. */
  readonly bigints: boolean;
  /** The variables that rows come back through, where they do; the text names them `:o0`, `:o1`, and so on. */
  readonly into?: readonly OutVariable[] | undefined;
  /** Runs the statement once with each of these, in place of `params`. */
  readonly batch?: readonly (readonly unknown[])[] | undefined;
}

export interface DriverResult {
  readonly rows: readonly (readonly unknown[])[];
  /** Rows that the statement changed. */
  readonly affected: number;
  /** Those that each execution changed, where there were several. */
  readonly each?: readonly number[] | undefined;
}

/** A result now, where the driver is synchronous, or later. */
export type DriverAnswer = DriverResult | Promise<DriverResult>;

export type Isolation = "read committed" | "repeatable read" | "serializable";

export interface Driver {
  /** Runs a statement of its own, outside any transaction. */
  run(request: DriverRequest, signal: AbortSignal | undefined): DriverAnswer;
  /** A connection for one transaction. */
  connect(signal: AbortSignal | undefined): Promise<DriverConnection>;
  /**
   * An error of the driver as one of ours.
   * @param propertyOf the property of a column's name, for the fields of a constraint.
   * @param keys for servers that tell only the name of a key.
   */
  translate(error: unknown, propertyOf: (column: string) => string, keys?: DeclaredKeys): SqlError;
}

/** The keys of a table, each as the names of its columns. */
export interface DeclaredKeys {
  readonly table: string;
  readonly primary: readonly string[];
  readonly others: readonly (readonly string[])[];
}

/** Commands of a transaction; a savepoint stands inside another where they nest. */
export type Control = "commit" | "rollback" | "savepoint" | "release savepoint" | "rollback to savepoint";

export interface DriverConnection {
  run(request: DriverRequest, signal: AbortSignal | undefined): DriverAnswer;
  begin(isolation: Isolation | undefined): Promise<void>;
  /** Rejects on a commit that the server answers with a rollback. */
  control(command: Control): Promise<void>;
  /** Gives the connection back; one of which it is not known whether a transaction is open is thrown away. */
  release(inDoubt: boolean): void | Promise<void>;
  /** Calls `fn` so that the driver can tell what runs inside this transaction. */
  scope<T>(fn: () => T): T;
}
