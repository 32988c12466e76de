/**
 * Kinds: what a body, an output or a query parameter is where it is no JSON. The compiler sees what the function and
 * the client of each have; at run time a kind is a frozen value with its facts, and no Zod schema.
 */
import { DeclarationError, isList, quoted, safely } from "../../core/errors.js";
import type { AnySchema } from "../../schema/schema-reader.js";

/**
 * A kind of answer. Types only; absent at run time.
 * @typeParam Gives what the handler's function gives.
 * @typeParam Gets what the client gets.
 */
export interface AnswerKind<out Gives = unknown, out Gets = unknown> {
  readonly "~answer": { readonly gives: Gives; readonly gets: Gets };
}

/**
 * A kind of body. Types only; absent at run time.
 * @typeParam Takes what the handler's function takes.
 * @typeParam Sends what the client sends.
 */
export interface BodyKind<out Takes = unknown, out Sends = unknown> {
  readonly "~body": { readonly takes: Takes; readonly sends: Sends };
}

/** The facts of a kind, by its name. */
export type KindFacts = AnswerFacts | BodyFacts | UploadFacts | StyleFacts;

/** The facts of a kind of answer. */
export type AnswerFacts = TextFacts | BytesFacts | RowsFacts | FileFacts;

/** The facts of a kind of body. */
export type BodyFacts = TextFacts | BytesFacts | ByteStreamFacts | RowsFacts | FormFacts | MultipartFacts;

/** Parameters by name, and the Zod object that declared them, if there is one. */
export interface ParameterShape {
  readonly fields: Readonly<Record<string, AnySchema>>;
  readonly whole?: AnySchema | undefined;
  /** Whether undeclared names are refused. */
  readonly strict?: boolean;
  /** Those of a query that are written in a style of their own; their schemas are among the fields. */
  readonly styles?: ReadonlyMap<string, StyleFacts> | undefined;
}

/** Text with a media type of its own. */
interface TextFacts {
  readonly name: "text" | "html";
  readonly types: readonly string[];
}

/** Bytes, unchanged. */
interface BytesFacts {
  readonly name: "bytes";
  readonly types: readonly string[];
}

/** A file of the system. */
export interface FileFacts {
  readonly name: "file";
  readonly types: readonly string[];
}

/** Bytes of a body, read as they come. */
export interface ByteStreamFacts {
  readonly name: "byteStream";
  readonly types: readonly string[];
}

/** The fields of a form, as text. */
export interface FormFacts {
  readonly name: "form";
  readonly types: readonly string[];
  readonly shape: ParameterShape;
}

/** The fields and the files of a form. */
export interface MultipartFacts {
  readonly name: "multipart";
  readonly types: readonly string[];
  /** The fields that are text. */
  readonly shape: ParameterShape;
  readonly uploads: ReadonlyMap<string, UploadFacts>;
}

/** One file of a form, or several. */
export interface UploadFacts {
  readonly name: "upload" | "uploads";
  /** The media types that are taken; none if all are. */
  readonly types: readonly string[];
  /** The most bytes of each file. */
  readonly maxBytes: number;
  /** The number of files. */
  readonly max: number;
  readonly isOptional: boolean;
}

/** A parameter of a query in a style of its own. */
export interface StyleFacts {
  readonly name: "commaSeparated" | "deepObject" | "jsonParameter";
  readonly schema: AnySchema;
  /** The fields of a `deepObject`. */
  readonly shape?: ParameterShape;
}

/** Rows, as lines of JSON, as CSV, or as the request asks for. */
export interface RowsFacts {
  readonly name: "ndjson" | "csv" | "rows";
  readonly types: readonly string[];
  readonly row: AnySchema;
  /** Absent where rows are never written as CSV. */
  readonly csv?: CsvLayout;
}

/** How the rows of a kind are laid out as CSV. */
export interface CsvLayout {
  readonly columns: readonly string[];
  readonly delimiter: string;
  readonly hasHeader: boolean;
  readonly escapesFormulas: boolean;
}

