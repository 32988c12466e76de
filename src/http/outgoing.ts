/**
 * Requests that this package itself makes: to the key sets and token endpoints of identity providers. Whoever
 * answers there may be slow, broken or hostile: every answer is bounded in time and bytes, and no redirect is
 * followed.
 */
import { DeclarationError } from "./declaration-error.js";

/** The limits of one kind of request. */
export interface Bounds {
  readonly fetch?: typeof fetch | undefined;
  /** For the whole answer, its body included. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** Asks, and gives an answer that has been read completely. @throws where it is too late or too large */
export async function boundedFetch(url: string, init: RequestInit, bounds: Bounds): Promise<Response> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new Error("no complete answer in time")), bounds.timeoutMs);
  const signal = init.signal ? AbortSignal.any([init.signal, limit.signal]) : limit.signal;
  const answer = readAnswer(url, { ...init, signal, redirect: "manual" }, bounds);
  try {
    return await Promise.race([answer, rejectOn(signal)]);
  } finally {
    clearTimeout(timer);
    // Ends the body of an answer that was given up, and lets go of the listener of the race.
    limit.abort();
    answer.catch(() => {});
  }
}

/** Rejects when the signal aborts: a `fetch` that the application supplies may not listen to it. */
function rejectOn(signal: AbortSignal): Promise<never> {
  return new Promise<never>((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

async function readAnswer(url: string, init: RequestInit, bounds: Bounds): Promise<Response> {
  const ask = bounds.fetch ?? fetch;
  const { status, headers, body } = await ask(url, init);
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done || value === undefined) break;
    length += value.byteLength;
    if (length > bounds.maxBytes) {
      await reader?.cancel();
      throw new Error(`the answer is over ${bounds.maxBytes} bytes`);
    }
    chunks.push(value);
  }
  return new Response(length === 0 ? null : Buffer.concat(chunks), { status, headers });
}

/**
 * An endpoint of a provider. What travels there are secrets and keys, so it is https; on this machine http will do.
 * @throws DeclarationError
 */
export function endpoint(text: unknown, what: string): URL {
  const url = typeof text === "string" && URL.canParse(text) ? new URL(text) : undefined;
  const local = url !== undefined && isLoopback(url.hostname);
  if (url === undefined || (url.protocol !== "https:" && !(url.protocol === "http:" && local))) {
    throw new DeclarationError(`${what} is an https URL (http on the loopback only)`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new DeclarationError(`${what} carries no user name or password`);
  }
  return url;
}

function isLoopback(host: string): boolean {
  return (
    host === "localhost" ||
    host.endsWith(".localhost") ||
    host === "[::1]" ||
    /^127\.\d+\.\d+\.\d+$/.test(host)
  );
}

/** Text that is there. @throws DeclarationError */
export function filled(text: unknown, what: string): string {
  if (typeof text !== "string" || text.trim() === "") {
    throw new DeclarationError(`${what} is text that is not empty`);
  }
  return text;
}

/** A length of time or a size. @throws DeclarationError */
export function positive(value: unknown, what: string, fallback: number): number {
  if (value === undefined) return fallback;
  if (typeof value !== "number" || !Number.isFinite(value) || value <= 0) {
    throw new DeclarationError(`${what} is a number above 0`);
  }
  return value;
}
