/** Checks what a handler declares of its body: a schema or a kind, or a list of them, one for a media type. */
import { quoted } from "../../core/errors.js";
import type { AnySchema } from "../../schema/schema-reader.js";
import { isSchema } from "./any-schema.js";
import {
  type BodyFacts,
  type DeclaredKind,
  isKind,
  isRange,
  type KindName,
  kindInside,
  misplaced,
} from "./kind.js";
import type { BodyForm } from "./options.js";

type Refuse = (problem: string) => never;

const BODIES: ReadonlySet<KindName> = new Set(["text", "bytes", "byteStream", "ndjson", "form", "multipart"]);

/** The bodies, at least one. */
export function readBodyOption(
  given: unknown,
  refuse: Refuse,
  name: string,
): readonly BodyForm[] | undefined {
  if (given === undefined) return undefined;
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (list.length === 0) return refuse(`${name} names at least one body`);
  const forms = list.map((form) => readForm(form, refuse, name));
  const taken = new Set<string>();
  for (const type of forms.flatMap(typesOfBody)) {
    if (taken.has(type)) return refuse(`${name}: two bodies have the media type ${quoted(type)}`);
    taken.add(type);
  }
  return Object.freeze(forms);
}

function readForm(given: unknown, refuse: Refuse, name: string): BodyForm {
  if (isKind(given))
    return isBody(given) ? checked(given, refuse, name) : refuse(`${name}: ${given.facts.name}() is no body`);
  if (!isSchema(given)) return refuse(`${name} is a Zod schema, or a kind such as form()`);
  const inside = kindInside(given);
  return inside === undefined ? given : refuse(`${name}: ${misplaced(inside, "inside a schema")}`);
}

function isBody(kind: DeclaredKind): kind is DeclaredKind<BodyFacts> {
  return BODIES.has(kind.facts.name);
}

function checked(kind: DeclaredKind<BodyFacts>, refuse: Refuse, name: string): BodyForm {
  const wrong = typesOfBody(kind).find((type) => !isRange(type));
  return wrong === undefined
    ? kind
    : refuse(`${name}: ${quoted(wrong)} is no media type and no range such as "image/*"`);
}

/** The media types of a body in lower case, without their parameters. */
export function typesOfBody(form: BodyForm): readonly string[] {
  if (!isKind(form)) return ["application/json"];
  const { name, types } = form.facts;
  if (name === "ndjson") return ["application/x-ndjson", "application/jsonl"];
  return types.map((type) => (type.split(";")[0] ?? "").trim().toLowerCase());
}

/** The schema of a body of JSON; `undefined` if there is none. */
export function jsonOf(forms: readonly BodyForm[] | undefined): AnySchema | undefined {
  return forms?.find((form): form is AnySchema => !isKind(form));
}

/** Whether a body may be refused because it does not fit a schema. */
export function isValidatedBody(forms: readonly BodyForm[] | undefined): boolean {
  return forms?.some((form) => !isKind(form) || "row" in form.facts || "shape" in form.facts) === true;
}

/** The schemas whose values are JSON: a body, and the rows of one. */
export function schemasOfBody(forms: readonly BodyForm[] | undefined): readonly AnySchema[] {
  return (forms ?? []).flatMap((form) => {
    if (!isKind(form)) return form;
    return "row" in form.facts ? form.facts.row : [];
  });
}
