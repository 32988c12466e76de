/**
 * The body of a request. What says what it is (a form, a blob, bytes, a stream) is sent as it is, any other value as JSON,
 * or in the form that the server has asked for.
 */
import { notSent } from "./client-error.js";
import { textsOf } from "./texts.js";

type Whole = NonNullable<RequestInit["body"]>;

/** A body with its media type; `undefined` where `fetch` knows the type. */
interface SentBody {
  readonly data: Whole;
  readonly type?: string | undefined;
  /** Whether it can be sent only once. */
  readonly once?: boolean;
}

const LINES = "application/x-ndjson";
const BYTES = "application/octet-stream";
const JSON_TYPE = "application/json";

/** @param taken the media types that the server takes, if it has said so. @throws ClientError for what cannot be sent */
export function bodyOf(value: unknown, taken = ""): SentBody {
  // Given in the form in which it is sent.
  const data = value as Whole;
  const types = taken.match(/[^\s,]+/g) ?? [];
  const type = bytesAmong(types);
  const kind = kindOf(value);
  if (/^FormD|^URLS/.test(kind)) return { data };
  if (/^Blob|^File/.test(kind)) return { data, type: (value as Blob).type || type };
  if (ArrayBuffer.isView(value)) {
    const { buffer, byteOffset, byteLength } = value;
    // `fetch` takes no memory that threads share.
    const isShared = kindOf(buffer)[0] === "S";
    return { data: isShared ? new Uint8Array(buffer, byteOffset, byteLength).slice() : data, type };
  }
  if (/^ArrayB/.test(kind)) return { data, type };
  // A response takes no stream that has been read or is being read. The stream stays the same.
  if (/^Readab/.test(kind)) return { data: new Response(data).body ?? data, type, once: true };
  const form = said(value) ?? types.find((one) => one === JSON_TYPE) ?? types[0] ?? JSON_TYPE;
  if (form.endsWith("form-data")) return { data: filled(new FormData(), value) };
  if (form.endsWith("urlencoded")) return { data: filled(new URLSearchParams(), value) };
  if (form === LINES) return lines(value as Iterable<unknown> | AsyncIterable<unknown>);
  if (typeof value === "string" && !form.endsWith("json"))
    return { data: value, type: form.includes("*") ? "text/plain" : form };
  return { data: json(value), type: JSON_TYPE };
}

/** What bytes may be, the likeliest first: any bytes, a type of their own, lines, text, a form or JSON that is ready. */
const BYTE_TYPES = [
  /^(application\/(octet-stream|\*)|\*\/\*)$/,
  /^(?!text|.*(json|form|\*))/,
  /ndjson/,
  /^text/,
  /^[^*]+$/,
];

function bytesAmong(types: readonly string[]): string {
  const found = BYTE_TYPES.flatMap((likely) => types.find((one) => likely.test(one)) ?? [])[0] ?? "*";
  return found.includes("*") ? BYTES : found;
}

/** The form of a value that can have no other. */
function said(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  if (givesRows(value)) return LINES;
  return Object.values(value)
    .flat()
    .some((one) => one instanceof Blob)
    ? "form-data"
    : undefined;
}

/** Whether a value gives rows one by one. A list does not, and neither does a record with a field `next`. */
export function givesRows(value: object): boolean {
  return Symbol.asyncIterator in value || ("next" in value && Symbol.iterator in value);
}

/** Both kinds of forms: a list repeats its name. */
function filled<Form extends FormData | URLSearchParams>(form: Form, values: unknown): Form {
  if (kindOf(values) !== "Object") throw new TypeError("no values by name");
  for (const [name, value] of Object.entries(values as object))
    for (const one of [value].flat())
      if (one instanceof Blob) (form as FormData).append(name, one);
      else for (const text of textsOf(one)) form.append(name, text);
  return form;
}

/** Rows as lines: at once, or as they come. */
function lines(rows: Iterable<unknown> | AsyncIterable<unknown>): SentBody {
  const line = (row: unknown) => `${json(row)}\n`;
  if (Symbol.iterator in rows) return { data: Array.from(rows, line).join(""), type: LINES };
  const source = rows[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const data = new ReadableStream({
    async pull(queue) {
      const { done, value } = await source.next();
      if (done) queue.close();
      else queue.enqueue(encoder.encode(line(value)));
    },
    async cancel() {
      await source.return?.();
    },
  });
  return { data, type: LINES, once: true };
}

/** A value as JSON. @throws ClientError for what JSON would lose */
export function json(value: unknown): string {
  return JSON.stringify(value, refuseLoss);
}

/** @throws ClientError for a value that JSON would write as `{}` or `null` (an invalid date), or omit, and for bytes */
function refuseLoss(this: object, key: string, value: unknown): unknown {
  // The value before its `toJSON`: for a `Buffer` that returns a list of numbers.
  const given: unknown = Reflect.get(this, key);
  const isLost =
    typeof value === "number"
      ? !Number.isFinite(value)
      : typeof value === "object" && value !== null
        ? ArrayBuffer.isView(given) || isOpaque(value)
        : value === null
          ? given instanceof Date
          : typeof value === "function" || typeof value === "symbol";
  if (isLost) throw notSent("the body holds what JSON cannot carry");
  return value;
}

/** Whether an object hides its content, as forms, blobs, streams, maps and sets do. */
function isOpaque(value: object): boolean {
  return !/^(Object|Array)$/.test(kindOf(value)) && Object.keys(value).length === 0;
}

/** The name of a value's class, also of one of another window. */
function kindOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}
