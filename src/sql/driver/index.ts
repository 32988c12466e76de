/** `rowtype/driver`: a database over a driver of your own. */
import { describeType, hasMethods, listed, quoted } from "../../core/errors.js";
import { isObject } from "../../core/values.js";
import { grammars } from "../dialect/grammars.js";
import { type Database, type DatabaseOptions, makeDatabase } from "../door/database.js";
import { sameSession } from "../door/plain.js";
import type { RunsAtomic } from "../types/bound.js";
import type { Alone } from "../types/on-dialect.js";
import { DeclarationError } from "../words/errors.js";
import { readOptions } from "../words/known-options.js";
import { ForeignDriver } from "./foreign-driver.js";
import type { Driver, DriverDialect } from "./interface.js";
import { grammarWithout } from "./lacking.js";

export type { MaybePromise, NativeResult } from "../contract/driver.js";
export type { Isolation } from "../words/options.js";
export type {
  Connection,
  ControlCommand,
  Cursor,
  Driver,
  DriverDialect,
  Fault,
  Result,
  Runs,
  Statement,
  Value,
} from "./interface.js";

/**
 * A database whose driver has no `connect`: it has no `transaction` and no `atomic`, and its builders lock no rows, have
 * no `stream` and no `execTx`. A call that needs an interactive transaction is `UNSUPPORTED`. It is no `Database`.
 */
export interface StatementDatabase<D extends DriverDialect = DriverDialect>
  extends Omit<Database<Alone<D>>, "transaction" | "atomic" | "dialect"> {
  readonly dialect: D;
}

/**
 * A database whose driver has no `connect`, but `atomic`: what it runs together, and calls of several statements, is that
 * of the driver. An error of a result comes when all is stored, and says so: `stored: true`.
 */
export interface AtomicDatabase<D extends DriverDialect = DriverDialect>
  extends StatementDatabase<D>,
    RunsAtomic<D> {}

/**
 * Creates a database over a driver. What the driver lacks, the type of the database lacks.
 * @throws {DeclarationError} for a dialect or a driver that is none
 * @example
 * import { databaseOver } from "rowtype/driver";
 * const db = databaseOver("sqlite", { run: async ({ sql, params }) => send(sql, params) });
 */
export function databaseOver<D extends DriverDialect>(
  dialect: D,
  driver: Driver & Required<Pick<Driver, "connect">>,
  options?: DatabaseOptions,
): Database<D>;
export function databaseOver<D extends DriverDialect>(
  dialect: D,
  driver: Driver & Required<Pick<Driver, "atomic">>,
  options?: DatabaseOptions,
): AtomicDatabase<D>;
export function databaseOver<D extends DriverDialect>(
  dialect: D,
  driver: Driver,
  options?: DatabaseOptions,
): StatementDatabase<D>;
export function databaseOver(dialect: DriverDialect, driver: Driver, given: DatabaseOptions = {}): unknown {
  const options = readOptions(given, ["retries"], "databaseOver");
  const grammar = DIALECTS.has(dialect) ? grammars.get(dialect) : undefined;
  if (grammar === undefined)
    throw new DeclarationError(`unknown dialect ${quoted(dialect)}; dialects: ${listed(DIALECTS)}`);
  checkDriver(driver);
  const database = makeDatabase(
    dialect,
    grammarWithout(grammar, driver.lacks, driver.mostParams),
    driverOf(driver, dialect),
    options,
  );
  if (driver.connect !== undefined) return database;
  const { transaction: _, atomic, ...alone } = database;
  const together = driver.atomic === undefined ? alone : { ...alone, atomic };
  return sameSession(Object.freeze(together), database);
}

const DIALECTS: ReadonlySet<string> = new Set<DriverDialect>(["postgres", "mariadb", "sqlite"]);
const OPTIONAL = ["native", "connect", "atomic", "ping", "elsewhere", "fault"] as const;

function checkDriver(driver: unknown): void {
  if (!isObject(driver) || !hasMethods(driver, ["run"]))
    throw new DeclarationError(`a driver with run() was expected, not ${describeType(driver)}`);
  for (const name of OPTIONAL) {
    const method: unknown = Reflect.get(driver, name);
    if (method !== undefined && typeof method !== "function")
      throw new DeclarationError(`${name} of a driver is a function, not ${describeType(method)}`);
  }
}

const drivers = new WeakMap<Driver, Map<DriverDialect, ForeignDriver>>();

// One driver is one pool, for all databases over it.
function driverOf(driver: Driver, dialect: DriverDialect): ForeignDriver {
  const byDialect = drivers.get(driver) ?? new Map<DriverDialect, ForeignDriver>();
  drivers.set(driver, byDialect);
  const known = byDialect.get(dialect) ?? new ForeignDriver(driver, dialect);
  byDialect.set(dialect, known);
  return known;
}
