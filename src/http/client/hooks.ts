/** Sends a request past the hooks of a client. */
import { notSent } from "./client-error.js";
import { lost } from "./signals.js";

/** Sends requests: `fetch` or a compatible function. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

type Answer<T> = T | Promise<T>;

/** How requests are sent, and who sees them. */
export interface Sender {
  /** Replaces the global `fetch`. With a hook it gets the request as its second argument. */
  readonly fetch?: Fetch | undefined;
  /**
   * Sees each request before it is sent, and may change its headers or give another one. An error that it throws rejects
   * the call as it is.
   */
  readonly onRequest?: ((request: Request) => Answer<Request | undefined> | Answer<void>) | undefined;
  /** Sees the status and the headers of each answer before its body is read. An error rejects the call as it is. */
  readonly onResponse?: ((response: Response, request: Request) => unknown) | undefined;
}

/** @throws ClientError if the request cannot be sent or no answer comes */
export async function sendBy(sender: Sender, url: string, init: RequestInit): Promise<Response> {
  const { onRequest, onResponse } = sender;
  if (onRequest === undefined && onResponse === undefined) return ask(sender, url, init);
  const first = requestOf(url, init);
  const given = (await onRequest?.(first)) ?? first;
  const { signal } = init;
  // Another request ends with the call too.
  const request =
    given === first || !signal
      ? given
      : requestOf(given, { signal: AbortSignal.any([signal, given.signal]) });
  const response = await ask(sender, request, init);
  try {
    await onResponse?.(new Response(null, response), request);
  } catch (error) {
    await response.body?.cancel();
    throw error;
  }
  return response;
}

async function ask({ fetch }: Sender, sent: string | Request, init: RequestInit): Promise<Response> {
  const isUrl = typeof sent === "string";
  try {
    // Browsers require that `fetch` is called as a plain function, and send the body of a request whole if it is not taken apart.
    if (fetch === undefined) return await globalThis.fetch(sent, isUrl ? init : undefined);
    return await (isUrl ? fetch(sent, init) : fetch(sent.url, sent));
  } catch (cause) {
    // What the platform refuses was not lost: a URL, a method, a body of GET. The body itself may be used up by now.
    if (fetch === undefined && isUrl) requestOf(sent, { ...init, body: init.body ? "x" : null });
    throw lost(cause, init.signal ?? undefined);
  }
}

/** @throws ClientError for what is no request */
function requestOf(from: string | Request, init: RequestInit): Request {
  try {
    return new Request(from, init);
  } catch (cause) {
    throw notSent("the URL, the method or the body cannot be sent", cause);
  }
}
