/**
 * The events of a stream as an async iterable. Iteration connects to it, the end of the iteration disconnects, and on
 * request it reconnects.
 */
import { jsonOf, refusalOf } from "./answer.js";
import { ClientError, notRead } from "./client-error.js";
import { EventReader } from "./event-reader.js";
import { known, type OptionTypes } from "./known.js";
import { piecesOf } from "./pieces.js";
import { CALL_DATA, type CallData, type CallTarget, send } from "./request.js";
import { pause } from "./signals.js";

/** An event with its data parsed. */
interface AnyEvent {
  readonly event: string;
  readonly data: unknown;
  readonly id?: string;
}

/** A stream's options, for any handler. */
export interface AnyStreamOptions extends CallData {
  readonly lastEventId?: string | undefined;
  readonly reconnect?: boolean | undefined;
}

/** The data of a connection to a stream. */
interface StreamCall {
  readonly target: CallTarget;
  readonly method: string;
  readonly path: string;
  readonly options: AnyStreamOptions;
}

const STREAM_OPTIONS: OptionTypes<AnyStreamOptions> = {
  ...CALL_DATA,
  lastEventId: "string",
  reconnect: "boolean",
};

/** Every iteration opens its own connection. @throws ClientError `INVALID_REQUEST` for an unknown option */
export function eventsOf(call: StreamCall): AsyncIterable<AnyEvent> {
  const options = known(call.options, STREAM_OPTIONS, "a stream");
  return { [Symbol.asyncIterator]: () => iterate({ ...call, options }) };
}

function iterate(call: StreamCall): AsyncIterator<AnyEvent> {
  const leaving = new AbortController();
  const { signal } = call.options;
  const leave = () => leaving.abort(signal?.reason);
  if (signal?.aborted === true) leave();
  signal?.addEventListener("abort", leave, { once: true });
  const events = follow(call, leaving.signal);
  const settle = async (step: Promise<IteratorResult<AnyEvent, undefined>>) => {
    let isOver: boolean | undefined = true;
    try {
      const result = await step;
      isOver = result.done;
      return result;
    } catch (error) {
      // After the caller has stopped, a broken connection is not an error.
      if (leaving.signal.aborted && signal?.aborted !== true) return OVER;
      throw error;
    } finally {
      if (isOver === true) signal?.removeEventListener("abort", leave);
    }
  };
  return {
    next: () => settle(events.next()),
    return: async () => {
      // This ends a step that waits for an event.
      leaving.abort();
      await settle(events.return(undefined));
      return OVER;
    },
  };
}

const OVER = { done: true, value: undefined } as const;

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;

/** Connects again and again if the options ask for it. */
async function* follow(call: StreamCall, signal: AbortSignal): AsyncGenerator<AnyEvent, undefined> {
  const { lastEventId = "", reconnect = false } = call.options;
  const place: Place = { lastEventId, retryMs: undefined, failures: 0 };
  for (;;) {
    try {
      const goesOn = yield* connection(call, place, signal);
      if (!goesOn || !reconnect) return undefined;
    } catch (error) {
      if (!reconnect || signal.aborted || !isPassing(error)) throw error;
      place.failures++;
    }
    const delay = (place.retryMs ?? FIRST_DELAY_MS) * 2 ** Math.max(0, place.failures - 1);
    await pause(Math.min(delay, Math.max(LONGEST_DELAY_MS, place.retryMs ?? 0)), signal);
  }
}

/** The position in a stream. */
interface Place {
  lastEventId: string;
  retryMs: number | undefined;
  /** The number of failures since the last connection that delivered an event. */
  failures: number;
}

/** The events of one connection. Returns whether more may follow. */
async function* connection(
  { target, method, path, options }: StreamCall,
  place: Place,
  signal: AbortSignal,
): AsyncGenerator<AnyEvent, boolean> {
  const own: Record<string, string> = { accept: "text/event-stream" };
  if (place.lastEventId !== "") own["last-event-id"] = headerText(place.lastEventId);
  const response = await send(target, method, path, { ...options, signal }, own);
  if (response.status === 204) return false;
  if (!response.ok) await refuse(response);
  const type = response.headers.get("content-type") ?? "";
  if (response.body === null || !/^text\/event-stream\b/i.test(type)) {
    await response.body?.cancel();
    throw notRead("the answer is not a stream of events", response.status);
  }
  const reader = new EventReader();
  reader.lastEventId = place.lastEventId;
  for await (const piece of piecesOf(response.body, signal)) {
    for (const received of reader.push(piece)) {
      place.failures = 0;
      // The position moves past this event before the caller's code for it can fail.
      place.lastEventId = received.id ?? place.lastEventId;
      yield { ...received, data: jsonOf(received.data, "an event") };
    }
    place.lastEventId = reader.lastEventId;
    place.retryMs = reader.retryMs ?? place.retryMs;
  }
  return true;
}

/** An error answer, declared or not, ends a stream before it begins. */
async function refuse(response: Response): Promise<never> {
  const { status } = response;
  const text = await response.text();
  const { code, message, details } = refusalOf(response, text) as {
    // It is the body of an error, which was checked before.
    readonly code: string;
    readonly message: string;
    readonly details?: unknown;
  };
  throw new ClientError(code, message, { status, details });
}

/** The server, or another one in its place, may be available soon. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof ClientError)) return false;
  return error.code === "NETWORK" || (error.status !== undefined && [502, 503, 504].includes(error.status));
}

/** Headers carry one byte per character: here the bytes of the id in UTF-8, as browsers send them. */
function headerText(id: string): string {
  return String.fromCharCode(...new TextEncoder().encode(id));
}
