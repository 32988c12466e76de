/** `atomic`: bound calls in one transaction, all or nothing. */
import { types } from "node:util";
import { describeType, isList } from "../../core/errors.js";
import { BoundCall } from "../builder/bound.js";
import { throwIfAborted } from "../contract/abort.js";
import { inTurn } from "../exec/gathered.js";
import type { Session } from "../exec/session.js";
import type { AtomicCallOptions, RunsAtomic } from "../types/bound.js";
import type { Dialect } from "../words/dialect.js";
import { isSqlError, ParameterError, QueryError } from "../words/errors.js";
import { itemsOf } from "../words/lists.js";
import type { TransactionHandle } from "../words/options.js";
import { readOptional } from "./handle.js";

/** The method `atomic` of a session. */
export function atomicOf<D extends Dialect>(session: Session): RunsAtomic<D>["atomic"] {
  const atomic = async (given: unknown, options: AtomicCallOptions | undefined): Promise<unknown[]> => {
    const { signal, isolation } = readOptional(options, ["signal", "isolation"], "atomic");
    const calls = callsOf(given, session).map((call, index): Placed => ({ call, index }));
    throwIfAborted(signal);
    session.throwIfInside(false);
    if (calls.length === 0) return [];
    // Whether it is stored is told as soon as the server has: a signal that comes in between would be too late.
    const mayEnd = signal === undefined;
    const work = (inner: Session) =>
      inner.gathering === undefined ? inFew(calls, inner, mayEnd) : together(calls, inner);
    const run = () => session.atomically(work, { signal, isolation, callsBack: true });
    return session.changing(run, signal);
  };
  // The list determines the types of the results.
  return atomic as RunsAtomic<D>["atomic"];
}

/** @throws {SqlError} for what is no list of bound calls of this database. */
function callsOf(given: unknown, session: Session): readonly BoundCall[] {
  if (!isList(given))
    throw new ParameterError(
      "PARAM_TYPE",
      "calls",
      "",
      `atomic takes a list of bound calls, not ${describeType(given)}`,
    );
  return itemsOf(given).map((value, index) => {
    const call = BoundCall.own(value);
    if (call === undefined) {
      const hint = types.isPromise(value)
        ? "a promise: write bind in the place of exec"
        : describeType(value);
      throw new ParameterError("PARAM_TYPE", "calls", "", `atomic takes bound calls, not ${hint}`, index);
    }
    if (!call.isOf(session))
      throw new QueryError(
        "TRANSACTION_REQUIRED",
        "this call was bound by another database",
        undefined,
        index,
      );
    return call;
  });
}

interface Placed {
  readonly call: BoundCall;
  readonly index: number;
}

/** Executes calls in order: those that wait for no answer in one message, if the client can send one. */
async function inFew(calls: readonly Placed[], session: Session, mayEnd: boolean): Promise<unknown[]> {
  const results: unknown[] = [];
  let group: Placed[] = [];
  const sendGroup = async (isLast: boolean) => {
    const sent = group;
    group = [];
    if (sent.length > 0) results.push(...(await sendTogether(sent, session, isLast && mayEnd)));
  };
  for (const one of calls) {
    if (session.together !== undefined && one.call.sending.isOne()) group.push(one);
    else {
      await sendGroup(false);
      results.push(await resultOf(one.call, one.index, handleOf(session)));
    }
  }
  await sendGroup(true);
  return results;
}

/** Sends calls of one statement each, and the commit with them if nothing of their results could still undo it. */
async function sendTogether(group: readonly Placed[], session: Session, mayEnd: boolean): Promise<unknown[]> {
  const isSure = mayEnd && group.every(({ call }) => call.sending.isSure === true);
  const work = (inner: Session) => together(group, inner);
  const results = await session.together?.(work, (isDoubted) => isSure && !isDoubted);
  return results ?? [];
}

/** Executes calls whose statements go together. */
function together(calls: readonly Placed[], session: Session): Promise<unknown[]> {
  return inTurn(calls, session, ({ call, index }) => resultOf(call, index, handleOf(session)));
}

function handleOf({ handle }: Session): TransactionHandle {
  if (handle === undefined) throw new Error("a transaction has no handle");
  return handle;
}

async function resultOf(call: BoundCall, index: number, tx: TransactionHandle): Promise<unknown> {
  try {
    return await call.execute(tx);
  } catch (error) {
    // The place in the list, also where the error has that of a record: which call failed comes first.
    if (isSqlError(error))
      Object.defineProperty(error, "index", { value: index, enumerable: true, configurable: true });
    throw error;
  }
}
