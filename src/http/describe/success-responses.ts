/** The answers of a handler that are no errors: one for each status, with its content and its headers. */
import { STATUS_CODES } from "node:http";
import type { Content, Header, MediaType, Response, Responses, Schema } from "../../openapi/index.js";
import type { DescribedSchema, SchemaComponents } from "../../schema/components/components.js";
import { isZod4 } from "../../schema/inspect.js";
import type { Json } from "../../schema/json.js";
import { orNull } from "../../schema/json-schema/choice.js";
import { pascal } from "../../schema/names.js";
import { readerOf } from "../../schema/reader/reader-of.js";
import type { AnySchema } from "../../schema/schema-reader.js";
import { isSchema } from "../contract/any-schema.js";
import type { Handler } from "../contract/handler.js";
import { type AnswerFacts, isKind } from "../contract/kind.js";
import { type AnyOptions, BODYLESS, type DeclaredSuccess, successesOf } from "../contract/options.js";
import { asSchema, mediaOf } from "./media.js";
import { planEvents } from "./stream-response.js";

/** Returns the answers after the components are finished. */
export function planSuccesses(
  { method, options }: Handler,
  components: SchemaComponents,
  label: string,
  version: "3.1" | "3.2",
): () => Responses {
  const events = options.stream && planEvents(options.stream, components, label);
  const isOne = options.outputs === undefined;
  const contents = successesOf(options).map((success) => ({
    ...success,
    content:
      events === undefined
        ? planContent(
            method === "HEAD" ? { ...success, output: null } : success,
            components,
            `${label}Output${isOne ? "" : success.status}`,
            version,
          )
        : () => ({ "text/event-stream": mediaOf("text/event-stream", events(), version) }),
  }));
  const headers = planHeaders(options, components, label);

  return () => {
    const responses: Responses = {};
    for (const { status, output, content } of contents) {
      responses[`${status}`] = responseOf(status, headers(), output, content?.());
    }
    // A part of a file, and a file that the client has.
    for (const { output, content } of contents) {
      if (!isKind(output) || output.facts.name !== "file") continue;
      responses["206"] ??= responseOf(206, { "Content-Range": asText(), ...headers() }, output, content?.());
      responses["304"] ??= { description: "Not Modified" };
    }
    // OpenAPI names the tag's answer even if a declared success has the same status.
    if (options.etag !== false) responses["304"] ??= { description: "Not Modified" };
    return responses;
  };
}

function responseOf(
  status: number,
  declared: Record<string, Header>,
  output: DeclaredSuccess["output"],
  content: Content | undefined,
): Response {
  const response: Response = { description: STATUS_CODES[status] ?? "Success" };
  const headers = { ...declared };
  // A redirect has a `Location`, and clients do not read its body.
  const redirects = status >= 300 && !BODYLESS.has(status) && (output === undefined || output === null);
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  if (redirects && !names.includes("location")) headers["Location"] = { schema: { type: "string" } };
  if (Object.keys(headers).length > 0) response.headers = headers;
  if (content !== undefined && !redirects) response.content = content;
  return response;
}

/** The content of a success; `undefined` where it has no body. */
function planContent(
  { output }: DeclaredSuccess,
  components: SchemaComponents,
  label: string,
  version: "3.1" | "3.2",
): (() => Content) | undefined {
  if (output === null) return undefined;
  if (isKind(output)) return planKind(output.facts, components, label, version);
  const described = output && planOutput(output, components, label);
  return () => ({
    "application/json": { schema: described === undefined ? {} : asSchema(described()) },
  });
}

/** Bytes have no schema of JSON, and text has no more than its type. */
function planKind(
  facts: AnswerFacts,
  components: SchemaComponents,
  label: string,
  version: "3.1" | "3.2",
): () => Content {
  const { name, types } = facts;
  if (!("row" in facts)) {
    const media: MediaType = name === "bytes" || name === "file" ? {} : { schema: { type: "string" } };
    return () => Object.fromEntries(types.map((type) => [type, media]));
  }
  const row = components.add(facts.row, "output", `${label}Row`);
  return () => Object.fromEntries(types.map((type) => [type, rowsMedia(type, asSchema(row()), version)]));
}

function rowsMedia(type: string, items: Schema, version: "3.1" | "3.2"): MediaType {
  if (type === "application/json") return { schema: { type: "array", items } };
  if (type === "text/csv") return { schema: { type: "string" } };
  return mediaOf(type, items, version);
}

/** If the function returns `undefined`, `null` is sent. */
function planOutput(schema: AnySchema, components: SchemaComponents, label: string): DescribedSchema {
  const described = components.add(schema, "output", label);
  const mayBeNothing = isZod4(schema) && schema._zod.optout === "optional";
  return mayBeNothing ? () => orNull(described()) : described;
}

/** The headers that all successes share. */
function planHeaders(
  { responseHeaders, etag }: AnyOptions,
  components: SchemaComponents,
  label: string,
): () => Record<string, Header> {
  const given = typeof responseHeaders === "object" ? Object.entries(responseHeaders) : [];
  const plans = given.map(([name, value]) => {
    if (!isSchema(value)) return [name, asText] as const;
    const described = components.add(value, "output", `${label}${pascal(name)}Header`);
    const required = !readerOf(value).takesUndefined(true);
    return [name, () => headerOf(described(), required)] as const;
  });
  if (etag !== false) plans.push(["ETag", asText]);
  return () => Object.fromEntries(plans.map(([name, header]) => [name, header()]));
}

function asText(): Header {
  return { schema: { type: "string" } };
}

function headerOf(json: Json, required: boolean): Header {
  const { description, ...schema } = json;
  const isOwn = typeof description === "string" && !("$ref" in json);
  return {
    ...(isOwn ? { description } : {}),
    ...(required ? { required } : {}),
    schema: asSchema(isOwn ? schema : json),
  };
}
