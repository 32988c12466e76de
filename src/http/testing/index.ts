/**
 * `rowtype/http/testing`: an engine's answers without a port. Requests go through the whole engine, Express and
 * all, in the process of the test.
 */

import { type Server, type ServerResponse, request as sendRequest } from "node:http";
import { type Duplex, duplexPair, Readable } from "node:stream";
import {
  DeclarationError,
  describeType,
  hasMethods,
  isList,
  quoted,
  readParts,
  visible,
} from "../../core/errors.js";
import { object } from "../contract/configured.js";
import type { Handler } from "../contract/handler.js";
import { type Identity, identity } from "../contract/identity.js";
import { applicationOf, createEngine, type Engine } from "../engine/engine.js";
import { makeServer } from "../express/server.js";
import { type Payload, payloadOf } from "./payload.js";
import { RecordedBody, type TestEvents } from "./recorded.js";

export type { TestEvent, TestEvents } from "./recorded.js";

/** A recorded answer. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The body; for a stream, the text received so far. */
  text(): string;
  /** The body as bytes; for a stream, those received so far. */
  bytes(): Uint8Array;
  /** The body as JSON. @throws SyntaxError if it is not JSON */
  decodeJSON(): unknown;
  /** The rows of an answer whose lines are JSON. @throws SyntaxError for a line that is not JSON */
  rows(): unknown[];
  /** The events of a stream, as they arrive. A further iteration continues after the last event of the previous one. */
  events(): TestEvents;
  /** Leaves a stream, like a client that goes away. */
  close(): void;
}

/** A new engine with these handlers; more can be set up before the first request. */
export function testEngine<const Hs extends readonly Handler<string, string, unknown, Identity>[]>(
  ...handlers: Hs
): Engine<Identity, Hs[number]> {
  return createEngine().withHandlers(...handlers);
}

/**
 * Sends a request to an engine. The promise resolves when the answer is complete, or when it proves to be a stream. A
 * body that is text or bytes, `FormData`, `URLSearchParams` or a `Blob` is sent unchanged, an async iterable of text and
 * bytes as it comes, one of other values as lines of JSON, and any other value as JSON with dates, bigints, bytes, sets
 * and maps in their wire form.
 * @example
 * import { assertStatus, serveRequest, testEngine } from "rowtype/http/testing";
 * const response = await serveRequest(testEngine(getUser), "GET", "/users/1");
 * assertStatus(response, 200);
 */
export function serveRequest(
  engine: AnyEngine,
  method: string,
  path: string,
  body?: unknown,
): Promise<TestResponse> {
  return serveRequestWithHeaders(engine, method, path, {}, body);
}

/** An engine, for any identity and handlers. */
export type AnyEngine = Pick<Engine, "openapi" | "shutdown">;

// RFC 9110, 5.6.2 and 5.5: methods and the names of headers are tokens; no header holds a control character.
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
const SENDABLE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Like `serveRequest`, with headers. Without a `content-type` a body has its own, or is `application/json`. */
export async function serveRequestWithHeaders(
  engine: AnyEngine,
  method: string,
  path: string,
  headers: Readonly<Record<string, string | readonly string[]>>,
  body?: unknown,
): Promise<TestResponse> {
  if (typeof method !== "string" || !TOKEN.test(method))
    throw new DeclarationError(`the method is a word of HTTP, not ${quoted(method)}`);
  if (typeof path !== "string") throw new DeclarationError(`the path is text, not ${describeType(path)}`);
  object(headers, "headers");
  const sent: Record<string, string | string[]> = { host: "localhost" };
  for (const [name, value] of Object.entries(headers)) {
    const texts: readonly unknown[] = typeof value === "string" ? [value] : isList(value) ? value : [null];
    if (
      !TOKEN.test(name) ||
      !Array.from(texts).every((text) => typeof text === "string" && SENDABLE.test(text))
    )
      throw new DeclarationError(`header ${quoted(name)} is text or a list of texts, as HTTP can send them`);
    sent[name.toLowerCase()] = typeof value === "string" ? value : [...value];
  }
  const payload = body === undefined ? undefined : await payloadOf(body);
  if (payload !== undefined) {
    sent["content-type"] ??= payload.type;
    if ("data" in payload) sent["content-length"] ??= String(Buffer.byteLength(payload.data));
  }
  // As browsers and `fetch` do it. All other text is sent as the test wrote it, right or wrong.
  const target = path.replace(/\p{Cs}/gu, "\ufffd").replace(/[^\x21-\x7e]+/gu, encodeURIComponent);
  return exchange(serverOf(engine), { method, path: target, headers: sent }, payload);
}

/** Node applies these times only to listening servers. */
const UNTIMED = { headersMs: 0, requestMs: 0, keepAliveMs: 0 };

const servers = new WeakMap<object, Server>();
/** The engine's side of each answer, by its end of the connection. */
const answers = new WeakMap<Duplex, ServerResponse>();

/** One server for each engine. It does not listen. */
function serverOf(engine: AnyEngine): Server {
  const known = servers.get(engine);
  if (known !== undefined) return known;
  const { server } = makeServer(applicationOf(engine), UNTIMED);
  server.on("request", (request, response) => answers.set(request.socket, response));
  servers.set(engine, server);
  return server;
}

