/** A connection of a driver of others, as rowtype uses one: what it answers is checked, and it gets one call at a time. */
import { ignore } from "../../core/values.js";
import { throwIfAborted } from "../contract/abort.js";
import type {
  Control,
  DriverConnection,
  DriverCursor,
  DriverRequest,
  DriverResult,
  NativeRequest,
  NativeResult,
} from "../contract/driver.js";
import { Queue } from "../contract/queue.js";
import { UnsupportedError } from "../words/errors.js";
import type { Isolation } from "../words/options.js";
import { mistake, nativeResultOf, pageOf, resultOf } from "./answers.js";
import { hearing } from "./hearing.js";
import type { Connection, DriverDialect, Runs, Statement } from "./interface.js";
import type { Statements } from "./statements.js";

/** What a connection is told by its driver. */
export interface ConnectionContext {
  readonly dialect: DriverDialect;
  readonly statements: Statements;
  /** Whether an error is the one of a call whose signal has fired. */
  readonly isAborted: (error: unknown) => boolean;
}

export class ForeignConnection implements DriverConnection {
  readonly #connection: Connection;
  readonly #around: ConnectionContext;
  readonly #queue = new Queue();
  /** A call did not end after its signal: what it does to the connection is not known. */
  #isSpent = false;

  constructor(connection: Connection, around: ConnectionContext) {
    this.#connection = connection;
    this.#around = around;
  }

  run(request: DriverRequest, signal: AbortSignal | undefined): Promise<DriverResult> {
    return this.#inTurn(signal, () => runOn(this.#connection, request, this.#around.statements, signal));
  }

  native({ text, values }: NativeRequest, signal: AbortSignal | undefined): Promise<NativeResult> {
    const connection = this.#connection;
    if (connection.native === undefined)
      throw new UnsupportedError(this.#around.dialect, "native with this driver", "write it as db.sql(…)");
    return this.#inTurn(signal, async () => nativeResultOf(await connection.native?.(text, values, signal)));
  }

  async open(request: DriverRequest, signal: AbortSignal | undefined): Promise<DriverCursor> {
    const connection = this.#connection;
    if (connection.open === undefined)
      throw new UnsupportedError(this.#around.dialect, "streams with this driver", "read pages by a key");
    const statement = this.#around.statements.of(request);
    const cursor = await this.#inTurn(signal, async () => connection.open?.(statement, signal));
    if (typeof cursor?.next !== "function" || typeof cursor.close !== "function")
      throw mistake("open gives a cursor with next() and close()");
    const width = widthOf(request);
    return {
      next: () => this.#inTurn(signal, async () => pageOf(await cursor.next(), width)),
      close: () => this.#inTurn(undefined, () => cursor.close()),
    };
  }

  begin(isolation: Isolation | undefined): Promise<void> {
    return this.#inTurn(undefined, async () => this.#connection.begin(isolation));
  }

  control(command: Control): Promise<void> {
    return this.#inTurn(undefined, async () => this.#connection.control(command));
  }

  /** A mistake in it changes nothing: what was answered before is stored, or undone, all the same. */
  async release(inDoubt: boolean): Promise<void> {
    const released = async () => this.#connection.release(inDoubt || this.#isSpent);
    await released().catch(ignore);
  }

  async #inTurn<T>(signal: AbortSignal | undefined, send: () => Promise<T>): Promise<T> {
    const { isFree } = this.#queue;
    const turn = this.#queue.hold(this, signal);
    if (!isFree) await turn;
    try {
      throwIfAborted(signal);
      return await hearing(send(), signal, this.#around.isAborted, () => {
        this.#isSpent = true;
      });
    } finally {
      this.#queue.release();
    }
  }
}

/** Runs a request on a driver or a connection; one with several lists of values is run for each of them. */
export async function runOn(
  runs: Runs,
  request: DriverRequest,
  statements: Statements,
  signal: AbortSignal | undefined,
): Promise<DriverResult> {
  const width = widthOf(request);
  const results: DriverResult[] = [];
  for (const statement of executionsOf(request, statements))
    results.push(resultOf(await runs.run(statement, signal), statement, width));
  return joined(request, results);
}

/** The statements of a request: one for each of its lists of values. */
export function executionsOf(request: DriverRequest, statements: Statements): Statement[] {
  const { batch, ...one } = request;
  return (batch ?? [request.params]).map((params) => statements.of({ ...one, params }));
}

/** The result of a request from those of its statements. */
export function joined({ batch }: DriverRequest, results: readonly DriverResult[]): DriverResult {
  const [only] = results;
  if (batch === undefined && only !== undefined) return only;
  const counts = results.map(({ affected }) => affected);
  return {
    rows: results.flatMap(({ rows }) => rows),
    affected: counts.reduce((sum, count) => sum + count, 0),
    each: counts,
  };
}

/** The number of columns of a request, if it is known. */
export function widthOf({ prepared }: DriverRequest): number | undefined {
  return prepared.givesRows && prepared.named !== true ? prepared.output?.length : undefined;
}
