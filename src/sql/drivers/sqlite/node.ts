/** A `DatabaseSync` of `node:sqlite` as a client: in Node 22.16 and later, and in Deno. */
import { DeclarationError, DecodeError } from "../../words/errors.js";
import type { OwnStatement, SqliteClient, SqliteFunctionOptions, SqliteStatement } from "./client.js";
import { checkOneStatement, checkSomeStatement, firstWordOf } from "./one-statement.js";
import { checkValues, placesIn } from "./placeholders.js";

/** The part of a `StatementSync` that rowtype uses. */
export interface NodeSqliteStatement {
  all(...params: never[]): unknown;
  run(...params: never[]): { readonly changes: number | bigint };
  columns(): readonly { readonly name: string }[];
  setReadBigInts(enabled: boolean): void;
  setReturnArrays(enabled: boolean): void;
  readonly sourceSQL: string;
}

/** The part of a `DatabaseSync` that rowtype uses. */
export interface NodeSqliteHandle {
  prepare(sql: string): NodeSqliteStatement;
  exec(sql: string): unknown;
  readonly isTransaction: boolean;
  readonly isOpen: boolean;
  function(
    name: string,
    options: { deterministic: boolean; useBigIntArguments: boolean; varargs: boolean },
    call: (...values: NodeSqliteValue[]) => NodeSqliteValue,
  ): unknown;
}

/** A value that SQLite gives a function, or takes from it. */
type NodeSqliteValue = null | number | bigint | string | Uint8Array;

/**
 * A client over a handle.
 * @throws {DeclarationError} for a handle of a Node before 22.16
 */
export function nodeClient(handle: NodeSqliteHandle): SqliteClient {
  if (!("isTransaction" in handle))
    throw new DeclarationError("node:sqlite is used from Node 22.16 on: this one lacks isTransaction");
  return new NodeClient(handle);
}

class NodeClient implements SqliteClient {
  readonly #handle: NodeSqliteHandle;
  readonly #failures: Failures = { last: undefined };

  constructor(handle: NodeSqliteHandle) {
    this.#handle = handle;
  }

  get inTransaction(): boolean {
    return this.#handle.isTransaction;
  }

  get open(): boolean {
    return this.#handle.isOpen;
  }

  exec(sql: string): void {
    this.#handle.exec(sql);
  }

  prepare(sql: string): SqliteStatement {
    return new NodeStatement(this.#prepared(sql), this.#failures);
  }

  own(sql: string): OwnStatement {
    const statement = this.#prepared(sql);
    const failures = this.#failures;
    const failsLate = CHANGING.has(firstWordOf(sql));
    const names = statement.columns().map(({ name }) => name);
    return {
      reader: names.length > 0,
      failsLate,
      all: (...values) =>
        inRange(names, () => failing(failures, () => statement.all(...(values as never[])) as unknown[])),
      run: (...values) => {
        const { changes } = failing(failures, () => statement.run(...(values as never[])));
        return { changes: failsLate ? Number(changes) : 0 };
      },
    };
  }

  #prepared(sql: string): NodeSqliteStatement {
    checkSomeStatement(sql);
    const statement = this.#handle.prepare(sql);
    checkOneStatement(sql, statement.sourceSQL.length);
    return statement;
  }

  // In Deno an error that leaves a function makes `all` run for ever. What is no value of SQLite is refused there too,
  // and the statement throws the error that was caught.
  function(
    name: string,
    { deterministic, safeIntegers = false }: SqliteFunctionOptions,
    call: (...values: never[]) => unknown,
  ): void {
    const failures = this.#failures;
    const guarded = (...values: unknown[]): unknown => {
      try {
        return call(...((safeIntegers ? values : values.map(rounded)) as never[]));
      } catch (error) {
        failures.last = { error };
        return NO_VALUE;
      }
    };
    // SQLite checks what it returns. A function that does not take bigints would get an error for a whole number beyond 2^53.
    this.#handle.function(name, { deterministic, useBigIntArguments: true, varargs: true }, guarded as never);
  }
}

/** The error that a registered function threw in the statement that runs. */
interface Failures {
  last: { readonly error: unknown } | undefined;
}

const NO_VALUE = Object.freeze({});

// Statements that can be read again, because they change nothing.
const READING: ReadonlySet<string> = new Set(["select", "values", "explain"]);
// Only these set the number of changes; after all others it is that of an earlier statement.
const CHANGING: ReadonlySet<string> = new Set(["insert", "update", "delete", "replace", "with"]);

class NodeStatement implements SqliteStatement {
  readonly #statement: NodeSqliteStatement;
  readonly #failures: Failures;
  readonly reader: boolean;
  readonly #onlyReads: boolean;
  readonly #changes: boolean;
  readonly #places: number;
  #isExact = false;

  constructor(statement: NodeSqliteStatement, failures: Failures) {
    this.#statement = statement;
    this.#failures = failures;
    this.reader = statement.columns().length > 0;
    this.#places = placesIn(statement.sourceSQL);
    const word = firstWordOf(statement.sourceSQL);
    this.#onlyReads = READING.has(word);
    this.#changes = CHANGING.has(word);
    statement.setReadBigInts(!this.#onlyReads);
  }

  raw(): void {
    this.#statement.setReturnArrays(true);
  }

  safeIntegers(): void {
    this.#isExact = true;
    this.#statement.setReadBigInts(true);
  }

  columns(): readonly { readonly name: string }[] {
    return this.#statement.columns();
  }

  run(...params: unknown[]): { readonly changes: number } {
    checkValues(params, this.#places);
    const { changes } = failing(this.#failures, () => this.#statement.run(...(params as never[])));
    return { changes: this.#changes ? Number(changes) : 0 };
  }

  all(...params: unknown[]): unknown[] {
    checkValues(params, this.#places);
    const statement = this.#statement;
    const read = () => statement.all(...(params as never[])) as unknown[][];
    if (this.#isExact) return failing(this.#failures, read);
    // The rows of a change cannot be read a second time: their numbers are read exactly at once.
    if (!this.#onlyReads) return roundedRows(failing(this.#failures, read));
    try {
      return failing(this.#failures, read);
    } catch (error) {
      // A whole number beyond 2^53; which column holds it is said by the one who decodes it.
      if (!isOutOfRange(error)) throw error;
      statement.setReadBigInts(true);
      try {
        return roundedRows(failing(this.#failures, read));
      } finally {
        statement.setReadBigInts(false);
      }
    }
  }
}

/** Runs a statement. It throws what a registered function threw, if the statement failed for that. */
function failing<T>(failures: Failures, work: () => T): T {
  failures.last = undefined;
  try {
    return work();
  } catch (error) {
    const { last } = failures as Failures;
    throw last === undefined ? error : last.error;
  }
}

/**
 * Reads rows as the client gives them.
 * @throws {DecodeError} for a whole number that the client does not read
 */
function inRange<T>(names: readonly string[], read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!isOutOfRange(error)) throw error;
    const kind = "a whole number up to 2^53: node:sqlite reads a larger one with readBigInts of the handle";
    throw new DecodeError("", names.join(", "), kind, { cause: error });
  }
}

function isOutOfRange(error: unknown): boolean {
  return Object(error).code === "ERR_OUT_OF_RANGE";
}

function rounded(value: unknown): unknown {
  return typeof value === "bigint" ? Number(value) : value;
}

function roundedRows(rows: readonly (readonly unknown[])[]): unknown[][] {
  return rows.map((row) => row.map(rounded));
}
