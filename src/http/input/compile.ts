/** The bodies that a handler declares, compiled: JSON, and the kinds by their media types. */
import { readerOf } from "../../schema/reader/reader-of.js";
import type { AnySchema, Validate } from "../../schema/schema-reader.js";
import type { Convert } from "../../schema/wire-compile.js";
import { jsonOf, typesOfBody } from "../contract/bodies.js";
import { type BodyFacts, isKind, type MultipartFacts } from "../contract/kind.js";
import type { BodyForm } from "../contract/options.js";
import { type FieldsReader, fieldsReader } from "./fields.js";

/** What the body of a request may be. */
export interface CompiledBodies {
  readonly json: CompiledJson | undefined;
  /** The bodies that are no JSON; most handlers have none. */
  readonly kinds: readonly CompiledKind[];
  /** All media types, in the order of the declaration. */
  readonly types: readonly string[];
}

/** How a value is read after JSON. */
export interface CompiledJson {
  /** Whether a request may omit it. The handler then gets its schema's result for `undefined`. */
  readonly mayBeMissing: boolean;
  readonly decode: Convert | undefined;
  readonly validate: Validate;
}

/** A body that is no JSON. */
export interface CompiledKind {
  readonly facts: BodyFacts;
  readonly types: readonly string[];
  /** Whether its bytes are text, in UTF-8. */
  readonly isText: boolean;
  /** Its own default of `maxBodySize`; `undefined`: that of the engine. */
  readonly limit: number | undefined;
  /** The reader of a form's fields; `undefined` if it has none. */
  readonly fields: FieldsReader | undefined;
  /** How a row is read. */
  readonly row: CompiledJson | undefined;
}

const TEXTS: ReadonlySet<BodyFacts["name"]> = new Set(["text", "form", "ndjson"]);

/** The most bytes of a multipart form without its files. */
const BESIDE_FILES = 1024 * 1024;

/** Compiles what a handler declares. */
export function compileBodies(forms: readonly BodyForm[]): CompiledBodies {
  const json = jsonOf(forms);
  return {
    json: json && compileJson(json),
    kinds: forms.flatMap((form) => (isKind(form) ? compileKind(form.facts, typesOfBody(form)) : [])),
    types: forms.flatMap(typesOfBody),
  };
}

function compileJson(schema: AnySchema): CompiledJson {
  const reader = readerOf(schema);
  return {
    mayBeMissing: reader.takesUndefined(false),
    decode: reader.wireDecoder(),
    validate: reader.bodyValidator(),
  };
}

function compileKind(facts: BodyFacts, types: readonly string[]): CompiledKind {
  return {
    facts,
    types,
    isText: TEXTS.has(facts.name),
    limit: facts.name === "multipart" ? limitOf(facts) : undefined,
    fields: "shape" in facts ? fieldsReader(undefined, facts.shape) : undefined,
    row: "row" in facts ? compileJson(facts.row) : undefined,
  };
}

function limitOf({ uploads }: MultipartFacts): number | undefined {
  if (uploads.size === 0) return undefined;
  return [...uploads.values()].reduce((sum, { maxBytes, max }) => sum + maxBytes * max, BESIDE_FILES);
}
