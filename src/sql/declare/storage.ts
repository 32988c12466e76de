/** Derives how the values of a column are stored from its Zod schema; refuses schemas that cannot be a column. */

import type { $ZodType, $ZodTypes } from "zod/v4/core";
import { quoted } from "../../core/errors.js";
import { isCodec } from "../../schema/graph.js";
import { classOf, peel } from "../../schema/inspect.js";
import { notInJson } from "../../schema/json-form.js";
import { numberFormat } from "../../schema/number-format.js";
import { isOneWay } from "../../schema/validate.js";
import { DeclarationError } from "../words/errors.js";
import type { Kind } from "../words/kinds.js";
import { isWritten } from "./checked.js";
import { type Mark, markOf } from "./column.js";
import type { ByDialect, Storage } from "./declaration.js";

/**
 * How values of a schema are stored.
 * @param where names the column in errors: `"users.email"`.
 * @throws {DeclarationError} for a schema that cannot be a column.
 */
export function storageOf(schema: $ZodType, where: string): Storage {
  const mark = markOf(schema);
  const storage = mark.storage ?? narrowed(peel(schema).inner, mark, where);
  if (storage.kind === "json" && isOneWay(schema))
    throw refused(where, "JSON with a transform inside: it could be written but not read; use a codec");
  const outside = storage.kind === "json" ? notInJson(schema, "input") : undefined;
  if (outside !== undefined) throw refused(where, outside);
  if (storage.kind === "date") return dateOf(mark.type);
  // The declared type applies to the whole array.
  if (storage.item?.kind === "date") return { ...storage, item: dateOf(itemType(mark.type)) };
  return storage;
}

function dateOf(type: ByDialect | undefined): Storage {
  return { kind: "date", inColumn: true, ...(type === undefined ? {} : { type }) };
}

const ARRAY = /\s*(?:\[\d*\]|\barray(?:\s*\[\d*\])?)\s*$/i;

function itemType(type: ByDialect | undefined): ByDialect | undefined {
  if (type === undefined || typeof type === "string") return type?.replace(ARRAY, "");
  return Object.fromEntries(Object.entries(type).map(([dialect, one]) => [dialect, one.replace(ARRAY, "")]));
}

/**
 * Whether the column may be null: by `.nullable()`, by a union or a literal, or by a schema that accepts
 * anything.
 */
export function isNullable(schema: $ZodType): boolean {
  const { nullable, inner } = peel(schema);
  const def = inner._zod.def;
  if (nullable || def.type === "any" || def.type === "unknown" || def.type === "null") return true;
  if (def.type === "literal") return def.values.includes(null);
  return def.type === "union" && def.options.some(isNullable);
}

function narrowed(inner: $ZodTypes, mark: Mark, where: string): Storage {
  const def = inner._zod.def;
  switch (def.type) {
    case "string":
    case "template_literal":
      return { kind: "text", ...decimalOf(mark) };
    case "number":
      return isInteger(inner) ? { kind: "number", integer: true } : { kind: "number" };
    case "bigint":
      return { kind: "bigint", integer: true };
    case "boolean":
      return { kind: "boolean" };
    case "date":
      return { kind: "date" };
    case "enum":
      return ofValues([...(inner._zod.values ?? Object.values(def.entries))], where);
    case "literal":
      return ofValues(
        def.values.filter((value) => value !== null),
        where,
      );
    case "custom":
      if (classOf(inner) === Uint8Array) return { kind: "bytes" };
      throw refused(where, "a custom schema; wrap it in json(…), or use z.instanceof(Uint8Array) for bytes");
    case "array": {
      const item = storageOf(def.element, `${where}[]`);
      if (peel(def.element).nullable || hasNoItems(def.element, item))
        throw refused(where, "an array of such items; wrap it in json(…)");
      return { kind: "array", item };
    }
    case "union":
      return ofOptions(def.options, where);
    case "object":
    case "record":
    case "any":
    case "unknown":
      return { kind: "json" };
    case "pipe":
    case "transform":
      if (isCodec(inner))
        throw refused(where, "a codec; wrap it in json(…) to store its encoded value as JSON");
      throw refused(where, "a transform or pipe: a column needs a schema that works in both directions");
    default:
      throw refused(where, `a schema of type ${def.type}; wrap it in json(…) to store it as JSON`);
  }
}

/** Whether an array cannot hold such values: a mark describes a column, and JSON holds lists itself. */
function hasNoItems(schema: $ZodType, { kind }: Storage): boolean {
  return markOf(schema).storage !== undefined || kind === "json" || kind === "array";
}

const kindsOfValues: Readonly<Record<string, Kind>> = {
  string: "text",
  number: "number",
  bigint: "bigint",
  boolean: "boolean",
};

function ofValues(values: readonly unknown[], where: string): Storage {
  const unwritten = values.find((value) => typeof value === "string" && !isWritten(value));
  if (unwritten !== undefined)
    throw new DeclarationError(
      `column ${where} has the member ${quoted(unwritten)}, a text that no server accepts`,
    );
  const types = new Set(values.map((value) => typeof value));
  const [type] = types;
  const kind = types.size === 1 && type !== undefined ? kindsOfValues[type] : undefined;
  if (kind === undefined) throw refused(where, "literals of several types; wrap it in json(…)");
  const integer = kind === "number" && values.every((value) => Number.isInteger(value));
  return { kind, values: new Set(values), ...(integer ? { integer } : {}) };
}

// A union of one scalar kind has that kind; any other union is stored as JSON. The options of other kinds are
// not inspected, because one may be the union itself, as in `z.json()`.
function ofOptions(options: readonly $ZodType[], where: string): Storage {
  const types = options.map((option) => peel(option).inner._zod.def.type);
  if (types.some((type) => holders.has(type))) return { kind: "json" };
  const stored = options.filter((_, i) => types[i] !== "null").map((option) => storageOf(option, where));
  const [first] = stored;
  if (first === undefined || stored.some((one) => one.kind !== first.kind)) return { kind: "json" };
  const integer = stored.every((one) => one.integer === true);
  const values = stored.every((one) => one.values !== undefined)
    ? new Set(stored.flatMap((one) => [...(one.values ?? [])]))
    : undefined;
  return { kind: first.kind, ...(integer ? { integer } : {}), ...(values === undefined ? {} : { values }) };
}

const holders: ReadonlySet<string> = new Set(["array", "object", "record", "tuple"]);

function isInteger(inner: $ZodTypes): boolean {
  return numberFormat(inner)?.includes("int") === true;
}

const DECIMAL = /^\s*(?:decimal|numeric|number)\b\s*(?:\(\s*\d+\s*(?:,\s*(\d+)\s*)?\))?/i;

/** The restrictions on the text of a column with a declared type of exact decimals. */
function decimalOf(mark: Mark): Pick<Storage, "decimal" | "scale"> {
  const types = typeof mark.type === "string" ? [mark.type] : Object.values(mark.type ?? {});
  const match = types.map((type) => DECIMAL.exec(type)).find((one) => one !== null);
  if (match === undefined || match === null) return {};
  return match[1] === undefined ? { decimal: true } : { decimal: true, scale: Number(match[1]) };
}

function refused(where: string, what: string): DeclarationError {
  return new DeclarationError(`column ${where} cannot be ${what}`);
}
