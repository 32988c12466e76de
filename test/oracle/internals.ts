/** What the tests use of the inside of `oracledb`, whose version is fixed; written down as far as it is used. */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** A type of the database, as the driver has it. */
export interface DbType {
  readonly num: number;
  readonly name: string;
}

/** A variable of a statement after the driver has checked it. */
export interface Bind {
  readonly name: string;
  readonly dir: number;
  readonly type: DbType;
  readonly maxSize?: number;
  readonly values: readonly unknown[];
}

/** The options of a call after the driver has checked them. */
export interface Options {
  readonly autoCommit: boolean;
  readonly connection: object;
  readonly maxRows: number;
}

export interface MetaData {
  readonly name: string;
  readonly dbType: DbType | undefined;
  readonly fetchType?: DbType;
}

interface ResultSetInternals {
  metaData: readonly MetaData[];
  _setup(options: Options, metaData: readonly MetaData[]): void;
}

// Both ends of the range that the package allows are tested: `ROWTYPE_ORACLEDB` names the other.
export const driverName: string = process.env["ROWTYPE_ORACLEDB"] ?? "oracledb";
const library = (path: string): unknown => require(`${driverName}/lib/${path}`);
// What the driver finds out with the first connection to a server.
(library("settings.js") as { thin: boolean }).thin = true;

export const types = library("types.js") as Readonly<Record<string, DbType>>;
/** The class that users see; what it asks of a server it asks of `_impl`. */
export const Connection = library("connection.js") as new () => { _impl: object };
// Each from its own file: after the first pool, the list of them in `impl/index.js` has those for a network.
export const ConnectionImpl = library("impl/connection.js") as new () => object;
const ResultSetImpl = library("impl/resultset.js") as new () => ResultSetInternals;
export const LobImpl = library("impl/lob.js") as new () => object;

export const OUT = 3003;

class Rows extends ResultSetImpl {
  #rows: unknown[][] = [];

  fill(rows: unknown[][]): void {
    this.#rows = rows;
  }

  async getRows(count: number): Promise<unknown[][]> {
    const rows = this.#rows.slice(0, count);
    this.#rows = this.#rows.slice(count);
    return rows;
  }

  async close(): Promise<void> {
    this.#rows = [];
  }
}

/**
 * The answer to a query.
 * @param toValue a value in the form in which the driver's protocol would hand it on, fetched as that type.
 */
export function resultSet<T>(
  options: Options,
  columns: readonly MetaData[],
  found: readonly (readonly T[])[],
  toValue: (cell: T, type: DbType | undefined) => unknown,
): object {
  const result = new Rows();
  // The driver asks the handler of the call what each column is to be fetched as.
  result._setup(options, columns);
  result.fill(found.map((row) => row.map((cell, i) => toValue(cell, result.metaData[i]?.fetchType))));
  return { resultSet: result };
}

/** The columns of the query by which rowtype finds the driver's types. */
export const learned: readonly MetaData[] = [
  "DB_TYPE_VARCHAR",
  "DB_TYPE_NUMBER",
  "DB_TYPE_BINARY_DOUBLE",
  "DB_TYPE_RAW",
  "DB_TYPE_TIMESTAMP_TZ",
  "DB_TYPE_CLOB",
  "DB_TYPE_BLOB",
].map((name, i) => ({ name: `C${i}`, dbType: types[name] }));
