/** An answer with its own status and headers: what `reply` gives. */

/**
 * An answer of one declared status.
 * @typeParam Status the status.
 * @typeParam Value its output.
 */
export interface Reply<out Status, out Value> {
  readonly "~status": Status;
  readonly "~value": Value;
}

/** Headers of one answer, by name. A value is written as that of a parameter; `undefined` is none. */
export interface ReplyHeaders {
  readonly [name: string]: unknown;
}

/**
 * Any value. `"a"` in it stays `"a"`, and a list in it can be changed: the compiler makes a list of a `const` type
 * parameter readonly only where its constraint names no list that can be changed.
 */
type AsWritten =
  | (string | number | bigint | boolean | symbol | object | null | undefined)
  | AsWritten[]
  | { [name: string]: AsWritten };

// A symbol of the whole program: another copy of this package recognises it.
const REPLY = Symbol.for("rowtype.http.reply");

/** A reply at run time. */
interface GivenReply {
  readonly status: unknown;
  readonly value: unknown;
  readonly headers: ReplyHeaders | undefined;
}

class ReplyValue implements GivenReply {
  readonly status: unknown;
  readonly value: unknown;
  readonly headers: ReplyHeaders | undefined;

  constructor(status: unknown, value: unknown, headers: ReplyHeaders | undefined) {
    this.status = status;
    this.value = value;
    this.headers = headers;
    Object.freeze(this);
  }

  get [REPLY](): true {
    return true;
  }
}

/** Whether a function gave a reply. Data cannot look like one: its mark is no key of JSON. */
export function isReply(given: unknown): given is GivenReply {
  return typeof given === "object" && given !== null && REPLY in given;
}

/**
 * An answer of a status that the handler declares, in `outputs`, or by `output` and `status`.
 * @example
 * import { POST, reply } from "rowtype/http";
 * POST("/imports", { body: Import, outputs: { 200: Report, 202: Job } }, async ({ body }) =>
 *   body.rows.length < 100 ? reply(200, await now(body)) : reply(202, await later(body)));
 */
export function reply<S extends number>(status: S): Reply<S, undefined>;
/**
 * An answer of a declared status, its output, and headers of this answer.
 * @param value the output of that status; `undefined` where it has none.
 * @param headers those that `responseHeaders` declares by schemas, and any others.
 */
export function reply<S extends number, const V extends AsWritten>(
  status: S,
  value: V,
  headers?: ReplyHeaders,
): Reply<S, V>;
export function reply(status: unknown, value?: unknown, headers?: ReplyHeaders): unknown {
  return new ReplyValue(status, value, headers);
}
