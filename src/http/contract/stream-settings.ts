/**
 * Checks the options of a stream at program start: its events by name, its heartbeat and its limit for a client that
 * does not read.
 */

import { validateHeaderName, validateHeaderValue } from "node:http";
import { describeType, quoted, readParts } from "../../core/errors.js";
import type { AnySchema } from "../../schema/schema-reader.js";
import { isSchema } from "./any-schema.js";
import { isEventName, UNNAMED } from "./frame.js";

/** The options that only streams have. */
export const STREAM_OPTIONS = ["event", "events", "heartbeatMs", "stallMs"] as const;

/** A stream's own options, complete. */
export interface StreamSettings {
  readonly events: ReadonlyMap<string, AnySchema>;
  readonly heartbeatMs: number;
  /** Infinity: no limit. */
  readonly stallMs: number;
}

/** The settings before they are checked. */
type GivenStream = {
  readonly [Name in (typeof STREAM_OPTIONS)[number] | "responseHeaders"]?: unknown;
};

const HEARTBEAT_MS = 15_000;
const STALL_MS = 60_000;
/** The longest time of a Node timer, which uses 32 bits. A longer one would end at once. */
const LONGEST_MS = 2 ** 31 - 1;

export function streamSettings(given: GivenStream, refuse: (problem: string) => never): StreamSettings {
  const { heartbeatMs = HEARTBEAT_MS, stallMs = STALL_MS } = given;
  if (!isDuration(heartbeatMs)) return refuse("heartbeatMs is a number of milliseconds, 0 for no comments");
  if (stallMs !== Number.POSITIVE_INFINITY && !(isDuration(stallMs) && stallMs > 0)) {
    return refuse("stallMs is a number of milliseconds, Infinity for no limit");
  }
  // They are sent before the first event: they cannot depend on an output.
  const headers = readParts(given.responseHeaders ?? {});
  checkHeaders(headers, refuse);
  if (Object.values(headers ?? {}).some(isSchema))
    refuse("the responseHeaders of a stream are texts, no schemas");
  return Object.freeze({ events: eventsOf(given, refuse), heartbeatMs, stallMs });
}

/** Refuses headers that cannot be sent. */
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
  const given = events ?? { [UNNAMED]: event };
  const named = isSchema(given) ? undefined : readParts(given);
  if (named === undefined) {
    return refuse(`events are Zod schemas by name, not ${describeType(events)}`);
  }
  const schemas = new Map<string, AnySchema>();
  for (const [name, schema] of Object.entries(named)) {
    if (!isEventName(name)) return refuse(`event name ${quoted(name)} is empty or has more than one line`);
    if (!isSchema(schema)) return refuse(`event ${quoted(name)} is not a Zod schema`);
    schemas.set(name, schema);
  }
  if (schemas.size === 0) return refuse("events has no event");
  return schemas;
}

function isDuration(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= LONGEST_MS;
}
