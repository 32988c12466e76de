/** The values inside JSON values, by their schema: the end of a path, and whether it is compared as a scalar. */
import * as z from "zod";
import type { $ZodType, $ZodTypes } from "zod/v4/core";
import { peel } from "../../schema/inspect.js";
import { type Member, membersOf } from "../../schema/member.js";
import { numberFormat } from "../../schema/number-format.js";
import type { Storage } from "../declare/declaration.js";
import type { PathKey } from "../words/paths.js";

/** The value at the end of a path. */
export interface MemberEnd {
  readonly schema: $ZodType;
  /** Whether it may be absent. */
  readonly nullable: boolean;
  /** The scalar that JSON holds; `json` for an object, a list, and any value that JSON holds in another form. */
  readonly storage: MemberStorage;
}

type MemberStorage = Storage & { readonly kind: "text" | "number" | "boolean" | "json" };

/** A step that does not exist. */
interface LostStep {
  /** The number of steps before it. */
  readonly before: number;
  /** The names that exist in its place. */
  readonly names: readonly string[];
  readonly closed: string | undefined;
}

/** The end of a path into JSON of a schema, or the first step that does not exist. */
export function memberEnd(
  schema: $ZodType | undefined,
  steps: readonly PathKey[],
): { readonly end: MemberEnd } | { readonly lost: LostStep } {
  let at: readonly Member[] = [schema ?? "any"];
  let nullable = false;
  for (const [before, step] of steps.entries()) {
    const { found, absent, names, closed } = membersOf(at, step);
    if (closed !== undefined || found.length === 0) return { lost: { before, names, closed } };
    at = found;
    nullable ||= absent;
  }
  const schemas = at.map((member) => (member === "any" ? z.unknown() : member));
  const [first = z.unknown(), ...others] = schemas;
  const end = others.length === 0 ? first : z.union(schemas);
  return {
    end: { schema: end, nullable: nullable || mayBeNull(end), storage: storageOfMember(end) ?? json },
  };
}

function mayBeNull(schema: $ZodType): boolean {
  const { inner, nullable, optional } = peel(schema);
  const def = inner._zod.def;
  if (nullable || optional || def.type === "any" || def.type === "unknown" || def.type === "null")
    return true;
  if (def.type === "literal") return def.values.includes(null);
  return def.type === "union" && def.options.some(mayBeNull);
}

const json = { kind: "json" } as const;

/** The storage of the values that are not null; undefined if there are none. */
function storageOfMember(schema: $ZodType): MemberStorage | undefined {
  const { inner } = peel(schema);
  const def = inner._zod.def;
  switch (def.type) {
    case "string":
      // Decimals are texts that compare by their digits.
      return "format" in def && def.format === "decimal" ? json : { kind: "text" };
    case "template_literal":
      return { kind: "text" };
    case "number":
      return isInteger(inner) ? { kind: "number", integer: true } : { kind: "number" };
    case "boolean":
      return { kind: "boolean" };
    case "enum":
      return ofValues([...(inner._zod.values ?? Object.values(def.entries))]);
    case "literal":
      return ofValues(def.values.filter((value) => value !== null));
    case "union":
      return ofOptions(def.options.map(storageOfMember).filter((stored) => stored !== undefined));
    case "null":
      return undefined;
    default:
      return json;
  }
}

function isInteger(inner: $ZodTypes): boolean {
  return numberFormat(inner)?.includes("int") === true;
}

const scalars: ReadonlyMap<string, "text" | "number" | "boolean"> = new Map([
  ["string", "text"],
  ["number", "number"],
  ["boolean", "boolean"],
]);

function ofValues(values: readonly unknown[]): MemberStorage | undefined {
  const [type, ...others] = new Set(values.map((value) => typeof value));
  if (type === undefined) return undefined;
  const kind = others.length === 0 ? scalars.get(type) : undefined;
  if (kind === undefined) return json;
  const integer = kind === "number" && values.every(Number.isInteger);
  return { kind, values: new Set(values), ...(integer ? { integer } : {}) };
}

function ofOptions(stored: readonly MemberStorage[]): MemberStorage | undefined {
  const [first] = stored;
  if (first === undefined) return undefined;
  if (stored.some(({ kind }) => kind !== first.kind)) return json;
  const integer = stored.every((one) => one.integer === true);
  const values = stored.every((one) => one.values !== undefined)
    ? new Set(stored.flatMap((one) => [...(one.values ?? [])]))
    : undefined;
  return { kind: first.kind, ...(integer ? { integer } : {}), ...(values === undefined ? {} : { values }) };
}
