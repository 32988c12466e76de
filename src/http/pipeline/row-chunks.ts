/**
 * Rows as the chunks of an answer. A chunk holds the rows that are there at once, as a page of a query is, and ends when
 * the source makes it wait or when it is long. Nothing is read ahead: the next row is asked for with the next chunk.
 */
import { describeType } from "../../core/errors.js";
import { ignore, isThenable } from "../../core/values.js";

/** How rows are written. */
export interface RowFormat {
  /** Before the first row. */
  readonly start: string;
  /** After the last row. */
  readonly end: string;
  /** A row: in its JSON form, as the function gave it, and whether it is the first one. */
  readonly text: (encoded: unknown, given: unknown, isFirst: boolean) => string;
}

/** In UTF-16 units: in UTF-8 less than 64 KiB, whatever the script. */
const LONG = 16_384;

const TURN = Symbol("a turn of the event loop");
const OVER = { done: true, value: undefined } as const;

type Source = Iterator<unknown> | AsyncIterator<unknown>;

/**
 * The chunks of rows.
 * @param encode a row in its JSON form.
 * @throws TypeError for what gives no rows
 */
export function rowChunks(
  rows: unknown,
  format: RowFormat,
  encode: (row: unknown) => unknown,
): AsyncIterator<string> {
  return new RowChunks(sourceOf(rows), format, encode);
}

function sourceOf(rows: unknown): Source {
  if (typeof rows === "object" && rows !== null) {
    // The members that the protocols of iteration name.
    if (Symbol.asyncIterator in rows) return (rows as AsyncIterable<unknown>)[Symbol.asyncIterator]();
    if (Symbol.iterator in rows) return (rows as Iterable<unknown>)[Symbol.iterator]();
  }
  throw new TypeError(
    `the handler gave ${describeType(rows)}, and an answer of rows is a list or a stream of them`,
  );
}

class RowChunks implements AsyncIterator<string> {
  readonly #source: Source;
  readonly #format: RowFormat;
  readonly #encode: (row: unknown) => unknown;
  /** A row that was asked for and has not come yet. */
  #coming: PromiseLike<IteratorResult<unknown>> | undefined;
  #hasBegun = false;
  #isOver = false;

  constructor(source: Source, format: RowFormat, encode: (row: unknown) => unknown) {
    this.#source = source;
    this.#format = format;
    this.#encode = encode;
  }

  async next(): Promise<IteratorResult<string, undefined>> {
    if (this.#isOver) return OVER;
    let text = this.#hasBegun ? "" : this.#format.start;
    let turn: Promise<typeof TURN> | undefined;
    while (text.length < LONG) {
      const asked = this.#coming ?? this.#source.next();
      this.#coming = undefined;
      let got: IteratorResult<unknown> | typeof TURN;
      if (!isThenable(asked)) got = asked;
      else if (turn === undefined) got = await asked;
      else got = await Promise.race([asked, turn]);
      if (got === TURN) {
        this.#coming = asked as PromiseLike<IteratorResult<unknown>>;
        // Its failure is that of the next chunk, which nobody asks for if the client leaves.
        this.#coming.then(ignore, ignore);
        break;
      }
      // A value of an own iterator, whose `done` would never be true.
      if (typeof got !== "object" || got === null)
        throw new TypeError(`an iterator of rows gave ${describeType(got)} as its step`);
      if (got.done === true) {
        this.#isOver = true;
        text += this.#format.end;
        break;
      }
      const encoded = this.#encode(got.value);
      const json: unknown = encoded instanceof Promise ? await encoded : encoded;
      text += this.#format.text(json, got.value, !this.#hasBegun);
      this.#hasBegun = true;
      turn ??= new Promise((resolve) => setImmediate(resolve, TURN));
    }
    return text === "" && this.#isOver ? OVER : { done: false, value: text };
  }

  async return(): Promise<IteratorResult<string, undefined>> {
    this.#isOver = true;
    await this.#source.return?.();
    return OVER;
  }
}
