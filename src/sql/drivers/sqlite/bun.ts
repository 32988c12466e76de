/** A `Database` of `bun:sqlite` as a client. */
import { safely } from "../../../core/errors.js";
import { Lru } from "../../../core/lru.js";
import { sqliteScan } from "../../dialect/sqlite/scan.js";
import type { OwnStatement, SqliteClient, SqliteFunctionOptions, SqliteStatement } from "./client.js";
import { checkOneStatement, checkSomeStatement } from "./one-statement.js";
import { checkValues, PARTS } from "./placeholders.js";

/** The part of a `Statement` of `bun:sqlite` that rowtype uses. */
export interface BunSqliteStatement {
  values(...params: never[]): unknown;
  all(...params: never[]): unknown;
  run(...params: never[]): { readonly changes: number };
  safeIntegers(enabled?: boolean): unknown;
  finalize(): unknown;
  readonly columnNames: readonly string[];
  readonly paramsCount: number;
  toString(): string;
}

/** The part of a `Database` of `bun:sqlite` that rowtype uses. */
export interface BunSqliteHandle {
  prepare(sql: string): BunSqliteStatement;
  exec(sql: string): unknown;
  readonly inTransaction: boolean;
  clearQueryCache(): unknown;
  function(name: string, options: SqliteFunctionOptions, call: (...values: never[]) => unknown): unknown;
}

/** A client over a handle. */
export function bunClient(handle: BunSqliteHandle): SqliteClient {
  return new BunClient(handle);
}

class BunClient implements SqliteClient {
  readonly #handle: BunSqliteHandle;

  constructor(handle: BunSqliteHandle) {
    this.#handle = handle;
  }

  // It throws if the handle is closed.
  get inTransaction(): boolean {
    return this.#handle.inTransaction;
  }

  get open(): boolean {
    return safely(() => typeof this.#handle.inTransaction === "boolean");
  }

  exec(sql: string): void {
    this.#handle.exec(sql);
  }

  prepare(sql: string): SqliteStatement {
    checkSomeStatement(sql);
    return new BunStatement(this.#handle, sql);
  }

  own(sql: string): OwnStatement {
    checkSomeStatement(sql);
    const statement = this.#handle.prepare(sql);
    checkOneStatement(sql, firstEnd(sql, statement));
    return {
      reader: statement.columnNames.length > 0,
      all: (...values) => {
        const rows = statement.all(...(values as never[])) as unknown[];
        if (isPlan(sql)) statement.finalize();
        return rows;
      },
      run: (...values) => statement.run(...(values as never[])),
    };
  }

  function(name: string, options: SqliteFunctionOptions, call: (...values: never[]) => unknown): void {
    this.#handle.function(name, options, call);
  }
}

/**
 * A statement of one text. `bun:sqlite` binds whole numbers as INTEGER, with which a division gives whole numbers: where
 * a number is bound, the placeholder is written so that it is REAL, as the other clients bind it.
 */
class BunStatement implements SqliteStatement {
  readonly #handle: BunSqliteHandle;
  readonly #sql: string;
  readonly #texts = new Lru<string, BunSqliteStatement>({ max: 4 });
  #numbers: readonly boolean[];
  #statement: BunSqliteStatement;
  #isRaw = false;
  #isExact = false;

  constructor(handle: BunSqliteHandle, sql: string) {
    this.#handle = handle;
    this.#sql = sql;
    this.#statement = handle.prepare(sql);
    checkOneStatement(sql, firstEnd(sql, this.#statement));
    this.#numbers = Array.from({ length: this.#statement.paramsCount }, () => false);
    this.#statement.safeIntegers(false);
    this.#texts.set(this.#numbers.join(), this.#statement);
  }

  get reader(): boolean {
    return this.#statement.columnNames.length > 0;
  }

  raw(): void {
    this.#isRaw = true;
  }

  safeIntegers(): void {
    this.#isExact = true;
    this.#statement.safeIntegers(true);
  }

  columns(): readonly { readonly name: string }[] {
    return this.#statement.columnNames.map((name) => ({ name }));
  }

  run(...params: unknown[]): { readonly changes: number } {
    return this.#for(params).run(...(params as never[]));
  }

  all(...params: unknown[]): unknown[] {
    const statement = this.#for(params);
    const rows = (this.#isRaw ? statement.values : statement.all).call(
      statement,
      ...(params as never[]),
    ) as unknown[];
    if (isPlan(this.#sql)) this.#renew(statement);
    return rows;
  }

  #renew(used: BunSqliteStatement): void {
    used.finalize();
    this.#texts.clear();
    this.#numbers = this.#numbers.map(() => false);
    this.#statement = this.#handle.prepare(this.#sql);
    this.#statement.safeIntegers(this.#isExact);
    this.#texts.set(this.#numbers.join(), this.#statement);
  }

  // The statement in the text that these values need. A null can be bound in either.
  #for(params: readonly unknown[]): BunSqliteStatement {
    // It throws if the handle is closed; a prepared statement would go on.
    void this.#handle.inTransaction;
    const numbers = this.#numbers;
    checkValues(params, numbers.length);
    const fits = params.every((value, i) =>
      numbers[i] === true ? value === null || typeof value === "number" : typeof value !== "number",
    );
    if (fits || params.length !== numbers.length) return this.#statement;
    this.#numbers = params.map((value, i) =>
      value === null ? numbers[i] === true : typeof value === "number",
    );
    const key = this.#numbers.join();
    const statement = this.#texts.get(key) ?? this.#handle.prepare(withReals(this.#sql, this.#numbers));
    this.#texts.set(key, statement);
    statement.safeIntegers(this.#isExact);
    this.#statement = statement;
    return statement;
  }
}

/** Whether a text asks for a plan: such a statement keeps its tables locked until it is finalized. */
function isPlan(sql: string): boolean {
  return /^\s*explain\b/i.test(sql);
}

/** A text whose placeholders are REAL where a number is bound. */
function withReals(sql: string, numbers: readonly boolean[]): string {
  let place = 0;
  return sql.replace(PARTS, (part) => (part === "?" && numbers[place++] === true ? "(? + 0.0)" : part));
}

/** Where the first statement of a text ends. A statement says its text with its values, so that of others is scanned. */
function firstEnd(sql: string, statement: BunSqliteStatement): number {
  if (!sql.includes(";")) return sql.length;
  if (statement.paramsCount === 0) return statement.toString().length;
  const parts = new RegExp(`${sqliteScan.skipped}|;`, "g");
  for (const { 0: part, index } of sql.matchAll(parts)) if (part === ";") return index + 1;
  return sql.length;
}
