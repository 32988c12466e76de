/**
 * Converts a handler to an OpenAPI operation. Schemas are first added to the components, and read after all were added.
 * Therefore an operation is made in two steps: `planOperation`, and the function that it returns.
 */
import type { Operation, Parameter, Responses, SecurityRequirement } from "../../openapi/index.js";
import type { SchemaComponents } from "../../schema/components/components.js";
import type { Json } from "../../schema/json.js";
import { pascal } from "../../schema/names.js";
import { readerOf } from "../../schema/reader/reader-of.js";
import type { AnySchema } from "../../schema/schema-reader.js";
import type { Handler } from "../contract/handler.js";
import type { NamedScheme } from "../contract/identity.js";
import type { StyleFacts } from "../contract/kind.js";
import type { AnyOptions } from "../contract/options.js";
import { namesOf, segmentsOf } from "../contract/path.js";
import { type ErrorComponents, errorsByStatus } from "./error-responses.js";
import type { Renaming } from "./path-items.js";
import { isRequired, planBody } from "./request-body.js";
import { planSuccesses } from "./success-responses.js";

/** What an operation is made of, in addition to its handler. */
interface Around {
  readonly components: SchemaComponents;
  readonly errors: ErrorComponents;
  readonly security: readonly NamedScheme[];
  readonly version: "3.1" | "3.2";
  readonly strictQuery: boolean;
  readonly renaming: Renaming;
}

/** Returns the operation after the components are finished. */
export function planOperation(handler: Handler, operationId: string, around: Around): () => Operation {
  const { components, errors, security, version, strictQuery, renaming } = around;
  const { options } = handler;
  const label = pascal(operationId);
  const parameters = planParameters(handler, components, label, renaming);
  const body = options.body && planBody(options.body, components, label, version);
  const successes = planSuccesses(handler, components, label, version);
  const failures = planErrors(handler, errors, strictQuery);

  return () => {
    const operation: Operation = {};
    if (options.tags.length > 0) operation.tags = [...options.tags];
    if (options.summary !== undefined) operation.summary = options.summary;
    if (options.description !== undefined) operation.description = options.description;
    operation.operationId = operationId;
    const list = parameters.map((parameter) => parameter());
    if (list.length > 0) operation.parameters = list;
    if (body !== undefined) operation.requestBody = body();
    operation.responses = { ...successes(), ...failures };
    if (options.deprecated) operation.deprecated = true;
    const requirements = securityOf(options, security);
    if (requirements !== undefined) operation.security = requirements;
    return operation;
  };
}

/** The operation name of a handler without a name: `GET /users/{id}` is `getUsersById`. */
export function defaultOperationId(handler: Handler): string {
  const words = segmentsOf(handler).map((segment) =>
    "literal" in segment
      ? pascal(segment.literal)
      : `${pascal(segment.before)}By${pascal(segment.name)}${pascal(segment.after)}`,
  );
  return `${handler.method.toLowerCase()}${words.join("") || "Root"}`;
}

const PLACES = [
  ["path", "path"],
  ["query", "query"],
  ["headers", "header"],
  ["cookies", "cookie"],
] as const;

/** OpenAPI describes these headers in other ways and ignores them as parameters. */
const NO_PARAMETER = new Set(["accept", "content-type", "authorization"]);

function planParameters(
  handler: Handler,
  components: SchemaComponents,
  label: string,
  renaming: Renaming,
): (() => Parameter)[] {
  const plans: (() => Parameter)[] = [];
  const declared = handler.options.path.fields;
  const segments = segmentsOf(handler);
  const rest = segments.flatMap((segment) => ("name" in segment && segment.isRest ? [segment.name] : []));
  const many = (name: string) => (rest.includes(name) ? { "x-multi-segment": true } : {});
  for (const name of namesOf(segments)) {
    if (!Object.hasOwn(declared, name)) {
      const listed = renaming.get(name) ?? name;
      plans.push(() => ({
        ...{ name: listed, in: "path" as const, required: true as const, ...many(name) },
        schema: { type: "string" },
      }));
    }
  }
  for (const [key, place] of PLACES) {
    const { fields, whole, styles } = handler.options[key];
    const isField = whole !== undefined;
    for (const [name, schema] of Object.entries(fields)) {
      if (place === "header" && NO_PARAMETER.has(name.toLowerCase())) continue;
      const described = components.add(schema, "input", `${label}${pascal(name)}`);
      const style = styles?.get(name);
      if (style !== undefined) {
        plans.push(() => styledParameter(name, style, described()));
        continue;
      }
      const listed = place === "path" ? (renaming.get(name) ?? name) : name;
      const parameter = {
        ...{ name: listed, in: place, ...formOf(schema, place, isField) },
        ...(place === "path" ? many(name) : {}),
      };
      plans.push(() => parameterOf(parameter, described()));
    }
  }
  const { ifMatch, headers } = handler.options;
  const isListed = Object.keys(headers.fields).some((name) => name.toLowerCase() === "if-match");
  if (ifMatch !== false && !isListed) {
    const required = ifMatch === "required" ? ({ required: true } as const) : {};
    plans.push(() => ({ name: "If-Match", in: "header", ...required, schema: { type: "string" } }));
  }
  return plans;
}

