/** The kinds that are text, bytes or a file, of answers and of bodies. */
import { DeclarationError, quoted } from "../../core/errors.js";
import { known } from "./configured.js";
import { type AnswerKind, type BodyKind, isRange, kindOf, mediaTypes } from "./kind.js";

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

/** A file that an answer sends. */
export interface GivenFile {
  /** The folder below which the path leads. */
  readonly root: string;
  /** Below the root. What leaves it, a folder, a dot file and what is absent are a 404: it may come from a client. */
  readonly path: string;
  /** The name under which a client saves it; without one it is no attachment. */
  readonly name?: string | undefined;
  /** The media type; by default that of the extension of the path. */
  readonly type?: string | undefined;
}

/** A file as an answer, and as the client's data. */
export interface FileKind extends AnswerKind<GivenFile, Uint8Array> {}

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

/**
 * A file below a folder, with ranges, `Last-Modified` and an `ETag`.
 * @param options the media types that the document lists; by default any.
 * @throws DeclarationError for what is no media type
 * @example
 * import { file, GET } from "rowtype/http";
 * const pictures = GET("/pictures/{path*}", { output: file({ types: ["image/*"] }) }, ({ params }) =>
 *   ({ root: "pictures", path: params.path.path }));
 */
export function file(options: { readonly types?: readonly string[] | undefined } = {}): FileKind {
  const { types = ["*/*"] } = known(options, { types: true }, "file");
  const list = mediaTypes("file", types);
  const wrong = list.find((type) => !isRange(type));
  if (wrong !== undefined)
    throw new DeclarationError(`file(): ${quoted(wrong)} is no media type and no range`);
  return kindOf({ name: "file", types: list });
}

const OCTETS = "application/octet-stream";
