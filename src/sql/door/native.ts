/** `native`: a text of the client's own, for libraries that bring their SQL and take what the client gives. */
import { describeType } from "../../core/errors.js";
import { throwIfAborted } from "../contract/abort.js";
import type { NativeRequest, NativeResult } from "../contract/driver.js";
import { checkOpening } from "../exec/opening-words.js";
import { type Session, sqlErrorOf } from "../exec/session.js";
import { watched } from "../exec/watch.js";
import { ParameterError } from "../words/errors.js";
import { readOptional } from "./handle.js";

export type { NativeResult } from "../contract/driver.js";

/** Where a text of the client's own runs: a database, or a transaction of it. */
export interface RunsNative {
  /**
   * Sends one statement as your client takes it: with its own placeholders, `$1` or `?`, and its own values. The rows
   * are those that the client gives its own caller. Scopes, rules of tables, checks of values and callbacks do not
   * apply, and it is never repeated. It serves libraries that bring SQL, such as job queues: what they store belongs to
   * the transaction.
   * @throws {SqlError} `TRANSACTION_REQUIRED` for a text that begins or ends a transaction or a savepoint; `PARAM_TYPE`
   * for a text or values that are none.
   * @example
   * await db.transaction(async (tx) => {
   *   const executeSql = (text: string, values: unknown[]) => tx.native(text, values);
   *   await boss.send("invoice", { order: 7 }, { db: { executeSql } });
   * });
   */
  native(text: string, values?: readonly unknown[], options?: NativeOptions): Promise<NativeResult>;
}

/** Options of `native`. */
export interface NativeOptions {
  readonly signal?: AbortSignal | undefined;
}

/** The method `native` of a session. */
export function nativeOf(session: Session): RunsNative["native"] {
  return async (text, values = [], options) => {
    const { signal } = readOptional(options, ["signal"], "native");
    const request = requestOf(text, values);
    checkOpening(text, session.grammar.scan);
    throwIfAborted(signal);
    session.throwIfInside(false);
    session.throwIfClosed();
    const watch = watched(NO_TABLE, "NATIVE", text);
    try {
      const result = await session.native(request, signal);
      watch?.completed({ rowsReturned: result.rows.length, rowsAffected: result.affected });
      return result;
    } catch (error) {
      const failure = sqlErrorOf(error, session.driver, text);
      watch?.failed(failure);
      throw failure;
    }
  };
}

const NO_TABLE = { name: "" };

function requestOf(text: unknown, values: unknown): NativeRequest {
  if (typeof text !== "string")
    throw refused("text", `the text of native is a text, not ${describeType(text)}`);
  if (!Array.isArray(values))
    throw refused("values", `the values of native are a list, not ${describeType(values)}`);
  return { text, values: [...(values as readonly unknown[])] };
}

function refused(param: string, message: string): ParameterError {
  return new ParameterError("PARAM_TYPE", param, "", message);
}
