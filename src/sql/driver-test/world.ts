/** What a test of a driver gets: the driver, opened anew, and short ways to speak to it. */
import type { Database } from "../door/database.js";
import { databaseOver } from "../driver/index.js";
import type {
  Connection,
  Driver,
  DriverDialect,
  Result,
  Runs,
  Statement,
  Value,
} from "../driver/interface.js";
import { fail } from "./checks.js";
import { type Words, words } from "./words.js";

/** A driver over an empty database, and what ends both. */
export interface OpenedDriver {
  readonly driver: Driver;
  close(): Promise<void>;
  /** Cuts all connections. Left out, the tests of lost connections are skips. */
  breakConnection?(): Promise<void>;
  /** The number of connections that are lent. Left out, leaks are not counted. */
  openConnections?(): number | Promise<number>;
}

/** A group of tests: what a driver must have for them, and each by its name. */
export interface TestGroup {
  readonly needs?: (opened: OpenedDriver, world: World) => string | undefined;
  readonly tests: readonly (readonly [name: string, run: (world: World) => Promise<void>])[];
}

/** A test's own world. */
export class World {
  readonly opened: OpenedDriver;
  readonly driver: Driver;
  readonly dialect: DriverDialect;
  readonly words: Words;

  constructor(opened: OpenedDriver, dialect: DriverDialect) {
    this.opened = opened;
    this.driver = opened.driver;
    this.dialect = dialect;
    this.words = words[dialect];
  }

  /** A database over the driver. That of a driver without `connect` has no transactions. */
  get db(): Database<"sqlite"> {
    return databaseOver(this.dialect, this.driver) as unknown as Database<"sqlite">;
  }

  lacks(what: "functions" | "bigints"): boolean {
    return this.driver.lacks?.includes(what) === true;
  }

  /** Sends a statement that gives rows. */
  async rows(
    sql: string,
    params: readonly Value[] = [],
    on: Runs = this.driver,
    bigints = false,
  ): Promise<Result["rows"]> {
    return (await on.run(statement(sql, params, { rows: true, bigints }))).rows;
  }

  /** Sends a statement that gives none. */
  async send(sql: string, params: readonly Value[] = [], on: Runs = this.driver): Promise<number> {
    return (await on.run(statement(sql, params, { rows: false }))).affected;
  }

  /** A table `t` with a key and a text, with rows of these keys. */
  async table(ids: readonly number[] = []): Promise<void> {
    const { integer, shortText } = this.words;
    await this.send(`CREATE TABLE t (id ${integer} PRIMARY KEY, name ${shortText})`);
    for (let at = 0; at < ids.length; at += 500)
      await this.send(
        `INSERT INTO t (id) VALUES ${ids
          .slice(at, at + 500)
          .map((id) => `(${id})`)
          .join(", ")}`,
      );
  }

  async insert(id: number, on: Runs = this.driver): Promise<number> {
    return this.send(`INSERT INTO t (id) VALUES (${id})`, [], on);
  }

  /** The keys in the table. */
  async ids(on: Runs = this.driver): Promise<number[]> {
    return (await this.rows("SELECT id FROM t ORDER BY id", [], on)).map(([id]) => Number(id));
  }

  async connect(signal?: AbortSignal): Promise<Connection> {
    return (await this.driver.connect?.(signal)) ?? fail("connect gave no connection");
  }

  /** Runs work on a connection with a transaction, which the work ends. */
  async inside(work: (connection: Connection) => Promise<void>): Promise<void> {
    const connection = await this.connect();
    let isDone = false;
    try {
      await connection.begin();
      await work(connection);
      isDone = true;
    } finally {
      await connection.release(!isDone);
    }
  }
}

/** A statement as rowtype makes it. */
export function statement(
  sql: string,
  params: readonly Value[] = [],
  { rows = true, bigints = false, text = {} }: Partial<Pick<Statement, "rows" | "bigints" | "text">> = {},
): Statement {
  return { sql, params, rows, bigints, text };
}
