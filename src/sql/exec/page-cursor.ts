/**
 * The cursor of a page: the values of its last row in the order, as an opaque text. It is base64url of JSON: a checksum
 * and the values. The checksum also covers the order: a text of another order, or an altered one, is refused. It is no
 * secret: whoever makes their own text only names another place in the order. Its values are checked like parameters,
 * and bound.
 */
import { createHash } from "node:crypto";
import type { Kind } from "../words/kinds.js";

/** A value of an order. */
interface CursorValue {
  readonly kind: string;
  readonly nullable: boolean;
  readonly fault: (value: unknown) => string | undefined;
}

/** The cursor after a row. */
export function cursorText(signature: string, values: readonly unknown[]): string {
  const json = JSON.stringify(values.map(toJson)).slice(1);
  return Buffer.from(`["${checksum(signature, json)}",${json}`).toString("base64url");
}

/** The values of a cursor; undefined for a text that is not a cursor of this order. */
export function readCursor(
  text: unknown,
  signature: string,
  order: readonly CursorValue[],
): readonly unknown[] | undefined {
  if (typeof text !== "string") return undefined;
  const plain = Buffer.from(text, "base64url").toString();
  const [start = "", given] = START.exec(plain) ?? [];
  const json = plain.slice(start.length);
  if (given !== checksum(signature, json)) return undefined;
  // Characters that base64url does not have are skipped, and bytes that are not text are replaced.
  if (Buffer.from(plain).toString("base64url") !== text) return undefined;
  const list = parsed(`[${json}`);
  if (!Array.isArray(list) || list.length !== order.length) return undefined;
  const values = order.map((one, i) => fromJson(list[i], one));
  return values.includes(undefined) ? undefined : values;
}

const CHECKSUM = 11;
const START = /^\["([\w-]{11})",/;

function checksum(signature: string, json: string): string {
  return createHash("sha256")
    .update(signature)
    .update("\0")
    .update(json)
    .digest("base64url")
    .slice(0, CHECKSUM);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function toJson(value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  return value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value;
}

/** The value that JSON holds; undefined if the order cannot have it. */
function fromJson(json: unknown, { kind, nullable, fault }: CursorValue): unknown {
  if (json === null) return nullable ? null : undefined;
  const read = readers[kind];
  const value = read === undefined ? json : read(json);
  return value === undefined || fault(value) !== undefined ? undefined : value;
}

const DIGITS = /^-?\d{1,20}$/;
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const readers: { readonly [kind: string]: ((json: unknown) => unknown) | undefined } = {
  bigint: (json) => (typeof json === "string" && DIGITS.test(json) ? BigInt(json) : undefined),
  date: (json) => (typeof json === "string" && DATE.test(json) ? new Date(json) : undefined),
  bytes: (json) => (typeof json === "string" ? new Uint8Array(Buffer.from(json, "base64")) : undefined),
} satisfies { readonly [K in Kind]?: (json: unknown) => unknown };
