/**
 * Named texts as validated values: the parameters of one place of a request, or the fields of a form. One result has all
 * their faults.
 */
import { after } from "../../core/values.js";
import { type FieldIssue, toFields } from "../../schema/issues.js";
import { readerOf } from "../../schema/reader/reader-of.js";
import type { TextReader } from "../../schema/text-values.js";
import type { Validation } from "../../schema/validate.js";
import type { FailedField } from "../contract/errors.js";
import type { ParameterShape } from "../contract/kind.js";
import type { NamedTexts } from "./named-texts.js";
import { Fault, isFieldOf, plainValue, type StyleReader, styleReader, textReaderOf } from "./styles.js";

/** Values by name. */
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
  /** Present if it has a style of its own. */
  readonly style: StyleReader | undefined;
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
  const parameters: Parameter[] = Object.entries(shape.fields).map(([name, schema]) => {
    const facts = shape.styles?.get(name);
    const isJson = facts?.name === "jsonParameter";
    return {
      name,
      style: facts && styleReader(name, facts),
      reader: textReaderOf(schema),
      validate: isJson ? readerOf(schema).bodyValidator() : readerOf(schema).valueValidator(),
    };
  });
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
    for (const { name, style, reader, validate } of parameters) {
      const read = style === undefined ? plainValue(texts, name, reader) : style(texts);
      if (read instanceof Fault) {
        failed.push(...placed([read], place));
        continue;
      }
      const value = read;
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
  { fields, styles }: ParameterShape,
  place: RequestPlace | undefined,
): FailedField[] {
  const issues = [...names]
    .filter((name) => !Object.hasOwn(fields, name) && !isFieldOf(styles, name))
    .map((name) => ({ path: [name], message: "not declared" }));
  return placed(toFields(issues), place);
}

function placed(fields: readonly FieldIssue[], place: RequestPlace | undefined): FailedField[] {
  return fields.map((field) => (place === undefined ? field : { ...field, in: place }));
}
