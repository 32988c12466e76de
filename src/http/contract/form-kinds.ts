/** The kinds of bodies that are forms: fields as text, and files. */
import { DeclarationError, quoted, readParts } from "../../core/errors.js";
import { isSchema } from "./any-schema.js";
import { busboy } from "./busboy.js";
import { known, type OptionNames } from "./configured.js";
import { type BodyKind, isKind, isRange, kindOf, mediaTypes, misplaced, type UploadFacts } from "./kind.js";
import type {
  Carried,
  CarriedField,
  InputOf,
  OutputOf,
  SchemaLike,
  ShapeLike,
  ValuesOf,
} from "./schema-types.js";
import { readShape } from "./shape.js";
import type { Wire, WireInput } from "./wire-types.js";

/** A file that a client has sent. It is removed when the answer ends, unless `moveTo` has moved it. */
export interface Upload {
  /** The name that the client gives it: the last segment, never a path. Text from outside. */
  readonly name: string;
  /** The media type that the client names, `text/plain` if it names none. Not what the bytes are. */
  readonly type: string;
  /** In bytes. */
  readonly size: number;
  bytes(): Promise<Uint8Array>;
  /** The text, read as UTF-8. */
  text(): Promise<string>;
  stream(): ReadableStream<Uint8Array>;
  /** Keeps the file at a path; a file that is there is replaced. */
  moveTo(path: string): Promise<void>;
}

/** One file of a form, or several. Only `multipart` takes one. */
export interface UploadKind<out Takes = unknown, out Sends = unknown> {
  readonly "~upload": { readonly takes: Takes; readonly sends: Sends };
}

/** The limits of an upload. */
export interface UploadOptions {
  /** The most bytes of the file. */
  readonly maxBytes: number;
  /** The media types that are taken, `image/*` for instance; all of them by default. */
  readonly types?: readonly string[] | undefined;
  /** Whether it may be missing; default `false`. */
  readonly optional?: boolean | undefined;
}

/** The limits of several uploads. */
export interface UploadsOptions {
  /** The most bytes of each file. */
  readonly maxBytes: number;
  /** The number of files. */
  readonly max: number;
  /** The media types that are taken, `image/*` for instance; all of them by default. */
  readonly types?: readonly string[] | undefined;
}

const UPLOAD: OptionNames<UploadOptions> = { maxBytes: true, types: true, optional: true };
const UPLOADS: OptionNames<UploadsOptions> = { maxBytes: true, max: true, types: true };

/** A form of text fields. */
export interface FormKind<F> extends BodyKind<ValuesOf<F>, SentFields<F> | URLSearchParams> {}

/** A form of fields and files. */
export interface MultipartKind<F> extends BodyKind<PartValues<F>, SentParts<F> | FormData> {}

/** Fields and files by name. */
export interface PartShape {
  readonly [name: string]: SchemaLike | UploadKind;
}

/** The values of a form's parts. */
type PartValues<F> = {
  readonly [Name in keyof F]: F[Name] extends UploadKind<infer Takes> ? Takes : OutputOf<F[Name]>;
};

/** Fields as a client gives them. Optional ones and lists that may be empty may be left out. */
type SentFields<F> = F extends SchemaLike
  ? Wire<InputOf<F>>
  : { readonly [Name in Exclude<keyof F, Absent<F>>]: Sent<F[Name]> } & {
      readonly [Name in Absent<F>]?: Sent<F[Name]> | undefined;
    };

type SentParts<F> = SentFields<F>;

type Sent<S> = S extends UploadKind<unknown, infer Sends> ? Exclude<Sends, undefined> : WireInput<S>;

type SentInput<S> = S extends UploadKind<unknown, infer Sends> ? Sends : InputOf<S>;

type Absent<F> = {
  [Name in keyof F]: undefined extends SentInput<F[Name]>
    ? Name
    : SentInput<F[Name]> extends readonly unknown[] | ReadonlySet<unknown>
      ? Name
      : never;
}[keyof F];

/**
 * The fields of a form, `application/x-www-form-urlencoded`, read as query parameters are.
 * @throws DeclarationError for a field that text cannot carry
 * @example
 * import { form, POST } from "rowtype/http";
 * import { z } from "zod";
 * const sign = POST("/sign", { body: form({ name: z.string(), tags: z.array(z.string()) }) }, ({ body }) => body.tags);
 */
