/**
 * Step: a stream's own function. Until the first byte it can fail like any handler, with an ordinary answer. After it,
 * a failure is an event and the end of the stream.
 */
import { HttpError, InternalServer } from "../contract/errors.js";
import { events } from "../contract/events.js";
import type { RuntimeCall } from "./call.js";
import type { CompiledStream, Endpoint } from "./endpoint.js";
import { EventStream } from "./event-stream.js";
import { type Exchange, toError } from "./exchange.js";
import { mappedError } from "./map-error.js";
import { outcomeOf } from "./outcome.js";
import { Outlet, writeStreamHead } from "./outlet.js";
import { otherStatus, ownStatus } from "./own-status.js";
import { writeError } from "./write.js";

/** The headers are sent after this time, if the function has sent nothing. */
const OPEN_AFTER_MS = 50;
/** The status of every stream. */
const STATUS = 200;

/** Runs a stream to its end. @throws an error before the first byte that is not meant for the client */
export async function streamStep(
  exchange: Exchange,
  endpoint: Endpoint,
  { events: declared, settings }: CompiledStream,
  call: RuntimeCall,
): Promise<void> {
  const { request, response, runtime } = exchange;
  const { handler } = endpoint;
  if (request.method === "HEAD" || runtime.closing.aborted) {
    // An empty stream makes the client connect again; an error would end its attempts.
    writeStreamHead(exchange, handler.options);
    response.end();
    return;
  }
  const before = ownStatus(exchange);
  const outlet = new Outlet(exchange, handler.options, settings, {
    refusal: () => otherStatus(exchange, before, STATUS),
    fail: (error) => {
      exchange.streaming = undefined;
      exchange.failure = error;
      writeError(exchange, InternalServer);
    },
  });
  const stream = new EventStream(exchange, declared, outlet);
  events.emitWith("http.stream.executing", () => exchange.facts());
  const opening = setTimeout(() => void outlet.open(), OPEN_AFTER_MS);
  let given: unknown;
  let thrown = false;
  try {
    // Both were made from the handler's own declaration and match its type.
    given = await handler.run(call as never, stream as never);
    await stream.settled();
  } catch (error) {
    given = HttpError.is(error) || outlet.begun ? error : (mappedError(exchange, error) ?? error);
    thrown = true;
  }
  clearTimeout(opening);
  finish(exchange, endpoint, { stream, outlet, given, thrown });
}

/** A stream whose function has ended. */
interface Ended {
  readonly stream: EventStream;
  readonly outlet: Outlet;
  /** What it has returned or thrown. */
  readonly given: unknown;
  readonly thrown: boolean;
}

/** Ends the answer. @throws an error before the first byte that is not meant for the client */
function finish(exchange: Exchange, endpoint: Endpoint, { stream, outlet, given, thrown }: Ended): void {
  const failed = thrown || HttpError.is(given);
  const reportFailure = () => {
    if (stream.hasReported(given)) return;
    events.emit("http.stream.error", exchange.facts({ error: toError(given) }));
  };
  // It is too late for an error answer: the error is reported here.
  if (thrown && !HttpError.is(given) && (outlet.over || outlet.begun)) exchange.report(given);
  if (outlet.over) {
    if (failed && !exchange.isAbort(given)) reportFailure();
  } else if (!failed) {
    outlet.end();
    events.emitWith("http.stream.ended", () => exchange.streamEnd());
  } else if (outlet.begun) {
    reportFailure();
    outlet.end();
  } else {
    exchange.streaming = undefined;
    if (!HttpError.is(given)) {
      reportFailure();
      throw given;
    }
    writeError(exchange, outcomeOf(exchange, endpoint, given).error ?? InternalServer);
  }
}