/** A parameter of a query in a style of its own. */
function styledParameter(name: string, { name: style, schema, shape }: StyleFacts, json: Json): Parameter {
  const inner = shape === undefined ? [] : Object.values(shape.fields);
  const mayBeEmpty = shape !== undefined && !inner.some((field) => isRequired(field, true));
  const required =
    style === "commaSeparated"
      ? isRequired(schema, false)
      : !mayBeEmpty && !readerOf(schema).takesUndefined(false);
  const { schema: described, ...head } = parameterOf({ name, in: "query", required }, json);
  if (style === "jsonParameter")
    return { ...head, content: { "application/json": { schema: described } } } as Parameter;
  const form =
    style === "deepObject" ? { style: "deepObject", explode: true } : { style: "form", explode: false };
  return { ...head, ...form, schema: described } as Parameter;
}

/** The facts about a parameter that its description does not contain. */
interface ParameterForm {
  readonly required: boolean;
  /** Whether a list repeats the name; absent if the default of the place is right. */
  readonly explode?: false;
}

function parameterOf(
  {
    name,
    in: place,
    required,
    ...style
  }: ParameterForm & { readonly name: string; readonly in: Parameter["in"] },
  json: Json,
): Parameter {
  const { description, deprecated, ...schema } = json;
  const referenced = "$ref" in json;
  // One object with the fields that all places share. `in` decides which interface it has.
  return {
    name,
    in: place,
    ...(description === undefined || referenced ? {} : { description }),
    ...(required ? { required } : {}),
    ...(deprecated === true ? { deprecated } : {}),
    ...style,
    schema: referenced ? json : schema,
  } as Parameter;
}

function formOf(schema: AnySchema, place: Parameter["in"], isField: boolean): ParameterForm {
  const reader = readerOf(schema).textReader();
  // By default OpenAPI repeats the name with `&` between the values, which is wrong in a cookie.
  const style = place === "cookie" && reader?.many === true ? ({ explode: false } as const) : {};
  if (place === "path") return { required: true };
  // An absent list is an empty one.
  return { required: isRequired(schema, isField), ...style };
}

function planErrors(handler: Handler, errors: ErrorComponents, strictQuery: boolean): Responses {
  const responses: Responses = {};
  for (const [status, definitions] of errorsByStatus(handler, strictQuery)) {
    const refs = definitions.map((definition) => errors.ref(definition));
    const [only] = refs;
    responses[`${status}`] = {
      description: definitions.map(({ message }) => message).join(" or "),
      content: {
        [errors.media]: { schema: refs.length === 1 && only !== undefined ? only : { oneOf: refs } },
      },
    };
  }
  return responses;
}

/** More alternatives would not help a reader. Above this number only the scheme is named. */
const MAX_ALTERNATIVES = 16;

/** OpenAPI joins a list of requirements by OR, and the scopes within one by AND. */
function securityOf(
  options: AnyOptions,
  security: readonly NamedScheme[],
): SecurityRequirement[] | undefined {
  const { authentication } = options;
  if (authentication === false) return undefined;
  const named =
    typeof authentication === "object"
      ? security.filter(({ name }) => authentication.includes(name))
      : security;
  if (named.length === 0) return undefined;
  let alternatives: string[][] = [[]];
  for (const group of options.scopes) {
    alternatives = alternatives.flatMap((chosen) => group.map((scope) => [...chosen, scope]));
    if (alternatives.length > MAX_ALTERNATIVES) {
      alternatives = [[]];
      break;
    }
  }
  const requirements: SecurityRequirement[] = named.flatMap(({ name }) =>
    alternatives.map((scopes) => ({ [name]: [...new Set(scopes)] })),
  );
  return authentication === "optional" ? [{}, ...requirements] : requirements;
}
