/**
 * What a stream is declared with, judged while the program starts: its events by name, and its two patiences.
 */

import { validateHeaderName, validateHeaderValue } from "node:http";
import { describeType, isReadable, quoted } from "../../core/errors.js";
import type { AnySchema } from "../../schema/validate.js";
import { isSchema } from "./any-schema.js";
import { isEventName, UNNAMED } from "./frame.js";

/** A stream's own options, complete. */
export interface StreamSettings {
  readonly events: ReadonlyMap<string, AnySchema>;
  readonly heartbeatMs: number;
  /** Infinity: a client may stand still for ever. */
  readonly stallMs: number;
}

/** The same before it is judged. */
export interface GivenStream {
  readonly event?: unknown;
  readonly events?: unknown;
  readonly heartbeatMs?: unknown;
  readonly stallMs?: unknown;
  readonly responseHeaders?: unknown;
}

/** The names of the options that only streams have. */
export const STREAM_OPTIONS = ["event", "events", "heartbeatMs", "stallMs"] as const;

const HEARTBEAT_MS = 15_000;
const STALL_MS = 60_000;
/** Timers count in 32 bits; a longer time would be none at all. */
const LONGEST_MS = 2 ** 31 - 1;

export function streamSettings(given: GivenStream, refuse: (problem: string) => never): StreamSettings {
  const { heartbeatMs = HEARTBEAT_MS, stallMs = STALL_MS } = given;
  if (!isDuration(heartbeatMs)) return refuse("heartbeatMs is a number of milliseconds, 0 for none");
  if (stallMs !== Number.POSITIVE_INFINITY && !(isDuration(stallMs) && stallMs > 0)) {
    return refuse("stallMs is a number of milliseconds, Infinity for no limit");
  }
  // They go out before the first event: there is no output that they could be worked out from.
  checkHeaders(given.responseHeaders ?? {}, refuse);
  return Object.freeze({ events: eventsOf(given, refuse), heartbeatMs, stallMs });
}

/** Headers that are known while the program starts must be ones that can be sent. */
export function checkHeaders(headers: unknown, refuse: (problem: string) => never): void {
  if (typeof headers !== "object" || headers === null) refuse("responseHeaders are a record");
  for (const [name, value] of Object.entries(Object(headers))) {
    try {
      validateHeaderName(name);
      validateHeaderValue(name, String(value));
    } catch {
      refuse(`header ${quoted(name)} cannot be sent`);
    }
  }
}

function eventsOf(
  { event, events }: GivenStream,
  refuse: (problem: string) => never,
): ReadonlyMap<string, AnySchema> {
  if ((event === undefined) === (events === undefined)) {
    return refuse("a stream declares either its event or its events");
  }
  const named = events ?? { [UNNAMED]: event };
  if (!isReadable(named) || isSchema(named)) {
    return refuse(`events are Zod schemas by name, not ${describeType(events)}`);
  }
  const schemas = new Map<string, AnySchema>();
  for (const [name, schema] of Object.entries(named)) {
    if (!isEventName(name)) return refuse(`event name ${quoted(name)} is empty or has more than one line`);
    if (!isSchema(schema)) return refuse(`event ${quoted(name)} is no Zod schema`);
    schemas.set(name, schema);
  }
  if (schemas.size === 0) return refuse("events has no event");
  return schemas;
}

function isDuration(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= LONGEST_MS;
}
