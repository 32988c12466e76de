/** The body of a request in the document: its content by media type. */
import type { Content, Encoding, MediaType, RequestBody, Schema } from "../../openapi/index.js";
import { isAsked } from "../../schema/absence.js";
import type { SchemaComponents } from "../../schema/components/components.js";
import { isZod4 } from "../../schema/inspect.js";
import { pascal } from "../../schema/names.js";
import { readerOf } from "../../schema/reader/reader-of.js";
import type { AnySchema } from "../../schema/schema-reader.js";
import { typesOfBody } from "../contract/bodies.js";
import { type BodyFacts, isKind, type ParameterShape, type UploadFacts } from "../contract/kind.js";
import type { BodyForm } from "../contract/options.js";
import { asSchema, mediaOf } from "./media.js";

type Version = "3.1" | "3.2";

/** Returns the body after the components are finished. */
export function planBody(
  forms: readonly BodyForm[],
  components: SchemaComponents,
  label: string,
  version: Version,
): () => RequestBody {
  const contents = forms.map((form) => planForm(form, components, label, version));
  // Without a body and its type, a request has that of JSON, if that may be missing.
  const required = !forms.some((form) => !isKind(form) && readerOf(form).takesUndefined(false));
  return () => ({ required, content: Object.assign({}, ...contents.map((content) => content())) });
}

function planForm(
  form: BodyForm,
  components: SchemaComponents,
  label: string,
  version: Version,
): () => Content {
  if (!isKind(form)) {
    const described = components.add(form, "input", `${label}Body`);
    return () => ({ "application/json": { schema: asSchema(described()) } });
  }
  const media = planKind(form.facts, components, label, version);
  return () => Object.fromEntries(typesOfBody(form).map((type) => [type, media(type)]));
}

/** Bytes have no schema of JSON, and text has no more than its type. */
function planKind(
  facts: BodyFacts,
  components: SchemaComponents,
  label: string,
  version: Version,
): (type: string) => MediaType {
  if ("row" in facts) {
    const row = components.add(facts.row, "input", `${label}Row`);
    return (type) => mediaOf(type, asSchema(row()), version);
  }
  if (!("shape" in facts)) return () => (facts.name === "text" ? { schema: { type: "string" } } : {});
  const fields = planFields(facts.shape, components, label);
  if (facts.name === "form") return () => ({ schema: objectOf(fields(), facts.shape.strict === true) });
  return () => {
    const files = [...facts.uploads].map(([name, upload]) => fileOf(name, upload, version));
    const encoding = encodingOf(facts.uploads);
    return {
      schema: objectOf([...fields(), ...files], true),
      ...(Object.keys(encoding).length > 0 ? { encoding } : {}),
    };
  };
}

interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
}

function objectOf(fields: readonly Field[], isClosed: boolean): Schema {
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  return {
    type: "object",
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    ...(required.length > 0 ? { required } : {}),
    ...(isClosed ? { additionalProperties: false } : {}),
  };
}

/** As those of a query, an absent list is an empty one. */
function planFields(
  { fields, whole }: ParameterShape,
  components: SchemaComponents,
  label: string,
): () => Field[] {
  const plans = Object.entries(fields).map(([name, schema]) => ({
    name,
    described: components.add(schema, "input", `${label}Body${pascal(name)}`),
    required: isRequired(schema, whole !== undefined),
  }));
  return () =>
    plans.map(({ name, described, required }) => ({ name, schema: asSchema(described()), required }));
}

/** A Zod object decides whether its fields may be absent; a schema that stands alone decides for itself. */
export function isRequired(schema: AnySchema, isField: boolean): boolean {
  const reader = readerOf(schema).textReader();
  if (isField && isZod4(schema) && reader?.absent() === undefined) return isAsked(schema);
  return reader?.required === true;
}

function fileOf(name: string, { types, max, isOptional, ...upload }: UploadFacts, version: Version): Field {
  // OpenAPI 3.2 has bytes without a type; the word `binary` is that of 3.0, which all tools know.
  const file: Schema =
    version === "3.2"
      ? {
          contentMediaType:
            types.length === 1 && types[0] !== undefined ? types[0] : "application/octet-stream",
        }
      : { type: "string", format: "binary" };
  const schema: Schema = upload.name === "upload" ? file : { type: "array", items: file, maxItems: max };
  return { name, schema, required: !isOptional };
}

function encodingOf(uploads: ReadonlyMap<string, UploadFacts>): Record<string, Encoding> {
  const typed = [...uploads].filter(([, { types }]) => types.length > 0);
  return Object.fromEntries(typed.map(([name, { types }]) => [name, { contentType: types.join(", ") }]));
}
