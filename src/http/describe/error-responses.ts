/** The error answers of a handler: the declared ones, and those that the framework itself can return for it. */

import type { DescribedSchema, SchemaComponents } from "../../schema/components/components.js";
import { pascal } from "../../schema/names.js";
import { mayBeAbsent } from "../contract/error-details.js";
import { type ErrorForm, problemType } from "../contract/error-form.js";
import {
  type AnyHttpError,
  BadRequest,
  type ErrorDefinition,
  Forbidden,
  InternalServer,
  NotAcceptable,
  NotFound,
  PayloadTooLarge,
  PreconditionFailed,
  PreconditionRequired,
  RangeNotSatisfiable,
  ServiceUnavailable,
  TooManyRequests,
  Unauthorized,
  UnprocessableEntity,
  UnsupportedMediaType,
  ValidationFailed,
} from "../contract/errors.js";
import { type Handler, isValidated } from "../contract/handler.js";
import { isKind } from "../contract/kind.js";
import { successesOf } from "../contract/options.js";
import { namesOf, segmentsOf } from "../contract/path.js";

/** Errors of a handler, declared ones first, each definition once, by status. */
export function errorsByStatus(
  handler: Handler,
  strictQuery: boolean,
): ReadonlyMap<number, readonly ErrorDefinition[]> {
  const { options } = handler;
  const possible: AnyHttpError[] = [...options.errors];
  if (options.authentication !== false) possible.push(Unauthorized, ServiceUnavailable);
  if (options.scopes.length + options.roles.length > 0) possible.push(Forbidden);
  if (options.usageLimits.length > 0) possible.push(TooManyRequests);
  const inQuery =
    Object.keys(options.query.fields).length > 0 || options.query.strict === true || strictQuery;
  if (inQuery || namesOf(segmentsOf(handler)).length > 0) possible.push(BadRequest);
  if (options.body !== undefined) possible.push(PayloadTooLarge, UnsupportedMediaType, UnprocessableEntity);
  const kinds = successesOf(options).flatMap(({ output }) => (isKind(output) ? output.facts.name : []));
  if (kinds.includes("rows")) possible.push(NotAcceptable);
  if (kinds.includes("file")) possible.push(NotFound, RangeNotSatisfiable);
  if (options.ifMatch !== false) possible.push(PreconditionFailed);
  if (options.ifMatch === "required") possible.push(PreconditionRequired);
  if (isValidated(options) || strictQuery) possible.push(ValidationFailed);
  possible.push(InternalServer);

  const byStatus = new Map<number, ErrorDefinition[]>();
  for (const { definition } of possible) {
    const same = byStatus.get(definition.status) ?? [];
    if (!same.some(({ code }) => code === definition.code)) same.push(definition);
    byStatus.set(definition.status, same);
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}

/** The components of errors: one for each definition, named by its code. */
export class ErrorComponents {
  readonly #components: SchemaComponents;
  readonly #form: ErrorForm;
  readonly #whole: ErrorComponents | undefined;
  readonly #entries = new Map<
    ErrorDefinition,
    { readonly name: string; readonly details: DescribedSchema | undefined }
  >();
  readonly #names = new Map<string, number>();

  /** `whole` names the errors of the complete document. */
  constructor(components: SchemaComponents, form: ErrorForm, whole?: ErrorComponents) {
    this.#components = components;
    this.#form = form;
    this.#whole = whole;
  }

  /** The media type of errors. */
  get media(): string {
    return this.#form.media;
  }

  /** The reference to an error's component. */
  ref(definition: ErrorDefinition): { $ref: string } {
    return { $ref: `#/components/schemas/${this.#entry(definition).name}` };
  }

  /** Every component that was referred to, after `Components.finish` has run. */
  *all(): Iterable<readonly [string, Record<string, unknown>]> {
    for (const [definition, { name, details }] of this.#entries) {
      const { details: schema } = definition;
      const properties = this.#members(definition);
      const required = Object.keys(properties);
      if (details !== undefined) properties["details"] = details();
      if (schema !== undefined && !mayBeAbsent(schema)) required.push("details");
      yield [name, { type: "object", properties, required }];
    }
  }

  /** The members that every answer with this error has. */
  #members({ code, status, message }: ErrorDefinition): Record<string, unknown> {
    const text = { type: "string" };
    const own = { ...text, const: code };
    const { problemTypes } = this.#form;
    if (problemTypes === undefined) return { code: own, message: text };
    return {
      type: { ...text, const: problemType(problemTypes, code) },
      title: { ...text, const: message },
      status: { type: "integer", const: status },
      detail: text,
      code: own,
    };
  }

  #entry(definition: ErrorDefinition): {
    readonly name: string;
    readonly details: DescribedSchema | undefined;
  } {
    const known = this.#entries.get(definition);
    if (known !== undefined) return known;
    const name = this.#nameOf(definition);
    this.#components.reserve(name);
    const details =
      definition.details && this.#components.add(definition.details, "output", `${name}Details`);
    const entry = { name, details };
    this.#entries.set(definition, entry);
    return entry;
  }

  #nameOf(definition: ErrorDefinition): string {
    if (this.#whole !== undefined) return this.#whole.#entry(definition).name;
    const base = pascal(definition.code.toLowerCase());
    const used = (this.#names.get(base) ?? 0) + 1;
    this.#names.set(base, used);
    return used === 1 ? base : `${base}${used}`;
  }
}