/** Node's own client and server, over a pair of streams in place of a socket. */
function exchange(
  server: Server,
  options: {
    readonly method: string;
    readonly path: string;
    readonly headers: Record<string, string | string[]>;
  },
  payload: Payload | undefined,
): Promise<TestResponse> {
  const [near, far] = duplexPair();
  // A socket ends when its other side is destroyed; a pair of streams does not.
  far.once("close", () => near.push(null));
  server.emit("connection", far);
  return new Promise((resolve, reject) => {
    const request = sendRequest({ ...options, createConnection: () => near });
    request.on("error", reject);
    request.on("response", (response) => {
      const body = new RecordedBody(response, {
        answered: () => answered(answers.get(far)),
        hangUp: () => {
          near.destroy();
          far.destroy();
        },
      });
      const isStream = /^text\/event-stream\b/.test(response.headers["content-type"] ?? "");
      (isStream ? body.settled() : body.complete()).then(() => {
        resolve({
          status: response.statusCode ?? 0,
          headers: toHeaders(response.headersDistinct),
          text: () => body.text,
          bytes: () => body.bytes,
          decodeJSON: () => JSON.parse(body.text),
          rows: () => body.text.split("\n").filter(Boolean).map(parsed),
          events: () => body.events(),
          close: () => body.close(),
        });
      }, reject);
    });
    if (payload === undefined || "data" in payload) request.end(payload?.data);
    else Readable.from(payload.chunks, { objectMode: false }).on("error", reject).pipe(request);
  });
}

function parsed(line: string): unknown {
  return JSON.parse(line);
}

/** The end of an answer on the engine's side, which comes after the end on the client's side. */
async function answered(response: ServerResponse | undefined): Promise<void> {
  // Data sent without an end finishes with the connection.
  if (response === undefined || !response.writableEnded || response.closed) return;
  await new Promise((resolve) => response.once("close", resolve));
}

function toHeaders(given: NodeJS.Dict<string[]>): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(given)) {
    for (const value of values) headers.append(name, value);
  }
  return headers;
}

/** Throws if the status differs, with the body in the message. */
export function assertStatus(response: TestResponse, status: number): void {
  const found = statusOf(response);
  if (!Number.isInteger(status))
    throw new DeclarationError(`a status is a number, not ${describeType(status)}`);
  if (found === status) return;
  throw new Error(`expected status ${status}, got ${found}: ${shown(response)}`);
}

/** Throws if the answer is not an error of this code. */
export function assertErrorCode(response: TestResponse, code: string): void {
  statusOf(response);
  if (typeof code !== "string") throw new DeclarationError(`a code is text, not ${describeType(code)}`);
  const found = codeOf(response);
  if (found === code) return;
  throw new Error(`expected error code ${code}, got ${found ?? "none"}: ${shown(response)}`);
}

/** The status of an answer. @throws DeclarationError for anything else */
function statusOf(response: unknown): number {
  const { status }: { readonly status?: unknown } = readParts(response) ?? {};
  if (typeof status === "number" && hasMethods(response, ["text", "decodeJSON"])) return status;
  throw new DeclarationError(`an answer of serveRequest was expected, not ${describeType(response)}`);
}

function shown(response: TestResponse): string {
  return visible(response.text().slice(0, 500));
}

function codeOf(response: TestResponse): string | undefined {
  try {
    const body: unknown = response.decodeJSON();
    if (typeof body !== "object" || body === null || !("code" in body)) return undefined;
    return typeof body.code === "string" ? body.code : undefined;
  } catch {
    return undefined;
  }
}

/** An identity for tests. Every method returns a changed copy. */
export interface MockIdentity extends Identity {
  withId(id: string): MockIdentity;
  withTenant(tenantId: string): MockIdentity;
  withEmail(email: string): MockIdentity;
  withRoles(...roles: readonly string[]): MockIdentity;
  withScopes(...scopes: readonly string[]): MockIdentity;
  withStats(stats: Readonly<Record<string, number>>): MockIdentity;
}

interface MockFields {
  readonly id: string;
  readonly tenantId?: string;
  readonly email?: string;
  readonly roles?: readonly string[];
  readonly scopes?: readonly string[];
  readonly stats?: Readonly<Record<string, number>>;
}

/** An identity with the id `test-user` and nothing else. */
export function mockIdentity(): MockIdentity {
  return mock({ id: "test-user" });
}

function mock(fields: MockFields): MockIdentity {
  return Object.freeze({
    ...identity(fields),
    withId: (id: string) => mock({ ...fields, id }),
    withTenant: (tenantId: string) => mock({ ...fields, tenantId }),
    withEmail: (email: string) => mock({ ...fields, email }),
    withRoles: (...roles: readonly string[]) => mock({ ...fields, roles }),
    withScopes: (...scopes: readonly string[]) => mock({ ...fields, scopes }),
    withStats: (stats: Readonly<Record<string, number>>) => mock({ ...fields, stats }),
  });
}
