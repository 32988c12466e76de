/** A driver of others, as rowtype uses one. */
import { hasMethods } from "../../core/errors.js";
import { acquired, throwIfAborted } from "../contract/abort.js";
import type {
  DeclaredKeys,
  DriverConnection,
  DriverRequest,
  DriverResult,
  Driver as Inner,
  MaybePromise,
  NativeRequest,
  NativeResult,
  RefusedValue,
  ResultCheck,
} from "../contract/driver.js";
import { refusalOf, translatorOf } from "../driver-errors/by-dialect.js";
import { type SqlError, storedYet, UnsupportedError } from "../words/errors.js";
import { mistake, nativeResultOf, resultOf } from "./answers.js";
import {
  type ConnectionContext,
  executionsOf,
  ForeignConnection,
  joined,
  runOn,
  widthOf,
} from "./connection.js";
import { saidBy } from "./faults.js";
import { hearing } from "./hearing.js";
import type { Driver, DriverDialect } from "./interface.js";
import { Statements } from "./statements.js";

/** The methods of a connection that are always there. */
const OF_CONNECTION = ["run", "begin", "control", "release"] as const;

export class ForeignDriver implements Inner {
  readonly hasOneConnection: boolean;
  readonly hasNoSessions: boolean;
  readonly runChecked?: NonNullable<Inner["runChecked"]>;
  readonly together?: NonNullable<Inner["together"]>;
  readonly ping?: NonNullable<Inner["ping"]>;
  readonly #driver: Driver;
  readonly #dialect: DriverDialect;
  readonly #around: ConnectionContext;

  constructor(driver: Driver, dialect: DriverDialect) {
    this.#driver = driver;
    this.#dialect = dialect;
    this.hasOneConnection = driver.oneConnection === true;
    this.hasNoSessions = driver.connect === undefined;
    const isAborted = (error: unknown) => this.translate(error, (column) => column).code === "ABORTED";
    this.#around = { dialect, statements: new Statements(dialect), isAborted };
    if (this.hasNoSessions) this.runChecked = this.#runStored;
    if (this.hasNoSessions && driver.atomic !== undefined)
      this.together = (requests, signal) => this.#heard(signal, () => this.#atomic(requests, signal));
    if (driver.ping !== undefined) this.ping = (signal) => this.#ping(signal);
  }

  run(request: DriverRequest, signal: AbortSignal | undefined): Promise<DriverResult> {
    return this.#heard(signal, () => runOn(this.#driver, request, this.#around.statements, signal));
  }

  native({ text, values }: NativeRequest, signal: AbortSignal | undefined): MaybePromise<NativeResult> {
    const driver = this.#driver;
    if (driver.native === undefined)
      throw new UnsupportedError(this.#dialect, "native with this driver", "write it as db.sql(…)");
    return this.#heard(signal, async () => nativeResultOf(await driver.native?.(text, values, signal)));
  }

  async connect(signal: AbortSignal | undefined): Promise<DriverConnection> {
    const driver = this.#driver;
    if (driver.connect === undefined)
      throw new UnsupportedError(
        this.#dialect,
        "this call with a driver without connect()",
        "it needs an interactive transaction",
      );
    throwIfAborted(signal);
    const connecting = driver.connect(signal);
    const connection = await acquired(connecting, signal, (late) => late.release(false));
    if (!hasMethods(connection, OF_CONNECTION))
      throw mistake(`connect gives a connection with ${OF_CONNECTION.join(", ")}`);
    return new ForeignConnection(connection, this.#around);
  }

  elsewhere(database: string): { driver: Inner; close(): Promise<void> } | undefined {
    const opened = this.#driver.elsewhere?.(database);
    if (opened === undefined) return undefined;
    return { driver: new ForeignDriver(opened.driver, this.#dialect), close: () => opened.close() };
  }

  translate(
    error: unknown,
    propertyOf: (column: string) => string,
    keys?: DeclaredKeys,
    sql?: string,
  ): SqlError {
    const said = saidBy(this.#driver, this.#dialect, error);
    return "ours" in said ? said.ours : translatorOf(this.#dialect)(said.read, propertyOf, keys, sql);
  }

  asOfClient(error: unknown): unknown {
    const said = saidBy(this.#driver, this.#dialect, error);
    return "ours" in said ? said.ours : said.read;
  }

  refusedValue(error: unknown): RefusedValue | undefined {
    const said = saidBy(this.#driver, this.#dialect, error);
    return "ours" in said ? undefined : refusalOf(this.#dialect)?.(said.read);
  }

  /** Without sessions nothing can be undone: an error of the check says that the change is stored. */
  async #runStored(
    request: DriverRequest,
    check: ResultCheck,
    signal: AbortSignal | undefined,
  ): Promise<DriverResult> {
    const result = await this.run(request, signal);
    try {
      check(result);
    } catch (error) {
      throw storedYet(error);
    }
    return result;
  }

  async #atomic(
    requests: readonly DriverRequest[],
    signal: AbortSignal | undefined,
  ): Promise<DriverResult[]> {
    const each = requests.map((request) => executionsOf(request, this.#around.statements));
    const statements = each.flat();
    const answer: unknown = await this.#driver.atomic?.(statements, signal);
    try {
      if (!Array.isArray(answer) || answer.length !== statements.length)
        throw mistake(`atomic gives a list of ${statements.length} results, one for each statement`);
      let at = 0;
      return requests.map((request, i) => {
        const own = (each[i] ?? []).map((one) => resultOf(answer[at++], one, widthOf(request)));
        return joined(request, own);
      });
    } catch (error) {
      // The driver has said that all of it is done.
      throw storedYet(error);
    }
  }

  async #ping(signal: AbortSignal | undefined): Promise<void> {
    await this.#heard(signal, async () => this.#driver.ping?.(signal));
  }

  #heard<T>(signal: AbortSignal | undefined, send: () => Promise<T>): Promise<T> {
    throwIfAborted(signal);
    return hearing(send(), signal, this.#around.isAborted, () => undefined);
  }
}
