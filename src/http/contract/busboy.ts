/**
 * The parser of multipart forms: the package `busboy`, loaded with the first `multipart`. It is an optional peer, so only
 * what is used of it is typed here.
 */
import { createRequire } from "node:module";
import type { Readable, Writable } from "node:stream";
import { DeclarationError } from "../../core/errors.js";

/** A parser of one form. */
export interface FormParser extends Writable {
  on(event: "field", take: (name: string | undefined, value: string, info: FieldInfo) => void): this;
  on(event: "file", take: (name: string | undefined, file: Readable, info: FileInfo) => void): this;
  on(event: string, take: (...args: never) => void): this;
}

interface FieldInfo {
  readonly valueTruncated: boolean;
}

/** What a part says of its file. */
export interface FileInfo {
  /** The last segment of the client's path; absent where it is empty. */
  readonly filename: string | undefined;
  readonly mimeType: string;
}

/** Makes a parser. @throws Error for headers without a boundary */
type MakeParser = (options: {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly limits: { readonly fieldSize: number };
  readonly defParamCharset: string;
}) => FormParser;

let loaded: MakeParser | undefined;

/** The package. @throws DeclarationError if it is not installed */
export function busboy(): MakeParser {
  loaded ??= load();
  return loaded;
}

function load(): MakeParser {
  try {
    return createRequire(import.meta.url)("busboy");
  } catch (cause) {
    throw new DeclarationError("multipart() reads forms by the package busboy: install it", { cause });
  }
}
