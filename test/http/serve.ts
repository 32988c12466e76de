/**
 * Starts engines on a free port for the tests of a file, and ends them after it.
 */
import {
  createEngine,
  type Engine,
  type Handler,
  HostLoopback,
  type Identity,
} from "../../src/http/index.js";
import { atEnd } from "../at-end.js";

/** The URL of an engine that listens. */
export async function listening(engine: Engine<Identity, unknown>): Promise<string> {
  atEnd(() => engine.shutdown({ timeoutMs: 1_000 }));
  const { url } = await engine.start(HostLoopback, 0);
  return url;
}

/** The URL of a new engine with these handlers. */
export function serve(...handlers: readonly Handler<string, string, unknown, Identity>[]): Promise<string> {
  return listening(createEngine().withHandlers(...handlers));
}

/** An answer with its body read as JSON where it is JSON. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // The tests look into bodies of every shape.
  readonly json: unknown;
}

export async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, { redirect: "manual", ...init });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json") === true && text !== "";
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? JSON.parse(text) : undefined,
  };
}

/** A request with a JSON body. */
export function send(method: string, body: unknown, headers: Record<string, string> = {}): RequestInit {
  return { method, body: JSON.stringify(body), headers: { "content-type": "application/json", ...headers } };
}