export function form<F extends ShapeLike>(fields: F & Carried<F>): FormKind<F> {
  return kindOf({
    name: "form",
    types: ["application/x-www-form-urlencoded"],
    shape: shapeOf("form", fields),
  });
}

/**
 * The fields and the files of a form, `multipart/form-data`. The function runs when all of them are read and valid. Files
 * beyond 64 KiB are kept outside of memory, and removed when the answer ends.
 * @throws DeclarationError for a field that text cannot carry, and without the package `busboy`
 * @example
 * import { multipart, POST, upload } from "rowtype/http";
 * const cover = multipart({ title: z.string(), photo: upload({ maxBytes: 5_000_000, types: ["image/*"] }) });
 * const add = POST("/albums", { body: cover }, async ({ body }) => body.photo.moveTo("cover.jpg"));
 */
export function multipart<F extends PartShape>(parts: F & CarriedParts<F>): MultipartKind<F> {
  busboy();
  const named = readParts(parts);
  if (named === undefined) throw new DeclarationError("multipart() takes schemas and uploads by name");
  const uploads = new Map<string, UploadFacts>();
  const fields: [string, unknown][] = [];
  for (const [name, part] of Object.entries(named)) {
    if (Buffer.byteLength(name) > LONGEST_NAME)
      throw new DeclarationError(`multipart() field ${quoted(name)} is longer than ${LONGEST_NAME} bytes`);
    if (isKind(part) && "maxBytes" in part.facts) uploads.set(name, part.facts);
    else fields.push([name, part]);
  }
  return kindOf({
    name: "multipart",
    types: ["multipart/form-data"],
    shape: shapeOf("multipart", Object.fromEntries(fields)),
    uploads,
  });
}

/** Refuses, by an impossible type that says why, fields that text cannot carry. */
type CarriedParts<F> = {
  readonly [Name in keyof F]: F[Name] extends UploadKind ? F[Name] : CarriedField<F[Name]>;
};

/** The most bytes of a name in a multipart form. */
const LONGEST_NAME = 200;

/**
 * A file of a `multipart` form.
 * @throws DeclarationError for a limit that is no number of bytes
 */
export function upload(
  options: UploadOptions & { readonly optional: true },
): UploadKind<Upload | undefined, Blob | undefined>;
export function upload(
  options: UploadOptions & { readonly optional?: false | undefined },
): UploadKind<Upload, Blob>;
export function upload(options: UploadOptions): UploadKind<Upload | undefined, Blob | undefined> {
  const { optional = false, ...limits } = known(options, UPLOAD, "upload");
  if (typeof optional !== "boolean") throw new DeclarationError("upload(): optional is true or false");
  return kindOf({ name: "upload", ...limitsOf("upload", limits), max: 1, isOptional: optional });
}

/**
 * Several files of a `multipart` form under one name; none is an empty list.
 * @throws DeclarationError for a limit that is no number
 */
export function uploads(options: UploadsOptions): UploadKind<readonly Upload[], readonly Blob[]> {
  const { max, ...limits } = known(options, UPLOADS, "uploads");
  if (!isCount(max)) throw new DeclarationError("uploads(): max is a number of files");
  return kindOf({ name: "uploads", ...limitsOf("uploads", limits), max, isOptional: true });
}

function limitsOf(of: string, { maxBytes, types }: UploadOptions): Pick<UploadFacts, "maxBytes" | "types"> {
  if (!isCount(maxBytes)) throw new DeclarationError(`${of}(): maxBytes is a number of bytes`);
  const taken = types === undefined ? [] : mediaTypes(of, types).map((type) => type.toLowerCase());
  const wrong = taken.find((type) => !isRange(type));
  if (wrong !== undefined)
    throw new DeclarationError(`${of}(): ${quoted(wrong)} is no media type and no range`);
  return { maxBytes, types: taken };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0;
}

function shapeOf(of: string, given: unknown): ReturnType<typeof readShape> {
  const refuse = (problem: string): never => {
    throw new DeclarationError(`${of}(): ${problem}`);
  };
  if (isKind(given)) return refuse(misplaced(given, `inside ${of}()`));
  const fields = isSchema(given) ? undefined : readParts(given);
  for (const [name, field] of Object.entries(fields ?? {}))
    if (isKind(field)) refuse(`field ${quoted(name)}: ${misplaced(field, `inside ${of}()`)}`);
  return readShape(fields ?? given ?? null, refuse, { of: "the form", one: "field", isOpen: false });
}
