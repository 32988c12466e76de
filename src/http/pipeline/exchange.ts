/**
 * One request and its answer on their way through the pipeline, and the events that begin and end them. Every received
 * exchange ends in exactly one of completed and failed.
 */
import type { Request, Response } from "express";
import type { ErrorForm } from "../contract/error-form.js";
import type { AnyHttpError } from "../contract/errors.js";
import { events, type RequestEvent, type StreamEndEvent } from "../contract/events.js";
import type { Extractor, Identity } from "../contract/identity.js";
import type { OnError } from "../outside/failure-report.js";
import type { Precondition } from "./precondition.js";

/** The engine's settings for all its requests. */
export interface Runtime {
  readonly maxBodySize: number;
  /** How errors are written. */
  readonly errorForm: ErrorForm;
  /** The folder for files of clients; absent: that of the system for temporary files. */
  readonly uploadFolder: string | undefined;
  readonly identityMs: number;
  /** Asked in this order, until one knows the caller or refuses. */
  readonly extractors: readonly Extractor[];
  /** The value of `WWW-Authenticate` in a 401. */
  readonly challenge: string;
  /** Map thrown errors to declared ones; the first that does so decides. */
  readonly errorMappers: readonly ErrorMapper[];
  /** Receives the error of a 500; absent if the engine reports none. */
  readonly report: OnError | undefined;
  /** Receives one error of each class per minute. */
  readonly reportSeldom: OnError | undefined;
  /** Aborts when the engine begins to shut down. */
  readonly closing: AbortSignal;
  /** The active exchanges. */
  readonly active: Set<Exchange>;
}

/**
 * Maps an error that a handler threw to one that it declares, or to a list, of which the first that it declares counts;
 * `undefined` if it does not know the error.
 */
export type ErrorMapper = (error: unknown) => AnyHttpError | readonly AnyHttpError[] | undefined;

/** A running stream, as its exchange sees it. */
export interface Streaming {
  /** Called when the engine shuts down. */
  close(): void;
  /** Called when the response has closed. */
  closed(): void;
}

const NONE: ReadonlyMap<string, AnyHttpError> = new Map();

/** Browsers must use the declared type of an answer and not guess another one from its bytes. */
export const NO_SNIFFING = { name: "X-Content-Type-Options", value: "nosniff" } as const;

