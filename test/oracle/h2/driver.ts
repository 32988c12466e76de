/**
 * The classes of `oracledb` over H2 in place of the network: everything that the driver itself checks and converts is
 * its own code, and what would go to a server goes to H2 in the words that H2 has for it. So it is a judge of what
 * the driver is given and of what the statements mean, and none of Oracle's own syntax.
 */
import type { OraclePool } from "rowtype/oracle";
import {
  type Bind,
  Connection,
  ConnectionImpl,
  type DbType,
  LobImpl,
  learned,
  type Options,
  OUT,
  resultSet,
  types,
} from "../internals.js";
import { bindFaults } from "../judge.js";
import { type Field, type H2, H2Error } from "./process.js";
import { type Translated, toH2 } from "./translate.js";

/** A pool whose connections are sessions of H2. */
export function poolOver(h2: H2): OraclePool {
  let sessions = 0;
  return {
    getConnection: async () => {
      const connection = new Connection();
      connection._impl = new Session(h2, `session ${++sessions}`);
      // The class of the driver has what its own type declarations say.
      return connection as unknown as Awaited<ReturnType<OraclePool["getConnection"]>>;
    },
  };
}

class Session extends ConnectionImpl {
  readonly #h2: H2;
  readonly #name: string;

  constructor(h2: H2, name: string) {
    super();
    this.#h2 = h2;
    this.#name = name;
  }

  async execute(
    sql: string,
    count: number,
    binds: readonly Bind[],
    options: Options,
    isMany: boolean,
  ): Promise<object> {
    const given = binds.filter(({ dir }) => dir !== OUT);
    const outs = binds.filter(({ dir }) => dir === OUT);
    const faults = bindFaults(
      sql,
      given.map(({ name }) => name),
    );
    if (faults.length > 0) throw new Error(faults.join("; "));
    if (/EMPTY_CLOB\(\)/.test(sql)) return resultSet(options, learned, [], cellValue);
    const translated = toH2(sql);
    const values = new Map(given.map((bind) => [bind.name.toUpperCase(), bind]));
    const rows = Array.from({ length: count }, (_, i) =>
      translated.binds.map((name) => fieldOf(values.get(name), i)),
    );
    return outs.length > 0
      ? this.#returned(translated, rows, outs, options, isMany)
      : this.#plain(translated, rows, options);
  }

  async commit(): Promise<void> {
    await this.#h2.ask(this.#name, "commit");
    await this.#h2.ask(this.#name, "isolation", "READ COMMITTED");
  }

  async rollback(): Promise<void> {
    await this.#h2.ask(this.#name, "rollback");
    await this.#h2.ask(this.#name, "isolation", "READ COMMITTED");
  }

  async breakExecution(): Promise<void> {
    this.#h2.tell(this.#name, "cancel");
  }

  async close(): Promise<void> {
    await this.#h2.ask(this.#name, "close");
  }

  async createLob(type: DbType): Promise<object> {
    return new Lob(this, type, Buffer.alloc(0));
  }

  async #plain({ sql, isolation, ignores }: Translated, rows: Field[][], options: Options): Promise<object> {
    if (isolation !== undefined) {
      await this.#h2.ask(this.#name, "isolation", isolation);
      return {};
    }
    const { affected, types: kinds, names, rows: found } = await this.#run(sql, rows, ignores, options);
    if (kinds.length === 0)
      return { rowsAffected: affected.reduce((sum, one) => sum + one, 0), dmlRowCounts: affected };
    const columns = kinds.map((kind, i) => ({ name: names[i] ?? "", dbType: typeOf(kind) }));
    return resultSet(options, columns, found, cellValue);
  }

  async #returned(
    { sql, ignores }: Translated,
    rows: Field[][],
    outs: readonly Bind[],
    options: Options,
    isMany: boolean,
  ): Promise<object> {
    const found: (readonly (string | null)[])[] = [];
    for (const row of rows) found.push(...(await this.#run(sql, [row], ignores, options)).rows);
    const variables = (list: typeof found) =>
      Object.fromEntries(
        outs.map((bind, i) => [bind.name, list.map((row) => outValue(row[i] ?? null, bind, this))]),
      );
    // An insert returns one row in each execution.
    const outBinds = isMany ? found.map((row) => variables([row])) : variables(found);
    return { rowsAffected: found.length, outBinds };
  }

  async #run(sql: string, rows: Field[][], ignores: readonly number[], { autoCommit }: Options) {
    try {
      const result = await this.#h2.run(this.#name, sql, rows);
      if (autoCommit) await this.#h2.ask(this.#name, "commit");
      return result;
    } catch (error) {
      if (error instanceof H2Error && ignores.includes(error.number))
        return { affected: [0], types: [], names: [], rows: [] };
      throw error instanceof H2Error ? asOracle(error) : error;
    }
  }
}

