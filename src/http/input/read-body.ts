/**
 * Reads the bytes of a body up to a limit, and not beyond. A declared length is checked before anything is read, a
 * chunked body as it arrives.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { ignore } from "../../core/values.js";
import { PayloadTooLarge } from "../contract/errors.js";
import type { Exchange } from "../pipeline/exchange.js";

/** The client ended the connection before its body was complete. */
class BodyAborted extends Error {
  readonly code = "ECONNABORTED";

  constructor() {
    super("the client closed the connection before the body was complete");
  }
}

/** The whole body. @throws PayloadTooLarge, BodyAborted */
export function readBody(request: IncomingMessage, response: ServerResponse, limit: number): Promise<Buffer> {
  checkLength(request, response, limit);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    if (request.readableEnded || request.destroyed) {
      reject(new BodyAborted());
      return;
    }
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) {
        chunks.push(chunk);
        return;
      }
      request.off("data", onData);
      refuseRest(request, response);
      reject(PayloadTooLarge.withDetails({ max_size: limit }));
    };
    request.on("data", onData);
    request.on("end", () => {
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size));
    });
    // A cut connection emits `close`. Every complete request emits it too, when the promise is already settled. No
    // `error` listener is needed: Node emits `error` only to listeners.
    request.on("close", () => {
      if (!request.readableEnded) reject(new BodyAborted());
    });
  });
}

/** Refuses a body by the length that it declares. @throws PayloadTooLarge */
export function checkLength(request: IncomingMessage, response: ServerResponse, limit: number): void {
  if (!(Number(request.headers["content-length"]) > limit)) return;
  refuseRest(request, response);
  throw PayloadTooLarge.withDetails({ max_size: limit });
}

/**
 * The chunks of a body, read as fast as they are asked for. Whoever stops early leaves the rest, which is dropped when the
 * answer has ended, as Node drops a body that nobody reads.
 * @throws PayloadTooLarge past the limit, which is the answer if the function does not catch it, and BodyAborted
 */
export function chunksOf(exchange: Exchange, limit: number): AsyncGenerator<Buffer, void> {
  const { request, response } = exchange;
  const chunks = read(exchange, limit);
  response.once("finish", () => {
    if (request.readableEnded) return;
    // An iteration that was begun and not ended holds the request back.
    void chunks.return().catch(ignore);
    setImmediate(() => request.resume());
  });
  return chunks;
}

async function* read(exchange: Exchange, limit: number): AsyncGenerator<Buffer, void> {
  const { request, response } = exchange;
  let size = 0;
  try {
    const chunks: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > limit) throw exchange.refuse(PayloadTooLarge.withDetails({ max_size: limit }));
      yield chunk;
    }
    if (!request.complete) throw new BodyAborted();
  } catch (error) {
    if (size > limit) refuseRest(request, response);
    throw error;
  }
}

/** Whether a body ends before its first byte. Otherwise the rest is dropped, as Node does it. */
export function endsEmpty(request: IncomingMessage): Promise<boolean> {
  return new Promise((resolve, reject) => {
    if (request.readableEnded) resolve(true);
    else if (request.destroyed) reject(new BodyAborted());
    const onCut = () => reject(new BodyAborted());
    request.once("data", () => {
      resolve(false);
      request.resume();
    });
    request.once("end", () => resolve(true));
    request.once("error", onCut).once("close", onCut);
  });
}

/** Reading stops. The connection still contains the rest of the body and ends with the answer. */
export function refuseRest(request: IncomingMessage, response: ServerResponse): void {
  request.pause();
  if (!response.headersSent) response.setHeader("Connection", "close");
}
