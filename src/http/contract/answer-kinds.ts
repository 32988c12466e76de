/** The kinds of answers that are text or bytes. */
import { type AnswerKind, kindOf, mediaTypes } from "./kind.js";

/** Bytes that an answer sends: all at once, or as they come. */
export type GivenBytes = Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** Text as an answer, and as the client's data. */
export interface TextKind extends AnswerKind<string, string> {}

/** Bytes as an answer, and as the client's data. */
export interface BytesKind extends AnswerKind<GivenBytes, Uint8Array> {}

/**
 * Text that is not JSON, in UTF-8.
 * @param type the media type, default `text/plain`.
 * @throws DeclarationError for what is no media type
 * @example
 * import { GET, text } from "rowtype/http";
 * const robots = GET("/robots.txt", { output: text() }, () => "User-agent: *\nDisallow: /admin\n");
 */
export function text(type: string = "text/plain"): TextKind {
  return kindOf({ name: "text", types: mediaTypes("text", type) });
}

/** A page of HTML, in UTF-8. The function escapes what it writes into it. */
export function html(): AnswerKind<string, string> {
  return kindOf({ name: "html", types: ["text/html"] });
}

/**
 * Bytes, sent as they are given: all at once, or as a stream yields them.
 * @param type the media type, default `application/octet-stream`.
 * @throws DeclarationError for what is no media type
 */
export function bytes(type: string = "application/octet-stream"): BytesKind {
  return kindOf({ name: "bytes", types: mediaTypes("bytes", type) });
}
