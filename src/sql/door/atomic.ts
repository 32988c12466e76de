/** `atomic`: bound calls in one transaction, all or nothing. */
import { types } from "node:util";
import { describeType, isList } from "../../core/errors.js";
import { BoundCall } from "../builder/bound.js";
import { throwIfAborted } from "../contract/abort.js";
import type { Session } from "../exec/session.js";
import type { AtomicCallOptions, RunsAtomic } from "../types/bound.js";
import type { Dialect } from "../words/dialect.js";
import { isSqlError, ParameterError, QueryError } from "../words/errors.js";
import type { TransactionHandle } from "../words/options.js";
import { readOptional } from "./handle.js";

/** The method `atomic` of a session. */
export function atomicOf<D extends Dialect>(session: Session): RunsAtomic<D>["atomic"] {
  const atomic = async (given: unknown, options: AtomicCallOptions | undefined): Promise<unknown[]> => {
    const { signal, isolation } = readOptional(options, ["signal", "isolation"], "atomic");
    const calls = callsOf(given, session);
    throwIfAborted(signal);
    session.throwIfInside(false);
    if (calls.length === 0) return [];
    const inOrder = async ({ handle }: Session) => {
      if (handle === undefined) throw new Error("a transaction has no handle");
      const results: unknown[] = [];
      for (const [index, call] of calls.entries()) results.push(await resultOf(call, index, handle));
      return results;
    };
    const run = () => session.atomically(inOrder, { signal, isolation, callsBack: true });
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
  return Array.from(given, (value, index) => {
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