/** The name of a kind. */
export type KindName = KindFacts["name"];

// A symbol of the whole program: another copy of this package recognises it.
const KIND = Symbol.for("rowtype.http.kind");

/** A kind at run time. */
export interface DeclaredKind<Facts extends KindFacts = KindFacts> {
  readonly facts: Facts;
}

class KindValue implements DeclaredKind {
  readonly facts: KindFacts;

  constructor(facts: KindFacts) {
    this.facts = Object.freeze(facts);
    Object.freeze(this);
  }

  get [KIND](): true {
    return true;
  }

  /** Zod reads this member of every schema: a kind inside one is refused where it is first read. */
  get _zod(): never {
    throw new DeclarationError(misplaced(this, "inside a schema"));
  }
}

/** The kind with these facts. The type members of a kind are absent at run time: each maker names its type. */
export function kindOf<Made>(facts: KindFacts): Made {
  return new KindValue(facts) as unknown as Made;
}

/** The sentence about a kind where none may stand. */
export function misplaced({ facts }: DeclaredKind, place: string): string {
  return `${facts.name}() is no schema and cannot stand ${place}`;
}

/** Whether a value is a kind, also one of another copy of this package. */
export function isKind(value: unknown): value is DeclaredKind {
  return typeof value === "object" && value !== null && safely(() => KIND in value);
}

/** A token of HTTP (RFC 9110, 5.6.2) on both sides of the slash, and parameters. */
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+(?: *; *[\w-]+=(?:[\w.+-]+|"[^"\r\n]*"))*$/;

/**
 * The media types that a kind is given.
 * @throws DeclarationError for what is no media type, and for an empty list
 */
export function mediaTypes(of: string, given: unknown): readonly string[] {
  const types: readonly unknown[] = isList(given) ? given : [given];
  if (types.length === 0) throw new DeclarationError(`${of}() takes at least one media type`);
  return Object.freeze(
    types.map((type) => {
      if (typeof type === "string" && MEDIA_TYPE.test(type)) return type;
      throw new DeclarationError(`${of}() takes a media type such as "text/plain", not ${quoted(type)}`);
    }),
  );
}

/** Whether a media type is one, or a range: `image/*`, or `*` of all. */
export function isRange(type: string): boolean {
  return /^(?:[^*]+|[^*]+\/\*|\*\/\*)$/.test(type);
}

/** A kind inside a schema that shows its parts without being run; `undefined` for none. */
export function kindInside(schema: AnySchema): DeclaredKind | undefined {
  return searched(schema, new Set());
}

/** Schemas in which no kind was found: most are used by several handlers. */
const clean = new WeakSet<object>();

/** The members of a definition that hold schemas, or lists and records of them. */
const PARTS = new Set(
  "shape element innerType options items rest in out left right keyType valueType".split(" "),
);

function searched(value: unknown, around: Set<object>): DeclaredKind | undefined {
  if (typeof value !== "object" || value === null || clean.has(value) || around.has(value)) return undefined;
  if (isKind(value)) return value;
  around.add(value);
  const found = partsOf(value)
    .map((part) => searched(part, around))
    .find((kind) => kind !== undefined);
  if (found === undefined) clean.add(value);
  return found;
}

/** The members of the definition of a schema; everything in a list or a record. */
function partsOf(value: object): unknown[] {
  const def = held(held(value, "_zod"), "def");
  if (typeof def === "object" && def !== null)
    return Object.keys(def)
      .filter((name) => PARTS.has(name))
      .map((name) => held(def, name));
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  return isPlain ? Object.keys(value).map((name) => held(value, name)) : [];
}

/** A member; `undefined` if its getter reads a declaration that does not exist yet. */
function held(value: unknown, name: string): unknown {
  try {
    return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  } catch {
    return undefined;
  }
}
