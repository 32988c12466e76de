/**
 * Step: an answer that is a file. Express' `sendFile` sends it: ranges, `Last-Modified`, `ETag` and conditional requests are
 * those of the package `send`. What a client may name is decided here: a file below the root, and no other.
 */
import { realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import type { Response } from "express";
import { describeType, readParts } from "../../core/errors.js";
import { HttpError, NotFound } from "../contract/errors.js";
import type { Exchange } from "./exchange.js";
import { refusalOf } from "./refusal.js";

/** A file as the function gives it. */
interface Given {
  readonly root: string;
  readonly path: string;
  readonly name: string | undefined;
  readonly type: string | undefined;
}

/**
 * Sends a file.
 * @param begin sets the headers of the answer.
 * @throws NotFound, a refusal of the request's range or condition, and TypeError for what is no file
 */
export async function sendFile(
  exchange: Exchange,
  value: unknown,
  begin: () => Promise<void> | undefined,
): Promise<void> {
  const { response, runtime } = exchange;
  const given = givenFile(value);
  const found = await placeOf(given);
  if (exchange.answered) return;
  if (found === undefined) throw NotFound;
  const before = new Set(response.getHeaderNames());
  await begin();
  if (given.type !== undefined) response.setHeader("Content-Type", given.type);
  if (given.name !== undefined) response.setHeader("Content-Disposition", attachment(given.name));
  if (runtime.closing.aborted) response.setHeader("Connection", "close");
  exchange.sending = true;
  try {
    await sent(response, found);
  } catch (error) {
    // Express reports ECONNABORTED for a client that has left; the end of the exchange reports it.
    if (response.destroyed || (error as NodeJS.ErrnoException).code === "ECONNABORTED") return;
    if (response.headersSent) throw error;
    // Headers that describe the file do not describe the refusal.
    for (const name of response.getHeaderNames()) if (!before.has(name)) response.removeHeader(name);
    const refusal = refusalOf(error, response);
    // The message of the package is written in its own style.
    throw HttpError.is(refusal) ? refusal.withMessage(refusal.definition.message) : refusal;
  } finally {
    exchange.sending = false;
  }
}

function givenFile(value: unknown): Given {
  const read = readParts(value);
  if (read === undefined)
    throw new TypeError(`the handler gave ${describeType(value)}, and an answer of file() is { root, path }`);
  const { root, path, name, type } = read;
  for (const [key, text] of Object.entries({ root, path, name, type })) {
    const isOptional = key === "name" || key === "type";
    if (!(typeof text === "string" && (text !== "" || key === "path")) && !(isOptional && text === undefined))
      throw new TypeError(`the ${key} of a file is text, not ${describeType(text)}`);
  }
  // Each was checked above.
  return { root, path, name, type } as Given;
}

/** The root and the path of a file below it, as the system names them; `undefined` for anything else. */
async function placeOf({ root, path }: Given): Promise<{ root: string; path: string } | undefined> {
  const top = await realpath(root);
  if (/[\0\p{Cs}]/u.test(path) || path.split(/[\\/]/).some((part) => part.length > 1 && part.startsWith(".")))
    return undefined;
  try {
    const place = await realpath(join(top, path));
    const below = top.endsWith(sep) ? top : `${top}${sep}`;
    if (!place.startsWith(below) || !(await stat(place)).isFile()) return undefined;
    return { root: top, path: place.slice(below.length) };
  } catch (error) {
    if (ABSENT.has((error as NodeJS.ErrnoException).code)) return undefined;
    throw error;
  }
}

/** The codes of the system for a path that leads to no file. */
const ABSENT: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG", "ELOOP", "EINVAL"]);

function sent(response: Response, { root, path }: { root: string; path: string }): Promise<void> {
  // The method of the class: the call's own wrapper would give the answer to the handler.
  const { sendFile: send } = Object.getPrototypeOf(response) as Response;
  const isReading = response.req.method === "GET" || response.req.method === "HEAD";
  // The dots of the client were refused; a link may lead below another.
  const options = { root, dotfiles: "allow", cacheControl: false, acceptRanges: isReading } as const;
  return new Promise((resolve, reject) => {
    Reflect.apply(send, response, [
      path,
      options,
      (error?: Error) => (error === undefined || error === null ? resolve() : reject(error)),
    ]);
  });
}

/** The field of an attachment: the name in ASCII and, if that is not all of it, as RFC 8187 encodes it. */
function attachment(given: string): string {
  const name = given.replace(/[\p{Cs}]/gu, "\ufffd");
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/gu, "_");
  if (plain === name) return `attachment; filename="${name}"`;
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
