/**
 * A client that keeps cookies as a browser does, as far as sessions need it: by name, until they are cleared.
 */
import { type AnyEngine, serveRequestWithHeaders, type TestResponse } from "rowtype/http/testing";

export interface Browser {
  readonly cookies: Map<string, string>;
  get(path: string): Promise<TestResponse>;
  post(path: string): Promise<TestResponse>;
}

/** A browser of its own, which talks to one engine. */
export function browser(engine: AnyEngine, known: Iterable<[string, string]> = []): Browser {
  const cookies = new Map(known);
  const ask = async (method: string, path: string) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await serveRequestWithHeaders(engine, method, path, cookie === "" ? {} : { cookie });
    keepCookies(cookies, response.headers.getSetCookie());
    return response;
  };
  return { cookies, get: (path) => ask("GET", path), post: (path) => ask("POST", path) };
}

/** Takes over what `Set-Cookie` headers say. */
export function keepCookies(cookies: Map<string, string>, headers: readonly string[]): void {
  for (const header of headers) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
    if (/; *max-age=0/i.test(header) || /expires=Thu, 01 Jan 1970/i.test(header)) cookies.delete(name);
    else cookies.set(name, value);
  }
}
