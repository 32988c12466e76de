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
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { BadRequest, errorBody } from "../contract/errors.js";
import { NO_SNIFFING } from "../pipeline/exchange.js";
import type { ServedApp } from "./app.js";

/** In milliseconds; none of them cuts a stream. */
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

/** A server, and what Node cannot tell it of its connections. */
export interface EngineServer {
  readonly server: Server;
  /** Waits until the connections that the system has accepted, and what they have sent, have come in. */
  readonly arrivals: () => Promise<void>;
  /** Ends the connections that never sent a byte, which Node takes for requests under way. */
  readonly endSilent: () => void;
}

/** A server that is not listening yet. */
export function makeServer(app: ServedApp, timeouts: ServerTimeouts): EngineServer {
  const { headersMs, requestMs, keepAliveMs } = timeouts;
  const answers = new WeakMap<Socket, ServerResponse>();
  const serve: RequestListener = (request, response) => {
    answers.set(request.socket, response);
    if (isAmbiguous(request)) refuse(request, response, 400);
    else app.listener(request, response);
  };
  const server = createServer(
    {
      ...app.classes,
      headersTimeout: Math.min(headersMs, requestMs),
      requestTimeout: requestMs,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: CHECK_MS,
      // Node would answer in words of its own; it is refused below, as every other request that is none.
      requireHostHeader: false,
    },
    serve,
  );
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    continueWhenRead(request, response);
    serve(request, response);
  });
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    refuse(request, response, 417);
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => refuseSocket(error, socket));

  // A connection on which nothing has moved for so long.
  server.setTimeout(requestMs, (socket) => {
    if (!mayStandStill(socket, answers.get(socket))) socket.destroy();
  });

  const sockets = new Set<Socket>();
  let connections = 0;
  server.on("connection", (socket) => {
    connections++;
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  const endSilent = () => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };
  return { server, arrivals: () => quiet(() => connections), endSilent };
}

/** Node takes one connection in a turn of the event loop, and reads from it in a later one. */
const QUIET_TURNS = 3;
/** Under a stream of new connections there is no quiet moment. */
const LONGEST_ARRIVAL_MS = 200;

async function quiet(count: () => number): Promise<void> {
  const end = performance.now() + LONGEST_ARRIVAL_MS;
  let seen = count();
  for (let turn = 0; turn < QUIET_TURNS && performance.now() < end; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    if (count() === seen) continue;
    seen = count();
    turn = -1;
  }
}

/**
 * A handler may think as long as it likes, and a stream has a patience of its own; a client must take its answer.
 * Before the first request Node's own timeouts count, and after an answer this is the end of keep-alive.
 */
function mayStandStill(socket: Socket, answer: ServerResponse | undefined): boolean {
  if (answer === undefined) return true;
  if (answer.writableFinished || answer.destroyed) return false;
  return socket.writableLength === 0 || answer.listenerCount("timeout") > 0;
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

/**
 * A client that waits for `100 Continue` is told to go on when somebody begins to read its body; a refusal before
 * that is final, and Node ends the connection with it.
 */
function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  const read = request._read;
  request._read = (size) => {
    request._read = read;
    if (!response.headersSent) response.writeContinue();
    Reflect.apply(read, request, [size]);
  };
}

/**
 * Two hosts, or none, or a transfer coding that is not understood: what stands behind us may read them differently.
 */
function isAmbiguous({ rawHeaders, httpVersionMajor, httpVersionMinor }: IncomingMessage): boolean {
  let hosts = 0;
  let codings = 0;
  // Read as they came: the object of all headers is made up only when somebody asks for it.
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === "host".length && name.toLowerCase() === "host") hosts++;
    else if (name?.length === "transfer-encoding".length && name.toLowerCase() === "transfer-encoding") {
      codings++;
      if (rawHeaders[i + 1]?.trim().toLowerCase() !== "chunked") return true;
    }
  }
  const hasNone = hosts === 0 && (httpVersionMajor > 1 || httpVersionMinor > 0);
  return hasNone || hosts > 1 || codings > 1;
}

const REFUSAL = JSON.stringify(errorBody(BadRequest));

/** What follows on such a connection is not to be trusted: its refusal is the last that is written. */
const refused = new WeakSet<Duplex>();

function refuse(request: IncomingMessage, response: ServerResponse, status: 400 | 417): void {
  refused.add(request.socket);
  response.writeHead(status, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(REFUSAL),
    [NO_SNIFFING.name]: NO_SNIFFING.value,
    Connection: "close",
  });
  response.end(REFUSAL);
}

/** Requests that Node's parser gave up on have no response object. */
function refuseSocket(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET" || refused.has(socket)) {
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
  const safety = `${NO_SNIFFING.name}: ${NO_SNIFFING.value}`;
  const head = [`HTTP/1.1 ${status}`, type, length, safety, "Connection: close"].join("\r\n");
  socket.end(`${head}\r\n\r\n${REFUSAL}`);
}
