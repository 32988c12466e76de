/**
 * The keys of an issuer, as its endpoint publishes them. The endpoint is requested at most twice per cooldown, for any
 * tokens, and whether it answers or fails. While it fails, the known keys stay in use.
 */
import {
  type CryptoKey,
  createLocalJWKSet,
  errors,
  type FlattenedJWSInput,
  type JSONWebKeySet,
  type JWSHeaderParameters,
} from "jose";
import { type Bounds, boundedFetch } from "../outside/outgoing.js";
import { within } from "../outside/time-limit.js";
import { TokenError } from "./token-error.js";

/** The URL of the keys, and how often they are requested. */
interface KeySetOptions extends Bounds {
  readonly url: URL;
  readonly cooldownMs: number;
  readonly maxAgeMs: number;
}

/** Finds the key of a token, as jose requires. */
export type FindKey = (header: JWSHeaderParameters, token: FlattenedJWSInput) => Promise<CryptoKey>;

type LocalKeys = ReturnType<typeof createLocalJWKSet>;

const FETCHES_PER_COOLDOWN = 2;
/** How long a request waits for fresh keys if old ones are available. */
const GRACE_MS = 1_000;

/** A key finder with its cache. Nothing is fetched before the first token. */
export function keySet(options: KeySetOptions): FindKey {
  let keys: LocalKeys | undefined;
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let failing: Error | undefined;
  let asked: number[] = [];
  let pending: { readonly done: Promise<void>; readonly startedAt: number } | undefined;

  /** The running fetch or a new one; `undefined` during the cooldown. It never rejects. */
  const refresh = () => {
    if (pending !== undefined) return pending;
    const now = performance.now();
    asked = asked.filter((at) => now - at < options.cooldownMs);
    if (asked.length >= FETCHES_PER_COOLDOWN) return undefined;
    asked.push(now);
    const done = fetchKeys(options).then(
      (fresh) => {
        keys = fresh;
        fetchedAt = performance.now();
        failing = undefined;
        pending = undefined;
      },
      (error: Error) => {
        failing = error;
        pending = undefined;
      },
    );
    pending = { done, startedAt: now };
    return pending;
  };

  return async (header, token) => {
    if (keys === undefined) await refresh()?.done;
    else if (performance.now() - fetchedAt > options.maxAgeMs) {
      const fetching = refresh();
      // The endpoint failed last time: the old keys are used at once, without waiting for it.
      if (fetching !== undefined && failing === undefined) {
        const left = fetching.startedAt + GRACE_MS - performance.now();
        // After the time, the old keys are used, whatever the result.
        if (left > 0) await within(left, "the key endpoint", () => fetching.done).catch(() => {});
      }
    }
    if (keys === undefined) throw unavailable(failing);
    const known = keys;
    try {
      return await known(header, token);
    } catch (error) {
      // Another key set can help only if the token names a key that this one does not have.
      if (!(error instanceof errors.JWKSNoMatchingKey) || typeof header.kid !== "string") throw error;
      await refresh()?.done;
      if (keys === known) throw failing === undefined ? error : unavailable(failing);
      return keys(header, token);
    }
  };
}

function unavailable(cause: Error | undefined): TokenError {
  return new TokenError("KEYS_UNAVAILABLE", "the keys of the issuer are not available", { cause });
}

async function fetchKeys(options: KeySetOptions): Promise<LocalKeys> {
  const headers = { accept: "application/json, application/jwk-set+json" };
  const answer = await boundedFetch(options.url.href, { headers }, options);
  if (answer.status !== 200) throw new Error(`the key endpoint answered with status ${answer.status}`);
  try {
    // jose checks the shape of the set and of the key that a token names.
    return createLocalJWKSet((await answer.json()) as JSONWebKeySet);
  } catch {
    // The parser's message quotes the answer.
    throw new Error("the answer of the key endpoint is not a key set");
  }
}
