/**
 * Named texts as validated values: the parameters of one place of a request, or the fields of a form. One result has all
 * their faults.
 */
import { after } from "../../core/values.js";
import { type FieldIssue, toFields } from "../../schema/issues.js";
import { readerOf } from "../../schema/reader/reader-of.js";
import type { AnySchema } from "../../schema/schema-reader.js";
import type { TextReader } from "../../schema/text-values.js";
import type { Validation } from "../../schema/validate.js";
import type { FailedField } from "../contract/errors.js";
import type { ParameterShape } from "../contract/kind.js";

/** NamedTexts by name. */
export interface NamedTexts {
  /** The texts of a name. A list may have any number; `undefined` if the request does not have the name. */
  of(name: string, many: boolean): readonly string[] | undefined;
  /** A value that is no text, of a body that middleware has read. */
  other?(name: string): unknown;
  /** The existing names, if only the caller chooses them. */
  readonly names?: Iterable<string>;
}

/** NamedValues by name. */
export type NamedValues = Readonly<Record<string, unknown>>;

/** The place of a parameter. */
export type RequestPlace = "path" | "query" | "header" | "cookie";

/** The values of a shape, and its faults. */
export interface FieldValues {
  readonly values: NamedValues;
  readonly failed: readonly FailedField[];
}

/** Reads the values of a shape. */
export type FieldsReader = (texts: NamedTexts) => FieldValues | Promise<FieldValues>;

interface Parameter {
  readonly name: string;
  readonly reader: TextReader;
  readonly validate: (value: unknown) => Validation | Promise<Validation>;
}

/**
 * Reads the values of a shape; `undefined` if there is nothing to read.
 * @param place where failed fields are said to be; `undefined` for those of a body.
 * @param untyped names that are there without a schema, as text.
 */
export function fieldsReader(
  place: RequestPlace | undefined,
  shape: ParameterShape,
  untyped: readonly string[] = [],
): FieldsReader | undefined {
  const parameters: Parameter[] = Object.entries(shape.fields).map(([name, schema]) => ({
    name,
    reader: textReaderOf(schema),
    validate: readerOf(schema).valueValidator(),
  }));
  const plain = untyped.filter((name) => !(name in shape.fields));
  if (parameters.length === 0 && plain.length === 0 && shape.strict !== true) return undefined;
  const whole = shape.whole && readerOf(shape.whole).valueValidator();

  return (texts) => {
    const values: Record<string, unknown> = Object.create(null);
    const failed: FailedField[] = shape.strict ? undeclared(texts, shape, place) : [];
    for (const name of plain) values[name] = texts.of(name, false)?.[0];
    const settle = (name: string, result: Validation) => {
      if (!result.ok) failed.push(...placed(toFields(result.issues, name), place));
      else if (result.value !== undefined) values[name] = result.value;
    };
    let pending: Promise<void>[] | undefined;
    for (const { name, reader, validate } of parameters) {
      const given = texts.of(name, reader.many);
      if (given !== undefined && given.length > 1 && !reader.many) {
        failed.push(...placed([{ field: name, message: "given more than once" }], place));
        continue;
      }
      const value = given === undefined ? (texts.other?.(name) ?? reader.absent()) : reader.read(given);
      if (whole !== undefined) {
        if (value !== undefined) values[name] = value;
        continue;
      }
      const result = validate(value);
      if (!(result instanceof Promise)) settle(name, result);
      else {
        pending ??= [];
        pending.push(result.then((settled) => settle(name, settled)));
      }
    }
    if (whole !== undefined && failed.length === 0) {
      return after(whole(values), (result) => {
        if (!result.ok) return { values, failed: placed(toFields(result.issues), place) };
        // A Zod object returns an object; path parameters that it does not name stay text.
        const parsed = result.value as NamedValues;
        return { values: plain.length === 0 ? parsed : { ...values, ...parsed }, failed };
      });
    }
    return pending === undefined ? { values, failed } : Promise.all(pending).then(() => ({ values, failed }));
  };
}

/** The names that a strict object refuses. */
function undeclared(
  { names = [] }: NamedTexts,
  { fields }: ParameterShape,
  place: RequestPlace | undefined,
): FailedField[] {
  const issues = [...names]
    .filter((name) => !Object.hasOwn(fields, name))
    .map((name) => ({ path: [name], message: "not declared" }));
  return placed(toFields(issues), place);
}

function placed(fields: readonly FieldIssue[], place: RequestPlace | undefined): FailedField[] {
  return fields.map((field) => (place === undefined ? field : { ...field, in: place }));
}

/** A type that text cannot carry was refused when the handler was declared. */
function textReaderOf(schema: AnySchema): TextReader {
  return (
    readerOf(schema).textReader() ?? {
      many: false,
      read: ([text]) => text,
      absent: () => undefined,
      required: false,
    }
  );
}
