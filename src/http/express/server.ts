/**
 * A listening server: timeouts that end slow clients, refusals of what HTTP parsers disagree about, and an end
 * that lets requests finish.
 */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { Duplex } from "node:stream";
import { BadRequest, errorBody } from "../errors.js";

/** In milliseconds; none of them cuts an answer that is under way. */
export interface ServerTimeouts {
  readonly headersMs: number;
  readonly requestMs: number;
  readonly keepAliveMs: number;
}

/** How a started engine can be reached. */
export interface Address {
  readonly address: string;
  readonly port: number;
  readonly url: string;
}

/** How often Node looks for connections that are too slow. */
const CHECK_MS = 1_000;

export function makeServer(listener: RequestListener, timeouts: ServerTimeouts): Server {
  const { headersMs, requestMs, keepAliveMs } = timeouts;
  const server = createServer(
    {
      headersTimeout: Math.min(headersMs, requestMs),
      requestTimeout: requestMs,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: CHECK_MS,
    },
    (request, response) => {
      if (isAmbiguous(request)) refuse(response);
      else listener(request, response);
    },
  );
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => refuseSocket(error, socket));
  return server;
}

/** Resolves once the server listens; `""` is every interface. */
export function listen(server: Server, host: string, port: number): Promise<Address> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host === "" ? undefined : host, () => {
      server.off("error", reject);
      const bound = server.address();
      if (bound === null || typeof bound === "string") return reject(new Error("the server has no port"));
      const name = host === "" || host === "0.0.0.0" || host === "::" ? "localhost" : host;
      const url = `http://${name.includes(":") ? `[${name}]` : name}:${bound.port}`;
      resolve({ address: bound.address, port: bound.port, url });
    });
  });
}

/** Two hosts, or a transfer coding that is not understood: what stands behind us may read them differently. */
function isAmbiguous({ headers, headersDistinct }: IncomingMessage): boolean {
  const coding = headers["transfer-encoding"];
  if (coding !== undefined && coding.trim().toLowerCase() !== "chunked") return true;
  return (headersDistinct["host"]?.length ?? 0) > 1;
}

const REFUSAL = JSON.stringify(errorBody(BadRequest));

function refuse(response: ServerResponse): void {
  response.writeHead(400, { "Content-Type": "application/json; charset=utf-8", Connection: "close" });
  response.end(REFUSAL);
}

/** Requests that Node's parser gave up on have no response object. */
function refuseSocket(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const status =
    error.code === "ERR_HTTP_REQUEST_TIMEOUT"
      ? "408 Request Timeout"
      : error.code === "HPE_HEADER_OVERFLOW"
        ? "431 Request Header Fields Too Large"
        : "400 Bad Request";
  const type = "Content-Type: application/json; charset=utf-8";
  const length = `Content-Length: ${Buffer.byteLength(REFUSAL)}`;
  socket.end(`HTTP/1.1 ${status}\r\n${type}\r\n${length}\r\nConnection: close\r\n\r\n${REFUSAL}`);
}
