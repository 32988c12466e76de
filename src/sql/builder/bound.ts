/** A call of a builder, or of a text, that was checked with its values and waits for `atomic`. */
import type { Session } from "../exec/session.js";
import { copyOf } from "../words/copies.js";
import type { Dialect } from "../words/dialect.js";
import type { TransactionHandle } from "../words/options.js";

/** Executes a call in a transaction. */
type Execute<A extends readonly unknown[]> = (tx: TransactionHandle, ...args: A) => Promise<unknown>;

/** What a call sends where it goes together with others. */
export interface Sendable {
  /** Whether it is one statement now, and none of the caller's code runs before the next call. */
  readonly isOne: () => boolean;
  /** Whether any returned rows are accepted, so that reading them cannot undo the call. */
  readonly isSure?: boolean;
}

const ALONE: Sendable = { isOne: () => false };

/** The run-time side of `Bound`. */
export class BoundCall {
  readonly dialect: Dialect;
  readonly sending: Sendable;
  readonly #session: Session;
  readonly #execute: (tx: TransactionHandle) => Promise<unknown>;

  constructor(session: Session, sending: Sendable, execute: (tx: TransactionHandle) => Promise<unknown>) {
    this.sending = sending;
    this.dialect = session.grammar.dialect;
    this.#session = session;
    this.#execute = execute;
    Object.freeze(this);
  }

  /** The value as a bound call; undefined for any other value. */
  static own(value: unknown): BoundCall | undefined {
    return typeof value === "object" && value !== null && #session in value ? value : undefined;
  }

  /** Whether it belongs to the database of a session. */
  isOf(session: Session): boolean {
    return this.#session.driver === session.driver;
  }

  execute(tx: TransactionHandle): Promise<unknown> {
    return this.#execute(tx);
  }
}

/**
 * Binds arguments: they are copied, so that what the caller changes later has no effect, and checked now.
 * @param check returns what the call sends; undefined if it goes alone.
 * @throws {SqlError} what `exec` would reject with before it sends anything.
 */
export function boundCall<A extends readonly unknown[]>(
  session: Session,
  args: A,
  check: (...args: A) => Sendable | undefined,
  execute: Execute<A>,
): BoundCall {
  // The types of the copies are those of the values.
  const copies = args.map(copyOf) as unknown as A;
  const sending = check(...copies);
  return new BoundCall(session, sending ?? ALONE, (tx) => execute(tx, ...copies));
}
