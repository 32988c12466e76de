/**
 * The readers of parameters whose schemas are `zod/v3` ones: the same forms as for Zod 4.
 */
import {
  asText,
  booleanFromText,
  integerFromText,
  listReader,
  numberFromText,
  oneOf,
  type TextReader,
} from "./text-values.js";
import type { Zod3Schema } from "./validate.js";
import type { Convert } from "./wire-compile.js";
import { bigintFromText, dateFromText } from "./wire-values.js";
import { fitsZod3, peelZod3, zod3Def } from "./zod3.js";

/** The reader of a schema, or `undefined` for a type that text cannot carry. */
export function textReaderZod3(schema: Zod3Schema): TextReader | undefined {
  const { typeName, type, valueType } = zod3Def(peelZod3(schema));
  if (typeName !== "ZodArray" && typeName !== "ZodSet") {
    const read = scalar(schema);
    return read && { list: false, read, absent: () => undefined };
  }
  const element = typeName === "ZodArray" ? type : valueType;
  const item = element && scalar(element);
  if (item === undefined) return undefined;
  return listReader(item, fitsZod3(schema, undefined) === false, typeName === "ZodSet");
}

function scalar(schema: Zod3Schema): Convert | undefined {
  const def = zod3Def(peelZod3(schema));
  if (def.coerce === true) return asText;
  switch (def.typeName) {
    case "ZodNumber":
      return def.checks?.some(({ kind }) => kind === "int") ? integerFromText : numberFromText;
    case "ZodBoolean":
      return booleanFromText;
    case "ZodDate":
      return dateFromText;
    case "ZodBigInt":
      return bigintFromText;
    case "ZodEnum":
    case "ZodNativeEnum":
      return oneOf(Object.values(def.values ?? {}));
    case "ZodLiteral":
      return oneOf([def.value]);
    case "ZodIntersection":
      return def.left && scalar(def.left);
    case "ZodUnion":
      return firstFit(def.options ?? []);
    case "ZodArray":
    case "ZodSet":
    case "ZodTuple":
    case "ZodObject":
    case "ZodRecord":
    case "ZodMap":
    case "ZodDiscriminatedUnion":
      return undefined;
    default:
      return asText;
  }
}

function firstFit(options: readonly Zod3Schema[]): Convert | undefined {
  const readers: [Zod3Schema, Convert][] = [];
  for (const option of options) {
    const read = scalar(option);
    if (read !== undefined) readers.push([option, read]);
  }
  if (readers.length === 0) return undefined;
  return (text) => {
    for (const [option, read] of readers) {
      const value = read(text);
      if (fitsZod3(option, value) ?? value !== text) return value;
    }
    return text;
  };
}
