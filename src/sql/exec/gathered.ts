/** The session of statements that go together, and what is refused there. */
import type {
  Driver,
  DriverAnswer,
  DriverCursor,
  DriverRequest,
  MaybePromise,
  NativeResult,
  ResultCheck,
} from "../contract/driver.js";
import { Gathering } from "../contract/gathering.js";
import type { Grammar } from "../dialect/grammar/grammar.js";
import { UnsupportedError } from "../words/errors.js";
import type { TransactionHandle } from "../words/options.js";
import type { Session } from "./session.js";

/** What a session of statements that go together is made of. */
interface GatheredPlace {
  readonly outer: Session;
  /** Whether an error after they were executed undoes them. */
  readonly undoes: boolean;
  readonly handleOf: (session: Session) => TransactionHandle;
}

/** A session whose statements go together. */
export class GatheredSession implements Session {
  readonly driver: Driver;
  readonly grammar: Grammar;
  readonly database: Session;
  /** Whether they are in a transaction, which an error undoes. */
  readonly isTransaction: boolean;
  readonly gathering: Gathering = new Gathering();
  readonly #handleOf: GatheredPlace["handleOf"];
  #handle: TransactionHandle | undefined;

  constructor({ outer, undoes, handleOf }: GatheredPlace) {
    this.driver = outer.driver;
    this.grammar = outer.grammar;
    this.database = outer.database;
    this.isTransaction = undoes;
    this.#handleOf = handleOf;
  }

  get handle(): TransactionHandle {
    this.#handle ??= this.#handleOf(this);
    return this.#handle;
  }

  throwIfInside(): void {
    // The statements are those of one call.
  }

  throwIfClosed(): void {
    // A statement that comes too late is refused.
  }

  run(request: DriverRequest): DriverAnswer {
    return this.gathering.add(request);
  }

  runChecked(request: DriverRequest, _check: ResultCheck): DriverAnswer {
    this.gathering.isDoubted = true;
    return this.gathering.add(request);
  }

  native(): Promise<NativeResult> {
    throw interactive(this);
  }

  open(): Promise<DriverCursor> {
    throw interactive(this);
  }

  async atomically<T>(work: (session: Session) => Promise<T>): Promise<T> {
    if (!this.isTransaction) throw interactive(this);
    return work(this);
  }

  changing<T>(work: () => Promise<T>): Promise<T>;
  changing<T>(work: () => MaybePromise<T>): MaybePromise<T>;
  changing<T>(work: () => MaybePromise<T>): MaybePromise<T> {
    return work();
  }
}

/**
 * Refuses what needs the answer of a statement before the next one, or may have to undo it, where statements go
 * together.
 * @throws {UnsupportedError}
 */
export function requireInteractive(session: Session): void {
  if (session.gathering !== undefined && !session.isTransaction) throw interactive(session);
}

function interactive({ grammar }: Session): UnsupportedError {
  return new UnsupportedError(
    grammar.dialect,
    "this call with a driver without connect()",
    "it needs an interactive transaction",
  );
}

/** Does work for each item, in order; where statements go together, without waiting for the answer of one. */
export async function inTurn<T, R>(
  items: readonly T[],
  { gathering }: Pick<Session, "gathering">,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  if (gathering === undefined) {
    for (const [i, item] of items.entries()) results.push(await work(item, i));
    return results;
  }
  const all: Promise<R>[] = [];
  for (const [i, item] of items.entries()) {
    const { running } = await gathering.start(() => work(item, i));
    all.push(running);
  }
  for (const one of all) results.push(await one);
  return results;
}
