/**
 * Decides when a call is undone: when its rows cannot be decoded, when a callback of the caller fails on them, and when
 * a server refuses together what it may accept one by one. The session performs the undo.
 */
import type { DriverRequest, DriverResult, MaybePromise } from "../contract/driver.js";
import type { Grammar } from "../dialect/grammar/grammar.js";
import { isSqlError, isStored, type SqlError, storedYet } from "../words/errors.js";
import type { RequestCall } from "./call.js";
import type { Callbacks } from "./callbacks.js";
import { UnclearOrder } from "./placed.js";
import type { ResultReader } from "./prepared.js";

/** Runs all of `work` or none of it, as one call. */
export function atomically<R>(
  call: RequestCall,
  { onScan, onRecord }: Callbacks,
  work: (call: RequestCall) => Promise<R>,
): Promise<R> {
  const { session, signal } = call;
  const callsBack = onScan !== null || onRecord !== null;
  const run = () => session.atomically((inner) => work({ ...call, session: inner }), { signal, callsBack });
  return session.changing(run, signal);
}

/** Runs `work` so that an error of a callback on its result rolls it back. */
export function undoable<R>(
  call: RequestCall,
  callbacks: Callbacks,
  work: (call: RequestCall) => Promise<R>,
): Promise<R> {
  if (callbacks.onScan !== null) {
    if (call.session.driver.hasNoSessions !== true) return atomically(call, callbacks, work);
    return work(call).catch((error: unknown) => {
      const isOfCallback = isSqlError(error) && error.code === "CALLBACK_FAILED";
      throw isOfCallback ? storedYet(error) : error;
    });
  }
  return call.session.changing(() => work(call), call.signal);
}

/** Sends a request and reads its result. A doubted result is read while the statement can still be undone. */
export function runAndRead<T>(
  request: DriverRequest,
  reader: ResultReader<T>,
  { session, signal }: Pick<RequestCall, "session" | "signal">,
): MaybePromise<T> {
  if (reader.isDoubted !== true) return then(session.run(request, signal), (result) => reader.read(result));
  let made: { readonly of: DriverResult; readonly value: T } | undefined;
  const check = (result: DriverResult) => {
    made = { of: result, value: reader.read(result) };
  };
  // Inside a transaction nothing was checked: there an error of the reader is undone as the transaction decides.
  return then(session.runChecked(request, check, signal), (result) =>
    made?.of === result ? made.value : reader.read(result),
  );
}

function then<T>(answer: MaybePromise<DriverResult>, read: (result: DriverResult) => T): MaybePromise<T> {
  return answer instanceof Promise ? answer.then(read) : read(answer);
}

/** Whether the rows of a change are doubted. If undoing costs next to nothing, they always are. */
export function isDoubted(declared: boolean, { session }: RequestCall): boolean {
  return declared || (!session.isTransaction && session.driver.runChecked !== undefined);
}

/** How a batch is stored. */
interface Attempts<R> {
  /** Stores it in few statements, and undoes them all if one fails. */
  readonly together: () => Promise<R>;
  readonly oneByOne: () => Promise<R>;
  /** Whether the server may accept one by one what it refuses together. */
  readonly mayBeRefused: boolean;
  /** The grammar of a server whose rows may not show which record each belongs to. */
  readonly unclearOn: Grammar | undefined;
}

/** Stores a batch together; if that was undone because only the combination fails, stores it one by one. */
export async function togetherOrOneByOne<R>(attempts: Attempts<R>): Promise<R> {
  try {
    return await attempts.together();
  } catch (error) {
    // Rows that are stored must not be stored again.
    if (isStored(error) || !isSqlError(error)) throw error;
    const { mayBeRefused, unclearOn } = attempts;
    const isRefused = mayBeRefused && refusals.has(error.code);
    if (!isRefused && !(unclearOn !== undefined && isUnclear(error, unclearOn))) throw error;
    return attempts.oneByOne();
  }
}

/** Refusals of a batch that do not say which record and which key they are about. */
const refusals: ReadonlySet<string> = new Set(["UNIQUE_VIOLATION", "QUERY_FAILED"]);

function isUnclear({ cause }: SqlError, { refusesTwice }: Grammar): boolean {
  if (cause instanceof UnclearOrder) return true;
  return refusesTwice !== undefined && Object(cause).code === refusesTwice;
}
