/** Decodes the rows of the caller's SQL by a Zod object, whose keys are the names of the columns. */
import type { $ZodObject, $ZodType } from "zod/v4/core";
import { isZod4, peel } from "../../schema/inspect.js";
import { afterOverwrites } from "../../schema/overwrites.js";
import { wireDecoder } from "../../schema/wire-decode.js";
import { wireEncoder } from "../../schema/wire-encode.js";
import type { DriverResult } from "../contract/driver.js";
import { markOf } from "../declare/column.js";
import type { Storage } from "../declare/declaration.js";
import { isNullable, storageOf } from "../declare/storage.js";
import type { Grammar } from "../dialect/grammar/grammar.js";
import { type DecodedRow, decodeValue } from "../exec/decode.js";
import type { RawOutput } from "../exec/raw.js";
import { type ColumnCodec, codecOf } from "../value/column-codec.js";
import { validated } from "../value/validate.js";
import { DeclarationError, DecodeError } from "../words/errors.js";

/** One key of the schema, as the content of a column. */
interface Field extends RawOutput {
  /** The name of the column in its table, if the schema belongs to a table that has it. */
  readonly column: string;
  /** Whether the schema accepts a missing value. */
  readonly mayLack: boolean;
}

/** Decodes rows by a schema. */
export class RowReader {
  readonly output: readonly Field[];
  readonly #schema: $ZodObject;
  readonly #keepsOthers: boolean;

  /** @throws {DeclarationError} for a schema that is not a Zod object, or has a key that cannot be a column. */
  constructor(schema: $ZodType, grammar: Grammar) {
    if (!isObject(schema)) throw new DeclarationError("sql(…) takes a Zod object as the schema of its rows");
    const { shape, catchall } = schema._zod.def;
    this.#schema = schema;
    // A strict object refuses other keys, and a loose one keeps them.
    this.#keepsOthers = catchall !== undefined;
    this.output = Object.entries(shape).map(([name, one]) => ({
      name,
      column: markOf(one).name ?? name,
      nullable: isNullable(one),
      mayLack: one._zod.optin !== undefined,
      ...cellCodec(one, grammar, name),
    }));
  }

