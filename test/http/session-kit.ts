/**
 * Sessions at a provider that a test decides upon, the ways of a browser through a login, and stores in trouble.
 */
import type { SessionStore } from "rowtype/http/session";
import { type Browser, browser } from "./browser.js";
import { json, type Provider, provider } from "./provider.js";
import { type Given, sessionEngine } from "./session-engine.js";

/** A provider that gives tokens for every code. */
export const granting: Provider["answer"] = (_asked, response) =>
  json(response, { access_token: "the-access-token", token_type: "Bearer" });

/** An engine with sessions and its own provider. */
export async function kit(given: Given = {}, answer: Provider["answer"] = granting) {
  const server = await provider(answer);
  const made = sessionEngine(`${server.url}/token`, given);
  return { server, ...made, browser: () => browser(made.engine) };
}

/** Begins a login; gives the state that the provider would send back. */
export async function begin(client: Browser, query = ""): Promise<string> {
  const answer = await client.get(`/login${query}`);
  return new URL(answer.headers.get("location") ?? "").searchParams.get("state") ?? "";
}

/** A whole login. */
export async function logIn(client: Browser, query = "") {
  return client.get(`/callback?code=c&state=${await begin(client, query)}`);
}

/** A store whose every step may be made to fail or hang. */
export function troubled(store: SessionStore) {
  const trouble = new Map<keyof SessionStore, () => Promise<never>>();
  const handled: SessionStore = {
    putState: (key, state) => trouble.get("putState")?.() ?? store.putState(key, state),
    takeState: (key) => trouble.get("takeState")?.() ?? store.takeState(key),
    create: (key, session) => trouble.get("create")?.() ?? store.create(key, session),
    get: (key) => trouble.get("get")?.() ?? store.get(key),
    touch: (key, at) => trouble.get("touch")?.() ?? store.touch(key, at),
    delete: (key) => trouble.get("delete")?.() ?? store.delete(key),
  };
  return { store: handled, trouble };
}
