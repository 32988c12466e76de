/**
 * The cookies of sessions: a random id and a signature over the cookie's name and the id. A cookie of one name never
 * passes for one of another.
 */

import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { DeclarationError, isList, isReadable } from "../../core/errors.js";
import type { OptionNames } from "../contract/configured.js";
import { cookieTexts } from "../pipeline/cookies.js";

/** The signing keys and the path of cookies. */
export interface CookieOptions {
  /** At least 32 bytes. In a list, the first key signs and all keys verify. */
  readonly signKey: string | Uint8Array | readonly (string | Uint8Array)[];
  /** Default `/`. */
  readonly path?: string;
}

export const COOKIE_OPTIONS: OptionNames<CookieOptions> = { signKey: true, path: true };

/** One cookie of this program. */
export interface SignedCookie {
  readonly name: string;
  /** The id in the browser's cookie; `null` if it has no id that was signed here, or several. */
  read(request: IncomingMessage): string | null;
  write(response: ServerResponse, id: string): void;
  clear(response: ServerResponse): void;
}

const MIN_KEY_BYTES = 32;
/** Other applications of the host may set cookies of the same name for other paths, but not this many. */
const MAX_CANDIDATES = 16;

/** All keys verify, the first one signs. */
type SignKeys = readonly [Buffer, ...Buffer[]];

/** @throws DeclarationError */
export function signKeys({ signKey }: CookieOptions): SignKeys {
  const given: readonly unknown[] = isList(signKey) ? signKey : [signKey];
  const [first, ...others] = given.map((key) => {
    if (typeof key !== "string" && !(isReadable(key) && key instanceof Uint8Array)) {
      throw new DeclarationError("signKey is text or bytes");
    }
    const bytes = Buffer.from(key);
    if (bytes.length < MIN_KEY_BYTES) {
      throw new DeclarationError(`signKey has at least ${MIN_KEY_BYTES} bytes, not ${bytes.length}`);
    }
    return bytes;
  });
  if (first === undefined) throw new DeclarationError("signKey is a non-empty list");
  return [first, ...others];
}

/**
 * A cookie. Browsers accept the prefix `__Host-` only for the path `/`, and only from this host.
 * @throws DeclarationError for an invalid path
 */
export function signedCookie(
  purpose: string,
  { path = "/" }: CookieOptions,
  keys: SignKeys,
  maxAgeMs: number,
): SignedCookie {
  if (typeof path !== "string" || !/^\/[\w./~-]*$/.test(path))
    throw new DeclarationError("the path of a cookie begins with a slash");
  const name = path === "/" ? `__Host-${purpose}` : purpose;
  const signature = (id: string, key: Buffer) => createHmac("sha256", key).update(`${name}.${id}`).digest();
  const verified = (text: string): string | null => {
    const [, id, hex] = /^([\w-]{1,128})\.([0-9a-f]{64})$/.exec(text) ?? [];
    if (id === undefined || hex === undefined) return null;
    const given = Buffer.from(hex, "hex");
    // Every key is tried: the time does not reveal which one fits.
    const fitting = keys.filter((key) => timingSafeEqual(signature(id, key), given));
    return fitting.length === 0 ? null : id;
  };
  const attributes = `Path=${path}; HttpOnly; Secure; SameSite=Lax`;
  const set = (response: ServerResponse, value: string, seconds: number) => {
    response.appendHeader("Set-Cookie", `${name}=${value}; Max-Age=${seconds}; ${attributes}`);
  };
  return {
    name,
    read(request) {
      // A direct caller may pass a value other than a request, which has no cookie.
      const texts = cookieTexts(request?.headers?.cookie)(name).slice(0, MAX_CANDIDATES);
      const ids = new Set(texts.map(verified).filter((id) => id !== null));
      // If two cookies verify, one was added, and it is unknown which.
      const [id = null] = ids;
      return ids.size === 1 ? id : null;
    },
    write(response, id) {
      set(response, `${id}.${signature(id, keys[0]).toString("hex")}`, Math.ceil(maxAgeMs / 1000));
    },
    clear: (response) => set(response, "", 0),
  };
}

/** An id that cannot be guessed: 256 random bits, 43 characters. */
export function newId(): string {
  return randomBytes(32).toString("base64url");
}

/** The value that a store gets in place of an id. */
export function digest(id: string): string {
  return createHash("sha256").update(id).digest("hex");
}

/** Whether two digests are equal, in a time that does not show where they differ. */
export function equalDigests(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
