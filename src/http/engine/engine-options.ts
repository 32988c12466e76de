/** The options of an engine: its limits, checked and completed at program start. */

import { DeclarationError } from "../../core/errors.js";
import { known, type OptionNames } from "../contract/configured.js";
import { type ErrorForm, PLAIN, problemForm } from "../contract/error-form.js";
import { type OnError, reporter, seldom } from "../outside/failure-report.js";

/** Limits of an engine. All have defaults. */
export interface EngineOptions {
  /** In bytes, default 1 MiB. */
  readonly maxBodySize?: number;
  readonly timeouts?: {
    /** Default 10,000. */
    readonly headersMs?: number;
    /**
     * For receiving the complete request, and for clients that do not read an answer; default 30,000. Streams have
     * their own limit, `stallMs`.
     */
    readonly requestMs?: number;
    /** Default 5,000. */
    readonly keepAliveMs?: number;
    /** For the answer of the extractor; default 5,000. */
    readonly identityMs?: number;
  };
  /**
   * Receives the request and the error that caused every 500, and every 503 for a caller who could not be looked up. By
   * default both are written to stderr; `false` turns that off. Errors that are sent to clients are not reported. Other
   * errors of an extractor, of a usage limit and of the readiness check are reported once a minute for each class.
   */
  readonly onError?: false | OnError;
  /** `false` removes the page. With authentication, the page and the document are guarded. */
  readonly docs?: false | { readonly authentication: true };
  /** Where the files of clients are while their requests last; by default the system's folder for temporary files. */
  readonly uploads?: { readonly folder?: string | undefined };
  /** Refuses with a 422 every name in a query that its handler does not declare; default `false`. */
  readonly strictQuery?: boolean;
  /**
   * `"problem"` writes errors as problem details (RFC 9457), `{ type, title, status, detail, code, details? }`, in place
   * of `{ code, message, details? }`.
   */
  readonly errors?: "problem";
  /** With `errors: "problem"`: `type` is this text and the code of the error; by default `about:blank`. */
  readonly problemTypes?: string;
  /**
   * The version of OpenAPI that the document follows; default `"3.1"`. 3.2 has operations of QUERY and describes the
   * items of streams.
   */
  readonly openapi?: "3.1" | "3.2";
}

/** Limits of a server for an application. */
export type ListenOptions = Pick<EngineOptions, "timeouts">;

/** The complete settings. */
export interface EngineSettings {
  readonly maxBodySize: number;
  readonly timeouts: Readonly<Record<Timeout, number>>;
  readonly docs: EngineOptions["docs"];
  readonly strictQuery: boolean;
  readonly openapi: "3.1" | "3.2";
  readonly uploadFolder: string | undefined;
  readonly errorForm: ErrorForm;
  readonly report: OnError | undefined;
  /** The same, for failures that may occur with every request: one of each class per minute. */
  readonly reportSeldom: OnError | undefined;
}

type Timeout = "headersMs" | "requestMs" | "keepAliveMs" | "identityMs";

const DEFAULT_MAX_BODY = 1024 * 1024;
const DEFAULTS: Readonly<Record<Timeout, number>> = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 5_000,
  identityMs: 5_000,
};
const OPTIONS: OptionNames<EngineOptions> = {
  maxBodySize: true,
  timeouts: true,
  onError: true,
  docs: true,
  uploads: true,
  strictQuery: true,
  openapi: true,
  errors: true,
  problemTypes: true,
};
const TIMEOUTS: OptionNames<NonNullable<EngineOptions["timeouts"]>> = {
  headersMs: true,
  requestMs: true,
  keepAliveMs: true,
  identityMs: true,
};
/** The longest time of a Node timer, which uses 32 bits. A longer one would end at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** @throws DeclarationError */
export function engineSettings(given: EngineOptions): EngineSettings {
  const options = known(given, OPTIONS, "an engine");
  const { maxBodySize = DEFAULT_MAX_BODY, timeouts = {}, uploads = {}, onError } = options;
  const { strictQuery = false, openapi = "3.1" } = options;
  if (typeof strictQuery !== "boolean") throw new DeclarationError("strictQuery is true or false");
  if (openapi !== "3.1" && openapi !== "3.2") throw new DeclarationError('openapi is "3.1" or "3.2"');
  if (!Number.isSafeInteger(maxBodySize) || maxBodySize < 0) {
    throw new DeclarationError("maxBodySize is a number of bytes");
  }
  const { folder } = known(uploads, { folder: true }, "uploads");
  if (folder !== undefined && (typeof folder !== "string" || folder === ""))
    throw new DeclarationError("the folder of uploads is a path");
  const complete = { ...DEFAULTS };
  for (const [name, ms] of Object.entries(known(timeouts, TIMEOUTS, "timeouts"))) {
    if (ms === undefined) continue;
    if (!(typeof ms === "number" && ms > 0 && ms <= LONGEST_MS)) {
      throw new DeclarationError(`${name} is a number of milliseconds above 0`);
    }
    // The names were checked above. Node's own timeouts are whole numbers.
    complete[name as Timeout] = Math.ceil(ms);
  }
  const docs = readDocs(options.docs);
  if (onError !== undefined && onError !== false && typeof onError !== "function") {
    throw new DeclarationError("onError is a function, or false");
  }
  const report = reporter(onError);
  return {
    ...{ maxBodySize, timeouts: complete, docs, strictQuery, openapi, uploadFolder: folder },
    errorForm: errorFormOf(options),
    report,
    reportSeldom: report && seldom(report),
  };
}

/** @throws DeclarationError */
function readDocs(given: EngineOptions["docs"]): EngineOptions["docs"] {
  if (given === undefined || given === false) return given;
  const read = typeof given === "object" && given !== null && known(given, { authentication: true }, "docs");
  if (read && read.authentication === true) return read;
  throw new DeclarationError("docs is false, or { authentication: true }");
}

function errorFormOf({ errors, problemTypes }: EngineOptions): ErrorForm {
  if (errors !== undefined && errors !== "problem")
    throw new DeclarationError('errors is "problem", for problem details, or left out');
  if (problemTypes !== undefined && typeof problemTypes !== "string")
    throw new DeclarationError("problemTypes is the text before the code of an error in its type");
  if (errors === undefined && problemTypes !== undefined)
    throw new DeclarationError('problemTypes needs errors: "problem"');
  return errors === undefined ? PLAIN : problemForm(problemTypes ?? "");
}

/** @throws DeclarationError */
export function listenSettings(options: ListenOptions): EngineSettings {
  return engineSettings(known(options, { timeouts: true }, "listen"));
}

/** @throws DeclarationError for an address that no server can listen on */
export function checkAddress(host: string, port: number): void {
  if (typeof host !== "string") throw new DeclarationError("the host is text");
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new DeclarationError("the port is a number from 0 to 65535; 0 is any that is free");
  }
}
