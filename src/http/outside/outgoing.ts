/**
 * Requests that this package itself sends: to the key sets and token endpoints of identity providers. These may be
 * slow, broken or hostile: every answer is limited in time and bytes, and no redirect is followed.
 */
import { within } from "./time-limit.js";

/** The limits of one kind of request. */
export interface Bounds {
  readonly fetch?: typeof fetch | undefined;
  /** For the whole answer, including its body. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** Sends a request and reads its whole answer. @throws if the answer is too late or too large */
export function boundedFetch(
  url: string,
  init: Omit<RequestInit, "signal">,
  bounds: Bounds,
): Promise<Response> {
  return within(bounds.timeoutMs, "the endpoint", (signal) =>
    readAnswer(url, { ...init, signal, redirect: "manual" }, bounds),
  );
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
