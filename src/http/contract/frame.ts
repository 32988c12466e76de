/**
 * Events and comments in their wire form, by the rules of "Server-sent events" in the HTML standard. CR, LF and CRLF
 * all end a line in it. Therefore no text from outside may contain one.
 */
import { StreamError } from "./stream-error.js";

/** The members of an event in addition to its data. */
export interface EventOptions {
  /** The client sends it as `lastEventId` when it connects again. */
  readonly id?: string | number | bigint | undefined;
  /** How long clients wait before they connect again, in milliseconds. */
  readonly retry?: number | undefined;
}

const LINE_BREAK = /\r\n|\r|\n/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a client ignores an id that contains NUL.
const NOT_IN_ID = /[\r\n\u0000]/;

/** The name that clients give to events without one. */
export const UNNAMED = "message";

/** Whether a name fits on its line. A client reads an empty one as no name. */
export function isEventName(name: string): boolean {
  return name !== "" && !LINE_BREAK.test(name);
}

/** The text before the data of an event with a name. */
export function eventStart(name: string): string {
  return name === UNNAMED ? "data: " : `event: ${name}\ndata: `;
}

/** An event. Its data are JSON, which contains no line breaks. @throws StreamError */
export function eventFrame(
  name: string,
  start: string,
  json: string,
  options: EventOptions | undefined,
): string {
  if (options === undefined) return `${start}${json}\n\n`;
  return `${idLine(name, options.id)}${retryLine(name, options.retry)}${start}${json}\n\n`;
}

/** A comment with as many lines as its text. */
export function commentFrame(text: string): string {
  return `: ${text.split(LINE_BREAK).join("\n: ")}\n\n`;
}

function idLine(event: string, id: EventOptions["id"]): string {
  if (id === undefined) return "";
  const text = typeof id === "string" || typeof id === "number" || typeof id === "bigint" ? String(id) : "\0";
  if (NOT_IN_ID.test(text)) {
    throw new StreamError("EVENT_INVALID", event, "the id of an event is text without line breaks and NUL");
  }
  return `id: ${text}\n`;
}

function retryLine(event: string, retry: number | undefined): string {
  if (retry === undefined) return "";
  if (!Number.isSafeInteger(retry) || retry < 0) {
    throw new StreamError("EVENT_INVALID", event, "retry is a whole number of milliseconds");
  }
  return `retry: ${retry}\n`;
}
