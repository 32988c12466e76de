/** The kinds that are text or bytes, of answers and of bodies. */
import { type AnswerKind, type BodyKind, kindOf, mediaTypes } from "./kind.js";

/** Bytes that an answer sends: all at once, or as they come. */
export type GivenBytes = Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** Bytes that a client sends. */
export type SentBytes = Uint8Array | Blob | ReadableStream<Uint8Array>;

/** Text as an answer and as the client's data, or as a body. */
export interface TextKind extends AnswerKind<string, string>, BodyKind<string, string | Blob> {}

/** Bytes as an answer and as the client's data, or as a body. */
export interface BytesKind extends AnswerKind<GivenBytes, Uint8Array>, BodyKind<Uint8Array, SentBytes> {}

/** Bytes as a body, read as they come. */
export interface ByteStreamKind extends BodyKind<AsyncIterable<Uint8Array>, SentBytes> {}

/**
 * Text that is not JSON, in UTF-8.
 * @param type the media type, default `text/plain`; of a body also a list of them, or a range such as `text/*`.
 * @throws DeclarationError for what is no media type
 * @example
 * import { GET, text } from "rowtype/http";
 * const robots = GET("/robots.txt", { output: text() }, () => "User-agent: *\nDisallow: /admin\n");
 */
export function text(type: string | readonly string[] = "text/plain"): TextKind {
  return kindOf({ name: "text", types: mediaTypes("text", type) });
}

/** A page of HTML, in UTF-8. The function escapes what it writes into it. */
export function html(): AnswerKind<string, string> {
  return kindOf({ name: "html", types: ["text/html"] });
}

/**
 * Bytes, unchanged. An answer is sent all at once or as a stream yields it; a body is held in memory, within
 * `maxBodySize`.
 * @param type the media type, default `application/octet-stream`; of a body also a list of them, or a range such as
 *   `image/*`.
 * @throws DeclarationError for what is no media type
 */
export function bytes(type: string | readonly string[] = OCTETS): BytesKind {
  return kindOf({ name: "bytes", types: mediaTypes("bytes", type) });
}

/**
 * The bytes of a body as they come: the client sends as fast as the function reads. Past `maxBodySize` the iteration
 * throws a 413, which is the answer unless the function catches it.
 * @param type the media type, a list of them, or a range such as `image/*`; default `application/octet-stream`.
 * @throws DeclarationError for what is no media type
 */
export function byteStream(type: string | readonly string[] = OCTETS): ByteStreamKind {
  return kindOf({ name: "byteStream", types: mediaTypes("byteStream", type) });
}

const OCTETS = "application/octet-stream";
