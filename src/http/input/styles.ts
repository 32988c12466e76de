/** Parameters from texts to the values that their schemas validate: plain ones, and those of a query in styles of their own. */
import type { FieldIssue } from "../../schema/issues.js";
import { readerOf } from "../../schema/reader/reader-of.js";
import type { AnySchema } from "../../schema/schema-reader.js";
import type { TextReader } from "../../schema/text-values.js";
import type { ParameterShape, StyleFacts } from "../contract/kind.js";
import { parseJson } from "./json-text.js";
import type { NamedTexts } from "./named-texts.js";

/** What is wrong with the texts of a parameter. */
export class Fault implements FieldIssue {
  readonly field: string;
  readonly message: string;

  constructor(field: string, message: string) {
    this.field = field;
    this.message = message;
  }
}

/** Reads a parameter: its value, or a `Fault`. */
export type StyleReader = (texts: NamedTexts) => unknown;

const TWICE = "given more than once";
const NOT_JSON = "a value of JSON was expected";

/** The value of a parameter without a style, or a `Fault`. */
export function plainValue(texts: NamedTexts, name: string, reader: TextReader): unknown {
  const given = texts.of(name, reader.many);
  if (given === undefined) return texts.other?.(name) ?? reader.absent();
  return given.length > 1 && !reader.many ? new Fault(name, TWICE) : reader.read(given);
}

/** The reader of a parameter in its style. */
export function styleReader(name: string, { name: style, schema, shape }: StyleFacts): StyleReader {
  if (style === "commaSeparated") return commaReader(name, textReaderOf(schema));
  if (style === "jsonParameter") return jsonReader(name, schema);
  return deepReader(name, schema, shape ?? { fields: {} });
}

/** Whether a name is that of a field of an object: `price[min]`. */
export function isFieldOf(styles: ParameterShape["styles"], name: string): boolean {
  const [, of = "", field = ""] = /^([^[]+)\[([^[\]]+)\]$/.exec(name) ?? [];
  const fields = styles?.get(of)?.shape?.fields;
  return fields !== undefined && Object.hasOwn(fields, field);
}

/** What a client must know of the styles: theirs by the names of the parameters, in the form of a query. */
export function stylesText(styles: ReadonlyMap<string, StyleFacts>): string {
  return new URLSearchParams(
    [...styles].map(([name, facts]): [string, string] => [name, facts.name]),
  ).toString();
}

function commaReader(name: string, reader: TextReader): StyleReader {
  return (texts) => {
    const [items, ...more] = texts.items?.(name) ?? [];
    if (more.length > 0) return new Fault(name, TWICE);
    return items === undefined ? reader.absent() : reader.read(items);
  };
}

function jsonReader(name: string, schema: AnySchema): StyleReader {
  const decode = readerOf(schema).wireDecoder();
  return (texts) => {
    const given = texts.of(name, true);
    // An object by its fields would pass as an absent one.
    if (given === undefined) return namesOf(texts, name).length === 0 ? undefined : new Fault(name, NOT_JSON);
    if (given.length > 1) return new Fault(name, TWICE);
    try {
      const value = parseJson(Buffer.from(given[0] ?? ""));
      return decode === undefined ? value : decode(value);
    } catch {
      return new Fault(name, NOT_JSON);
    }
  };
}

function deepReader(name: string, schema: AnySchema, { fields, strict }: ParameterShape): StyleReader {
  const readers = Object.entries(fields).map(([field, one]) => ({
    ...{ field, key: `${name}[${field}]` },
    reader: textReaderOf(one),
  }));
  const takesUndefined = readerOf(schema).takesUndefined(false);
  const known = new Set(readers.map(({ key }) => key));
  return (texts) => {
    const given = namesOf(texts, name);
    if (texts.of(name, true) !== undefined) return new Fault(name, `fields were expected, as ${name}[field]`);
    // A deeper level would be lost.
    const other = given.find(
      (one) => !known.has(one) && (strict === true || !/^[^[]+\[[^[\]]*\]$/.test(one)),
    );
    if (other !== undefined) return new Fault(other, "not declared");
    if (given.length === 0 && takesUndefined) return undefined;
    const value: [string, unknown][] = [];
    for (const { field, key, reader } of readers) {
      const read = plainValue(texts, key, reader);
      if (read instanceof Fault) return new Fault(`${name}.${field}`, read.message);
      if (read !== undefined) value.push([field, read]);
    }
    return Object.fromEntries(value);
  };
}

/** The names of fields of a parameter. */
function namesOf({ names = [] }: NamedTexts, name: string): readonly string[] {
  return [...names].filter((one) => one.startsWith(`${name}[`));
}

/** A type that text cannot carry was refused when the handler was declared. */
export function textReaderOf(schema: AnySchema): TextReader {
  return (
    readerOf(schema).textReader() ?? {
      many: false,
      read: ([text]) => text,
      absent: () => undefined,
      required: false,
    }
  );
}