  /** @throws {DecodeError} for the first value that does not fit the schema. */
  read({ rows, columns = [] }: DriverResult): DecodedRow[] {
    // A statement that changes rows returns none.
    if (columns.length === 0) return [];
    const places = this.output.map((field) => placeOf(field, columns));
    const others = this.#keepsOthers ? columns.flatMap((_, at) => (places.includes(at) ? [] : [at])) : [];
    return rows.map((values) => this.#row(values, places, columns, others));
  }

  #row(
    values: readonly unknown[],
    places: readonly (number | undefined)[],
    columns: readonly string[],
    others: readonly number[],
  ): DecodedRow {
    // Without a prototype, so that every column name is an ordinary key.
    const given: DecodedRow = Object.create(null);
    for (const [i, field] of this.output.entries()) {
      const at = places[i];
      const value = at === undefined ? null : values[at];
      if (value === null && field.mayLack && !field.nullable) continue;
      given[field.name] = decodeValue(NO_TABLE, field, value);
    }
    for (const at of others) given[columns[at] ?? ""] = values[at];
    const result = validated(this.#schema, given);
    if (result.success) return result.data;
    throw new DecodeError(
      "",
      String(result.path[0] ?? ""),
      `a value that the schema accepts: ${result.message}`,
    );
  }
}

const NO_TABLE = { name: "" };

function isObject(schema: unknown): schema is $ZodObject {
  return isZod4(schema) && schema._zod.def.type === "object";
}

/** The position of the value of a key. Servers change the case of unquoted names. */
function placeOf({ name, column, mayLack, kind }: Field, columns: readonly string[]): number | undefined {
  const folded = columns.map((one) => one.toLowerCase());
  const [found = [], ...others] = [
    placesIn(columns, name),
    placesIn(columns, column),
    placesIn(folded, name.toLowerCase()),
    placesIn(folded, column.toLowerCase()),
  ].filter((places) => places.length > 0);
  const [at, second] = found.length === 1 || others.length === 0 ? found : (others[0] ?? []);
  if (second !== undefined) throw new DecodeError("", name, `${kind}: several columns have its name`);
  if (at === undefined && !mayLack) throw new DecodeError("", name, `${kind}: no column has its name`);
  return at;
}

function placesIn(names: readonly string[], name: string): number[] {
  return names.flatMap((one, at) => (one === name ? [at] : []));
}

type CellCodec = ColumnCodec & Pick<RawOutput, "kind" | "bigints" | "isZoned">;

function cellCodec(schema: $ZodType, grammar: Grammar, where: string): CellCodec {
  const { inner } = peel(schema);
  const { def } = inner._zod;
  switch (def.type) {
    case "any":
    case "unknown":
    case "transform":
      return asItIs;
    case "pipe":
      return cellCodec(def.in, grammar, where);
    case "union": {
      const options = def.options.filter((option) => peel(option).inner._zod.def.type !== "null");
      const [only] = options;
      if (only !== undefined && options.length === 1) return cellCodec(only, grammar, where);
      return oneOf(options.map((option) => [option, cellCodec(option, grammar, where)] as const));
    }
  }
  const storage = ofRow(storageOf(schema, where));
  if (storage.kind === "json") return jsonCodec(schema, grammar);
  const codec = codecOf({ storage }, grammar);
  const isZoned = grammar.utc?.appliesTo(storage) === "always";
  const about = { kind: storage.kind, bigints: codec.exact === true, isZoned };
  if (storage.kind !== "array") return { ...codec, ...about };
  // An array of the server, or a JSON array.
  const json = jsonCodec(schema, grammar);
  const isJson = (value: unknown) => typeof value === "string" && value.startsWith("[");
  return { ...codec, ...about, decode: (value) => (isJson(value) ? json : codec).decode(value) };
}

// A result is not compared with a stored column, unless the schema names a type.
function ofRow(storage: Storage): Storage {
  const { kind, type, item } = storage;
  if (kind === "date" && type === undefined) return { kind };
  return item === undefined ? storage : { ...storage, item: ofRow(item) };
}

/** The driver's value, of unknown type. */
const asItIs: CellCodec = {
  kind: "a value",
  bigints: false,
  fault: () => "anything",
  encode: (value) => value,
  decode: (value) => value,
};

// The whole row is validated at the end: here JSON is only parsed, and its dates and similar values are decoded.
function jsonCodec(schema: $ZodType, grammar: Grammar): CellCodec {
  const { encode, decode } = grammar.values.json;
  const toWire = wireEncoder(afterOverwrites(schema)) ?? ((value: unknown) => value);
  const fromWire = wireDecoder(schema) ?? ((value: unknown) => value);
  return {
    kind: "json",
    bigints: false,
    fault: () => undefined,
    encode: (value) => encode(toWire(value) as never, { kind: "json" }),
    decode: (value) => fromWire(decode(value, { kind: "json" })),
  };
}

/** The first of several schemas that accepts the value, as in Zod. */
function oneOf(options: readonly (readonly [$ZodType, CellCodec])[]): CellCodec {
  const fitting = (value: unknown) =>
    options.find(([, { fault }]) => fault(value) === undefined)?.[1] ?? asItIs;
  return {
    kind: options.map(([, { kind }]) => kind).join(" or "),
    bigints: options.some(([, { bigints }]) => bigints),
    fault: (value) => fitting(value).fault(value),
    encode: (value) => fitting(value).encode(value),
    decode: (value) => {
      for (const [schema, codec] of options) {
        const decoded = attempt(() => codec.decode(value));
        if (decoded !== undefined && validated(schema, decoded).success) return decoded;
      }
      return undefined;
    },
  };
}

function attempt(decode: () => unknown): unknown {
  try {
    return decode();
  } catch {
    // The value is not of this kind.
    return undefined;
  }
}
