/**
 * A listening server: timeouts for slow clients, refusals of requests that HTTP parsers read differently, and a
 * shutdown that lets requests finish.
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
import type { ErrorForm } from "../contract/error-form.js";
import { BadRequest } from "../contract/errors.js";
import { NO_SNIFFING } from "../pipeline/exchange.js";
import type { ServedApp } from "./app.js";

/** Timeouts in milliseconds. They do not end streams. */
interface ServerTimeouts {
  readonly headersMs: number;
  readonly requestMs: number;
  readonly keepAliveMs: number;
}

/** The address of a started engine. */
export interface Address {
  readonly address: string;
  readonly port: number;
  readonly url: string;
}

/** How often Node checks for slow connections. */
const CHECK_MS = 1_000;

/** A server, and two functions on its connections that Node lacks. */
export interface EngineServer {
  readonly server: Server;
  /** Waits until all connections that the system has accepted, and their data, are received. */
  readonly arrivals: () => Promise<void>;
  /** Ends the connections that never sent a byte. Node treats them as active requests. */
  readonly endSilent: () => void;
}

/** The last answer on a socket. A property: a `WeakMap` costs each request more, and garbage collection too. */
const ANSWER = Symbol("rowtype.answer");

interface AnsweredSocket extends Socket {
  [ANSWER]?: ServerResponse;
}

/** A server that is not listening yet. */
export function makeServer(app: ServedApp, timeouts: ServerTimeouts): EngineServer {
  const { headersMs, requestMs, keepAliveMs } = timeouts;
  const { errorForm } = app;
  const serve: RequestListener = (request, response) => {
    (request.socket as AnsweredSocket)[ANSWER] = response;
    if (isAmbiguous(request)) refuse(request, response, 400, errorForm);
    else app.listener(request, response);
  };
  const server = createServer(
    {
      ...app.classes,
      headersTimeout: Math.min(headersMs, requestMs),
      requestTimeout: requestMs,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: CHECK_MS,
      // Node would send its own body. A request without a host is refused below, like every malformed one.
      requireHostHeader: false,
    },
    serve,
  );
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    continueWhenRead(request, response);
    serve(request, response);
  });
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    refuse(request, response, 417, errorForm);
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) =>
    refuseSocket(error, socket, errorForm),
  );

  // A connection without traffic for `requestMs`.
  server.setTimeout(requestMs, (socket) => {
    if (!mayStandStill(socket, (socket as AnsweredSocket)[ANSWER])) socket.destroy();
  });

  const sockets = new Set<Socket>();
  let connections = 0;
  server.on("connection", (socket) => {
    connections++;
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  keepAnswers(server, sockets);
  const endSilent = () => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };
  return { server, arrivals: () => quiet(() => connections), endSilent };
}

/**
 * Node treats a connection as idle as soon as its answer has ended, and ends it even if the client has not read all of
 * it. Such a connection is kept until the answer is complete.
 */
function keepAnswers(server: Server, sockets: ReadonlySet<Socket>): void {
  const closeIdle = server.closeIdleConnections.bind(server);
  // Node's own `close` calls it too.
  server.closeIdleConnections = () => {
    const kept = [...sockets].filter(isAnswering);
    // It ends them before it returns, without any hook.
    for (const socket of kept) socket.destroy = () => socket;
    closeIdle();
    for (const socket of kept) Reflect.deleteProperty(socket, "destroy");
  };
}

function isAnswering(socket: AnsweredSocket): boolean {
  const answer = socket[ANSWER];
  return answer?.writableEnded === true && !answer.writableFinished && !answer.destroyed;
}

/** Node accepts one connection per turn of the event loop, and reads from it in a later turn. */
const QUIET_TURNS = 3;
/** The longest wait: while new connections keep arriving, there is no quiet moment. */
const LONGEST_ARRIVAL_MS = 200;
/** More than the 511 connections that the system queues for a server. On a busy machine the time may pass earlier. */
const LEAST_TURNS = 600;

async function quiet(count: () => number): Promise<void> {
  const end = performance.now() + LONGEST_ARRIVAL_MS;
  let seen = count();
  let turns = 0;
  for (let turn = 0; turn < QUIET_TURNS && (turns < LEAST_TURNS || performance.now() < end); turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    turns++;
    if (count() === seen) continue;
    seen = count();
    turn = -1;
  }
}

/**
 * Whether a connection may be idle. A handler has no time limit, and a stream has its own; a client must read its
 * answer. Before the first request Node's own timeouts apply. After an answer the idle connection ends.
 */
function mayStandStill(socket: Socket, answer: ServerResponse | undefined): boolean {
  if (answer === undefined) return true;
  if (answer.writableFinished || answer.destroyed) return false;
  return socket.writableLength === 0 || answer.listenerCount("timeout") > 0;
}

/** Resolves once the server listens; `""` is every interface. */
export function listenOn(server: Server, host: string, port: number): Promise<Address> {
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

/** Sends `100 Continue` when the body is first read. An earlier refusal is final, and Node then ends the connection. */
function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  const read = request._read;
  request._read = (size) => {
    request._read = read;
    if (!response.headersSent) response.writeContinue();
    Reflect.apply(read, request, [size]);
  };
}

/**
 * Whether a request has two hosts, no host, or an unknown transfer coding: a server that it is passed to may read it
 * differently.
 */
function isAmbiguous({ rawHeaders, httpVersionMajor, httpVersionMinor }: IncomingMessage): boolean {
  let hosts = 0;
  let codings = 0;
  // The raw headers: Node builds `headers` only when it is first read.
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

/** The sockets of refused requests. Later data on them is not trusted: nothing more is written. */
const refused = new WeakSet<Duplex>();

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  status: 400 | 417,
  { type, body }: ErrorForm,
): void {
  refused.add(request.socket);
  const refusal = JSON.stringify(body(BadRequest, status));
  response.writeHead(status, {
    "Content-Type": type,
    "Content-Length": Buffer.byteLength(refusal),
    [NO_SNIFFING.name]: NO_SNIFFING.value,
    Connection: "close",
  });
  response.end(refusal);
}

/** Requests that Node's parser gave up on have no response object. */
function refuseSocket(error: NodeJS.ErrnoException, socket: Duplex, { type, body }: ErrorForm): void {
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
  const refusal = JSON.stringify(body(BadRequest, Number.parseInt(status, 10)));
  const length = `Content-Length: ${Buffer.byteLength(refusal)}`;
  const safety = `${NO_SNIFFING.name}: ${NO_SNIFFING.value}`;
  const head = [`HTTP/1.1 ${status}`, `Content-Type: ${type}`, length, safety, "Connection: close"].join(
    "\r\n",
  );
  socket.end(`${head}\r\n\r\n${refusal}`);
}
