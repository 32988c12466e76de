/** Where a call runs, and for which operation. */
import type { Operation } from "../words/events.js";
import { readOptions } from "../words/known-options.js";
import type { ExecOptions } from "../words/options.js";
import { reading } from "./params.js";
import type { Session } from "./session.js";
import { sessionOf } from "./transaction.js";

/** Where a request is sent, and for which operation. */
export interface RequestCall {
  readonly session: Session;
  readonly operation: Operation;
  readonly signal: AbortSignal | undefined;
}

const OPTIONS = ["tx", "signal"] as const;

/**
 * A call with these options: in the transaction that they name, or outside all transactions if they request it.
 * @param known the options that this kind of call has.
 * @throws {DeclarationError} for an unknown option
 */
export function callOf(
  session: Session,
  options: ExecOptions | undefined,
  operation: Operation,
  known: readonly string[] = OPTIONS,
): RequestCall {
  const { tx, signal } =
    options === undefined || options === null
      ? NO_OPTIONS
      : reading("the options of a call", NO_TABLE, () => {
          const given = readOptions(options, known, "a call");
          return { tx: given.tx, signal: given.signal };
        });
  if (tx !== undefined && tx !== null) return { session: sessionOf(tx, session.driver), operation, signal };
  const place = tx === null ? session.database : session;
  place.throwIfInside(tx === null);
  return { session: place, operation, signal };
}

const NO_OPTIONS: Pick<ExecOptions, "tx" | "signal"> = {};
const NO_TABLE = { name: "" };