export class Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly runtime: Runtime;
  /** Set by routing if the path has a handler. */
  handlerName: string | undefined;
  route: string | undefined;
  /** The errors that the handler declares, by `errorKey`. */
  declared: ReadonlyMap<string, AnyHttpError> = NONE;
  /** The errors that a mapper may return, by `errorKey`. */
  mappable: ReadonlyMap<string, AnyHttpError> = NONE;
  /** The result of a mapper. */
  mapped: AnyHttpError | undefined;
  /** The error of a body that the function reads: it is the answer, declared or not. */
  refusal: AnyHttpError | undefined;
  /** Whether the handler's middleware has read the body. */
  readByHandler = false;
  /** Present if the handler declares `ifMatch`. */
  precondition: Precondition | undefined;
  /** The decoded texts of the path's parameters, in order. */
  pathValues: readonly string[] = [];
  /** The segments of the path, not decoded. */
  segments: readonly string[] = [];
  identity: Identity | null = null;
  /** The error of a 500, for the event that ends the exchange. */
  failure: unknown;
  /** The handler writes the response itself. */
  handlerOwnsResponse = false;
  /** Code outside the pipeline has access to the response: its headers must be set on it. */
  responseExposed = true;
  /** The status that code outside the engine set on the response before; `undefined` if none was set. */
  statusAtFirst: number | undefined;
  /** Set while the answer is a stream, which may end at any time. */
  streaming: Streaming | undefined;
  /** The answer is being sent as it comes: a shutdown lets it go on until its deadline. */
  sending = false;
  /** The failure for which the server cut the answer. */
  cutFor: unknown;
  readonly #startedAt = performance.now();
  #abort: AbortController | undefined;
  #context: object | undefined;
  #ended = false;
  #finished = false;

  constructor(request: Request, response: Response, runtime: Runtime) {
    this.request = request;
    this.response = response;
    this.runtime = runtime;
  }

  /** Begins the exchange. It ends in one event, when the response closes. */
  begin(): void {
    this.runtime.active.add(this);
    this.response.on("close", () => this.#end());
    // For any answer: this is the last request of its connection.
    if (this.runtime.closing.aborted) this.response.setHeader("Connection", "close");
    events.emitWith("http.request.received", () => this.facts());
  }

  /** Aborts when the client goes away or the engine shuts down. */
  get signal(): AbortSignal {
    if (this.#abort !== undefined) return this.#abort.signal;
    const abort = new AbortController();
    this.#abort = abort;
    const { closing } = this.runtime;
    if (closing.aborted) abort.abort(closing.reason);
    else if (this.#ended && !this.#finished) abort.abort(gone());
    return abort.signal;
  }

  /** Aborts the handler's signal because the engine shuts down, and ends a stream. */
  interrupt(): void {
    if (!this.sending) this.#abort?.abort(this.runtime.closing.reason);
    this.streaming?.close();
  }

  /** Remembers an error of the body that the function reads. */
  refuse<Refusal extends AnyHttpError>(error: Refusal): Refusal {
    this.refusal = error;
    return error;
  }

  /** Ends the connection and aborts the handler's signal with the reason. */
  cut(reason: Error): void {
    this.failure = reason;
    this.#abort?.abort(reason);
    this.response.destroy();
  }

  /** Marks the response as exposed to code outside the pipeline, which reads its headers and may answer itself. */
  expose(): void {
    this.responseExposed = true;
    this.noSniffing();
  }

  /** Sets the header on every answer, including those that the handler writes. */
  noSniffing(): void {
    if (!this.response.headersSent) this.response.setHeader(NO_SNIFFING.name, NO_SNIFFING.value);
  }

  /** Whether an answer has begun. Then nothing more may be written. */
  get answered(): boolean {
    return (
      this.handlerOwnsResponse ||
      this.response.headersSent ||
      this.response.writableEnded ||
      this.response.destroyed
    );
  }

  /** Whether the whole answer was passed to the system; known from its end on. */
  get finished(): boolean {
    return this.#finished;
  }

  /** Reports a failure to `onError`. */
  report(error: unknown): void {
    const { report } = this.runtime;
    if (report !== undefined && !this.isAbort(error)) report(toError(error), this.facts());
  }

  /** Reports a failure that any client can cause: one of each class per minute. */
  reportSeldom(error: unknown): void {
    const { reportSeldom } = this.runtime;
    if (reportSeldom !== undefined && !this.isAbort(error)) reportSeldom(toError(error), this.facts());
  }

  /** Whether an error only reports that the client left, or the abort of the signal: neither is a failure. */
  isAbort(error: unknown): boolean {
    const { signal, request } = this;
    const isCut = request.destroyed && !request.complete;
    // Middleware's refusal has the error of the stream as its cause.
    if (isCut && isError(error) && (isOfCut(error) || isOfCut(error.cause))) return true;
    if (!signal.aborted || this.#finished) return false;
    if (error === signal.reason) return true;
    return isError(error) && (error.name === "AbortError" || ("code" in error && error.code === "ABORTED"));
  }

  /** Milliseconds since the exchange began. */
  get elapsedMs(): number {
    return performance.now() - this.#startedAt;
  }

  /** The facts about the request that every event contains, with those of one event. */
  facts(): RequestEvent;
  facts<More extends object>(more: More): RequestEvent & More;
  facts(more?: object): RequestEvent {
    const { originalUrl, method } = this.request;
    const query = originalUrl.indexOf("?");
    const { handlerName, route } = this;
    this.#context ??= {};
    const path = query === -1 ? originalUrl : originalUrl.slice(0, query);
    const facts: { -readonly [Name in keyof RequestEvent]: RequestEvent[Name] } = {
      context: this.#context,
      method,
      path,
    };
    if (route !== undefined) facts.route = route;
    if (handlerName !== undefined) facts.handlerName = handlerName;
    return Object.assign(facts, more);
  }

  /** The facts that the events at the end of a stream contain. */
  streamEnd(): StreamEndEvent {
    return this.facts({ durationMs: this.elapsedMs });
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.runtime.active.delete(this);
    const { statusCode, writableFinished } = this.response;
    // A cut response has `writableFinished` set when its socket drops the rest. A complete one closes before its socket
    // is destroyed.
    const finished = writableFinished && !this.request.socket.destroyed;
    this.#finished = finished;
    this.streaming?.closed();
    if (!finished) this.#abort?.abort(gone());
    // A client may leave a stream at any time. Only a stream that the server cut has failed.
    const complete = finished || (this.streaming !== undefined && this.failure === undefined);
    const failed = !complete || statusCode >= 500;
    if (!events.listens(failed ? "http.request.failed" : "http.request.completed")) return;
    const end = this.facts({ statusCode, durationMs: this.elapsedMs });
    if (!failed) events.emit("http.request.completed", end);
    else
      events.emit(
        "http.request.failed",
        Object.assign(end, {
          error: toError(finished || this.streaming !== undefined ? this.failure : (this.cutFor ?? gone())),
        }),
      );
  }
}

/** The error codes of reading a request whose client left before it was complete. */
const CUT: ReadonlySet<unknown> = new Set(["ECONNABORTED", "ECONNRESET", "ERR_STREAM_PREMATURE_CLOSE"]);

function isOfCut(error: unknown): boolean {
  return isError(error) && "code" in error && CUT.has(error.code);
}

function gone(): Error {
  return new Error("the connection closed before the answer was complete");
}

/** The thrown value as an Error. */
export function toError(thrown: unknown): Error {
  if (isError(thrown)) return thrown;
  if (thrown === undefined) return new Error("the request failed: undefined was thrown");
  return new Error("the request failed", { cause: thrown });
}

/** A thrown proxy may itself throw when it is inspected. */
function isError(thrown: unknown): thrown is Error {
  try {
    return thrown instanceof Error;
  } catch {
    return false;
  }
}