class Lob extends LobImpl {
  readonly _parentObj: object;
  readonly #type: DbType;
  readonly #content: string | Buffer;

  constructor(session: object, type: DbType, content: string | Buffer) {
    super();
    this._parentObj = session;
    this.#type = type;
    this.#content = content;
  }

  get content(): string | Buffer {
    return this.#content;
  }

  getType(): DbType {
    return this.#type;
  }

  async getData(): Promise<string | Buffer> {
    return this.#content;
  }

  async close(): Promise<void> {
    // There is nothing to let go of.
  }
}

const ofH2: ReadonlyMap<string, string> = new Map([
  ["NUMERIC", "DB_TYPE_NUMBER"],
  ["DECIMAL", "DB_TYPE_NUMBER"],
  ["DECFLOAT", "DB_TYPE_NUMBER"],
  ["INTEGER", "DB_TYPE_NUMBER"],
  ["BIGINT", "DB_TYPE_NUMBER"],
  ["DOUBLE PRECISION", "DB_TYPE_BINARY_DOUBLE"],
  ["CHARACTER VARYING", "DB_TYPE_VARCHAR"],
  ["CHARACTER", "DB_TYPE_CHAR"],
  ["BINARY VARYING", "DB_TYPE_RAW"],
  ["TIMESTAMP WITH TIME ZONE", "DB_TYPE_TIMESTAMP_TZ"],
  ["CHARACTER LARGE OBJECT", "DB_TYPE_CLOB"],
  ["BINARY LARGE OBJECT", "DB_TYPE_BLOB"],
]);

function typeOf(name: string): DbType {
  const type = types[ofH2.get(name) ?? ""];
  if (type === undefined) throw new Error(`no type of the driver for ${name}`);
  return type;
}

function cellValue(cell: string | null, type: DbType | undefined): unknown {
  if (cell === null) return null;
  switch (type) {
    case types["DB_TYPE_BINARY_DOUBLE"]:
      return Number(cell);
    case types["DB_TYPE_TIMESTAMP_TZ"]:
      return new Date(cell);
    case types["DB_TYPE_RAW"]:
    case types["DB_TYPE_LONG_RAW"]:
      return Buffer.from(cell, "base64");
    case types["DB_TYPE_CLOB"]:
    case types["DB_TYPE_BLOB"]:
      throw new Error("a large object is fetched as a whole, not as a handle");
    default:
      return cell;
  }
}

// The driver reads a number of a variable as one of JavaScript, and cuts nothing: too long a text is an error.
function outValue(cell: string | null, { type, maxSize = 0 }: Bind, session: object): unknown {
  if (cell === null) return null;
  switch (type) {
    case types["DB_TYPE_CLOB"]:
      return new Lob(session, type, cell);
    case types["DB_TYPE_BLOB"]:
      return new Lob(session, type, Buffer.from(cell, "base64"));
    case types["DB_TYPE_RAW"]:
    case types["DB_TYPE_VARCHAR"]: {
      const value = type === types["DB_TYPE_RAW"] ? Buffer.from(cell, "base64") : cell;
      if (Buffer.byteLength(value) > maxSize) throw new Error("NJS-016: buffer is too small for OUT binds");
      return value;
    }
    default:
      return cellValue(cell, type);
  }
}

