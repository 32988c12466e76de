/** What the tests use of modules whose types are not installed: they come with other runtimes. */
declare module "node:sqlite" {
  interface StatementSync {
    all(...params: unknown[]): Record<string, unknown>[];
    get(...params: unknown[]): unknown;
    run(...params: unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint };
    columns(): { name: string }[];
    setReadBigInts(enabled: boolean): void;
    setReturnArrays(enabled: boolean): void;
    readonly sourceSQL: string;
  }

  export class DatabaseSync {
    constructor(file: string, options?: { readOnly?: boolean; timeout?: number });
    prepare(sql: string): StatementSync;
    exec(sql: string): void;
    close(): void;
    function(
      name: string,
      options: { deterministic?: boolean; useBigIntArguments?: boolean; varargs?: boolean },
      call: (...values: never[]) => unknown,
    ): void;
    readonly isOpen: boolean;
    readonly isTransaction: boolean;
  }
}

declare module "bun:sqlite" {
  interface Statement {
    all(...params: unknown[]): Record<string, unknown>[];
    values(...params: unknown[]): unknown[][];
    run(...params: unknown[]): { changes: number; lastInsertRowid: number };
    safeIntegers(enabled?: boolean): unknown;
    finalize(): void;
    readonly columnNames: string[];
    readonly paramsCount: number;
    toString(): string;
  }

  export class Database {
    constructor(file: string, options?: { readonly?: boolean; create?: boolean; readwrite?: boolean });
    prepare(sql: string): Statement;
    exec(sql: string): unknown;
    close(throwOnError?: boolean): void;
    readonly inTransaction: boolean;
  }
}
