/** The body of a test's request, as it is sent. */
import { DeclarationError, describeType, safely } from "../../core/errors.js";

/** What is sent, at once or as it comes, and its media type where the test names none. */
export type Payload =
  | { readonly type: string; readonly data: string | Uint8Array }
  | { readonly type: string; readonly chunks: AsyncIterable<string | Uint8Array> };

const OCTETS = "application/octet-stream";

/** @throws DeclarationError for a value that JSON cannot hold */
export async function payloadOf(body: unknown): Promise<Payload> {
  if (isSent(body)) return { type: "application/json", data: body };
  if (safely(() => body instanceof FormData || body instanceof URLSearchParams || body instanceof Blob)) {
    // The boundary of a form is in both.
    const encoded = new Response(body as FormData);
    const data = new Uint8Array(await encoded.arrayBuffer());
    return { type: encoded.headers.get("content-type") ?? OCTETS, data };
  }
  if (safely(() => typeof body === "object" && body !== null && Symbol.asyncIterator in body)) {
    return streamed((body as AsyncIterable<unknown>)[Symbol.asyncIterator]());
  }
  return { type: "application/json", data: jsonOf(body) };
}

/** The first item says what the others are: chunks, or rows of lines of JSON. */
async function streamed(items: AsyncIterator<unknown>): Promise<Payload> {
  const first = await items.next();
  const isOfRows = first.done !== true && !isSent(first.value);
  return { type: isOfRows ? "application/x-ndjson" : OCTETS, chunks: chunksOf(first, items, isOfRows) };
}

async function* chunksOf(
  first: IteratorResult<unknown>,
  items: AsyncIterator<unknown>,
  isOfRows: boolean,
): AsyncGenerator<string | Uint8Array, void> {
  try {
    for (let item = first; item.done !== true; item = await items.next()) {
      if (isOfRows) yield `${jsonOf(item.value)}\n`;
      else if (isSent(item.value)) yield item.value;
      else throw new DeclarationError(`a chunk of a body is text or bytes, not ${describeType(item.value)}`);
    }
  } finally {
    await items.return?.();
  }
}

function isSent(value: unknown): value is string | Uint8Array {
  return typeof value === "string" || safely(() => value instanceof Uint8Array);
}

function jsonOf(body: unknown): string {
  try {
    const text: string | undefined = JSON.stringify(body, wireForm);
    if (text !== undefined) return text;
  } catch (cause) {
    throw new DeclarationError("the body is text, bytes, a form, or what JSON can hold", { cause });
  }
  throw new DeclarationError(
    `the body is text, bytes, a form, or what JSON can hold, not ${describeType(body)}`,
  );
}

/** The wire form of values without a JSON form. Dates have their own JSON form, which is the same. */
function wireForm(this: object, key: string, value: unknown): unknown {
  // The value before its `toJSON`: for a `Buffer` that returns a list of numbers.
  const given: unknown = Reflect.get(this, key);
  if (typeof given === "bigint") return given.toString();
  if (given instanceof Uint8Array) return Buffer.from(given).toString("base64");
  if (given instanceof Set || given instanceof Map) return [...given];
  return value;
}
