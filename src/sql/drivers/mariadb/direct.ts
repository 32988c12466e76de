/**
 * Connections of a `mysql2/promise` pool without their wrapper objects. The library makes a new wrapper each time a
 * connection is taken, and records the call site of each statement. A pool of another class, or one that the
 * application has changed, is used through its own methods.
 */
import { types } from "node:util";
import type { DriverPrepared } from "../../contract/driver.js";
import {
  hear,
  type MariadbConnection,
  type MariadbCore,
  type MariadbPool,
  type MariadbStatement,
  type MariadbText,
} from "./handle.js";
import { readsOwnRows } from "./row-reader.js";

type Callback<T extends readonly unknown[]> = (error: Error | null, ...result: T) => void;

/** The pool under a `mysql2/promise` pool. */
interface CorePool {
  getConnection(callback: Callback<[CoreConnection]>): void;
  /** Makes the pool of `mysql2/promise`. */
  promise(): object;
}

/** A connection of the pool. */
interface CoreConnection extends MariadbCore {
  readonly threadId: number | null;
  execute(options: MariadbText): ReturnType<MariadbCore["execute"]>;
  execute(options: MariadbText, callback: Callback<[unknown, unknown]>): object;
  query(sql: string, callback: Callback<[unknown, unknown]>): unknown;
  unprepare(options: MariadbText): unknown;
  release(): void;
  destroy(): void;
}

const cores = new WeakMap<MariadbPool, CorePool | "none">();

/** The pool underneath, if the given pool only wraps it. */
export function corePool(pool: MariadbPool): CorePool | undefined {
  // The application may change it at any time.
  if (Object.hasOwn(pool, "getConnection")) return undefined;
  const core = cores.get(pool) ?? coreOfPool(pool) ?? "none";
  cores.set(pool, core);
  return core === "none" ? undefined : core;
}

function coreOfPool(pool: MariadbPool): CorePool | undefined {
  if (types.isProxy(pool)) return undefined;
  const { pool: core } = pool as { readonly pool?: Partial<CorePool> };
  if (typeof core?.getConnection !== "function" || typeof core.promise !== "function") return undefined;
  // A class of the application may have its own pool under this name.
  const isAlike = Object.getPrototypeOf(core.promise()) === Object.getPrototypeOf(pool);
  return isAlike ? (core as CorePool) : undefined;
}

/** A connection of a core pool. It gets its listener before anything else can happen to it. */
export function directConnection(pool: CorePool): Promise<MariadbConnection> {
  return new Promise((resolve, reject) => {
    pool.getConnection((error, core) => (error ? reject(error) : resolve(DirectConnection.of(core))));
  });
}

/** The result of a statement. */
interface Sent {
  /** The rows or the header, and the columns. */
  readonly answer: readonly unknown[];
  /** Whether the rows were read without the driver's settings and casts. */
  readonly isOwn: boolean;
  /** The mysql2 command that returned it, if known. */
  readonly command?: object;
}

/** Executes a statement. */
export async function sent(
  connection: MariadbConnection,
  statement: MariadbStatement,
  prepared: DriverPrepared | undefined,
): Promise<Sent> {
  if (connection instanceof DirectConnection) return connection.send(statement, prepared);
  return { answer: await connection.execute(statement), isOwn: false };
}

/** Whether the connection of mysql2 has no wrapper that must be used. */
export function isDirect(connection: MariadbConnection): boolean {
  return connection instanceof DirectConnection;
}

const directs = new WeakMap<object, DirectConnection>();

class DirectConnection implements MariadbConnection {
  readonly connection: CoreConnection;

  /** The object for a connection, the same each time. */
  static of(core: CoreConnection): DirectConnection {
    const known = directs.get(core);
    if (known !== undefined) return known;
    const direct = new DirectConnection(core);
    directs.set(core, direct);
    return direct;
  }

  private constructor(core: CoreConnection) {
    this.connection = core;
    hear(core);
  }

  get threadId(): number | null {
    return this.connection.threadId;
  }

  send(statement: MariadbText, prepared: DriverPrepared | undefined): Promise<Sent> {
    return new Promise((resolve, reject) => {
      let isOwn = false;
      const command = this.connection.execute(statement, (error, ...answer) =>
        error ? reject(error) : resolve({ answer, isOwn, command }),
      );
      // The columns are unknown until the server answers.
      isOwn = readsOwnRows(command, prepared);
    });
  }

  async execute(statement: MariadbText): Promise<readonly unknown[]> {
    return (await this.send(statement, undefined)).answer;
  }

  query(sql: string): Promise<readonly unknown[]> {
    return new Promise((resolve, reject) => {
      this.connection.query(sql, (error, ...answer) => (error ? reject(error) : resolve(answer)));
    });
  }

  unprepare(statement: MariadbText): unknown {
    return this.connection.unprepare(statement);
  }

  release(): void {
    this.connection.release();
  }

  destroy(): void {
    this.connection.destroy();
  }
}