function fieldOf(bind: Bind | undefined, row: number): Field {
  const value = bind?.values[row];
  if (value === undefined || value === null) return "n";
  switch (bind?.type) {
    case types["DB_TYPE_NUMBER"]:
      return `d${value}`;
    case types["DB_TYPE_BINARY_DOUBLE"]:
      return `f${value}`;
    case types["DB_TYPE_TIMESTAMP_TZ"]:
      return `t${(value as Date).toISOString()}`;
    case types["DB_TYPE_RAW"]:
      // Of no length it is NULL.
      return (value as Buffer).length === 0 ? "n" : `b${(value as Buffer).toString("base64")}`;
    case types["DB_TYPE_BLOB"]: {
      const content = value instanceof Lob ? value.content : (value as Buffer);
      if (!(value instanceof Lob) && content.length === 0) return "n";
      return `b${Buffer.from(content).toString("base64")}`;
    }
    case types["DB_TYPE_VARCHAR"]:
    case types["DB_TYPE_CLOB"]:
      return value === "" ? "n" : `s${encodeURIComponent(value as string)}`;
    default:
      throw new Error("a value was bound with a type that loses something of it");
  }
}

// Oracle's numbers for those of H2, and what it would say.
const refusals: ReadonlyMap<number, readonly [number: number, text: string]> = new Map([
  [23503, [2292, "integrity constraint (TEST.FK) violated - child record found"]],
  [23506, [2291, "integrity constraint (TEST.FK) violated - parent key not found"]],
  [23513, [2290, "check constraint (TEST.CK) violated"]],
  [40001, [60, "deadlock detected while waiting for resource"]],
  [90131, [8177, "can't serialize access for this transaction"]],
  [50200, [30006, "resource busy; acquire with WAIT timeout expired"]],
  [57014, [1013, "user requested cancel of current operation"]],
]);

/** A refusal as Oracle would put it, as far as rowtype reads it. */
function asOracle({ number, message }: H2Error): Error {
  const column = /column "((?:[^"]|"")*)"/.exec(message)?.[1];
  const [oracle, text] =
    number === 23505
      ? ([1, takenKey(message)] as const)
      : number === 23502
        ? ([1400, `cannot insert NULL into ("TEST"."T"."${column}")`] as const)
        : (refusals.get(number) ?? ([900, message] as const));
  // `Check constraint violation: "orders_total_check: …"`
  const constraint = /violation: "(?:"")?([^":]+)(?:"")?: /.exec(message)?.[1];
  const named = text.replace(/\(TEST\.[FC]K\)/, (unnamed) =>
    constraint === undefined ? unnamed : `(TEST.${constraint})`,
  );
  const error = new Error(`ORA-${String(oracle).padStart(5, "0")}: ${named}`);
  return Object.assign(error, { errorNum: oracle });
}

// `"PUBLIC.""t x_e_key_INDEX_1"" ON PUBLIC.""t x""(e NULLS LAST, ""c d"" NULLS LAST) VALUES …"`. The key's own name as
// every version of Oracle tells it; a primary key has none in H2, so its columns come as 23ai tells them.
function takenKey(message: string): string {
  const plain = message
    .replaceAll('""', '"')
    // Names that are not ASCII are written so.
    .replace(/U&("[^"]*")/g, (_, name: string) =>
      name.replace(/\\+([0-9a-f]{4})/gi, (__, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      ),
    );
  const name = /"PUBLIC\."?(.*?)_INDEX_\w+"? ON PUBLIC/.exec(plain)?.[1];
  if (name !== undefined) return `unique constraint (TEST.${name}) violated`;
  const list = / ON PUBLIC\.(?:"[^"]*"|\w+)\((.*)\) VALUES/.exec(plain)?.[1] ?? "";
  const columns = [...list.matchAll(/(?:"([^"]*)"|([^", ]+))(?: DESC)?(?: NULLS \w+)?/g)].map(
    ([, quoted, bare]) => quoted ?? bare,
  );
  return `unique constraint (TEST.SYS_C001) violated on table TEST.T columns (${columns.join(", ")})`;
}
