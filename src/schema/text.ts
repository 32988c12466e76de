/**
 * From the text of a path, query, header or cookie parameter to what its schema validates. Text that does not
 * read as the declared type is handed on as text, so that Zod names what was expected.
 */
import type { $ZodType } from "zod/v4/core";
import { isZod4, peel } from "./inspect.js";
import { numberFormat } from "./number-format.js";
import {
  asText,
  booleanFromText,
  integerFromText,
  listReader,
  numberFromText,
  oneOf,
  type TextReader,
} from "./text-values.js";
import { textReaderZod3 } from "./text-zod3.js";
import { type AnySchema, fits } from "./validate.js";
import type { Convert } from "./wire-compile.js";
import { bigintFromText, bufferFromText, bytesFromText, bytesKind, dateFromText } from "./wire-values.js";

/** The reader of a schema, or `undefined` for a type that text cannot carry (an object, say). */
export function textReader(schema: AnySchema): TextReader | undefined {
  if (!isZod4(schema)) return textReaderZod3(schema);
  const { inner } = peel(schema);
  const def = inner._zod.def;
  if (def.type === "array" || def.type === "set") {
    const item = scalar(def.type === "array" ? def.element : def.valueType);
    if (item === undefined) return undefined;
    const required = schema._zod.optin === undefined;
    return listReader(item, required, def.type === "set");
  }
  const read = scalar(inner);
  return read && { list: false, read, absent: () => undefined };
}

function scalar(schema: $ZodType): Convert | undefined {
  const { inner } = peel(schema);
  const def = inner._zod.def;
  switch (def.type) {
    case "string":
    case "template_literal":
    case "any":
    case "unknown":
    case "transform":
    case "file":
      return asText;
    case "number":
      if (def.coerce === true) return asText;
      return numberFormat(inner)?.includes("int") ? integerFromText : numberFromText;
    case "boolean":
      return def.coerce === true ? asText : booleanFromText;
    case "date":
      return def.coerce === true ? asText : dateFromText;
    case "bigint":
      return def.coerce === true ? asText : bigintFromText;
    case "enum":
      return oneOf(Object.values(def.entries));
    case "literal":
      return oneOf(def.values);
    case "custom": {
      const kind = bytesKind(inner);
      return kind === "buffer" ? bufferFromText : kind === "bytes" ? bytesFromText : asText;
    }
    case "pipe":
      return scalar(def.in);
    case "intersection":
      return scalar(def.left);
    case "union":
      return firstFit(def.options);
    default:
      return undefined;
  }
}

function firstFit(options: readonly $ZodType[]): Convert | undefined {
  const readers: [$ZodType, Convert][] = [];
  for (const option of options) {
    const read = scalar(option);
    if (read !== undefined) readers.push([option, read]);
  }
  if (readers.length === 0) return undefined;
  return (text) => {
    for (const [option, read] of readers) {
      const value = read(text);
      if (fits(option, value, "forward") ?? value !== text) return value;
    }
    return text;
  };
}
