/**
 * Converts the text of a path, query, header or cookie parameter to the input of its schema. Text that cannot be read
 * as the declared type stays text: Zod's error then names the expected type.
 */
import type { $ZodType } from "zod/v4/core";
import { isAskedItem, takesUndefined } from "./absence.js";
import { classOf, peel } from "./inspect.js";
import { itemLimits } from "./item-limits.js";
import { numberFormat } from "./number-format.js";
import {
  asText,
  booleanFromText,
  eitherForm,
  integerFromText,
  listForm,
  numberFromText,
  oneOf,
  preprocessedForm,
  readerOf,
  scalarForm,
  type TextForm,
  type TextReader,
  tupleForm,
} from "./text-values.js";
import { fits } from "./validate.js";
import { bigintFromText, bufferFromText, bytesFromText, bytesKind, dateFromText } from "./wire-values.js";

/** The reader of a schema, or `undefined` for a type that text cannot hold completely. */
export function textReader(schema: $ZodType): TextReader | undefined {
  const form = formOf(schema);
  return form && readerOf(form, takesUndefined(schema, true), (value) => fits(schema, value, "forward"));
}

/** The form of an inner schema. A list of itself is not a list of values: a schema inside itself has no form. */
function formOf(schema: $ZodType, around: readonly $ZodType[] = []): TextForm | undefined {
  const { inner } = peel(schema);
  const def = inner._zod.def;
  if (around.includes(inner)) return undefined;
  const inside = (one: $ZodType) => formOf(one, [...around, inner]);
  if ("coerce" in def && def.coerce === true) return scalarForm(asText);
  switch (def.type) {
    case "string":
    case "template_literal":
    case "any":
    case "unknown":
    case "transform":
      return scalarForm(asText);
    case "number":
      return scalarForm(numberFormat(inner)?.includes("int") ? integerFromText : numberFromText);
    case "boolean":
      return scalarForm(booleanFromText);
    case "date":
      return scalarForm(dateFromText);
    case "bigint":
      return scalarForm(bigintFromText);
    case "enum":
      return scalarForm(oneOf(Object.values(def.entries)));
    case "literal":
      return scalarForm(oneOf(def.values));
    case "custom": {
      const kind = bytesKind(inner);
      if (kind === undefined) return classOf(inner) === undefined ? scalarForm(asText) : undefined;
      return scalarForm(kind === "buffer" ? bufferFromText : bytesFromText);
    }
    case "array":
      return listForm(inside(def.element), itemLimits(inner).minItems ?? 0, false);
    case "set":
      return listForm(inside(def.valueType), itemLimits(inner).minItems ?? 0, true);
    case "tuple": {
      const asked = def.items.findLastIndex((item) => isAskedItem(item, "input")) + 1;
      return tupleForm(
        def.items.map(inside),
        def.rest === null ? undefined : inside(def.rest),
        Math.max(asked, itemLimits(inner).minItems ?? 0),
      );
    }
    case "pipe":
      return def.in._zod.def.type === "transform" ? preprocessedForm(inside(def.out)) : inside(def.in);
    case "intersection": {
      const [left, right] = [inside(def.left), inside(def.right)];
      return left && right && { ...left, least: Math.max(left.least, right.least) };
    }
    case "union":
      return unionForm(def.options, inside);
    default:
      return undefined;
  }
}

function unionForm(
  all: readonly $ZodType[],
  inside: (option: $ZodType) => TextForm | undefined,
): TextForm | undefined {
  const options = all.filter((option) => !NO_VALUES.has(peel(option).inner._zod.def.type));
  const variants = options.map((option) => {
    const form = inside(option);
    return form && { form, fits: (value: unknown) => fits(option, value, "forward") };
  });
  return variants.length === 0 || variants.includes(undefined)
    ? undefined
    : eitherForm(variants.filter((variant) => variant !== undefined));
}

/** Variants that have no text. */
const NO_VALUES = new Set(["null", "undefined", "void", "never", "nan"]);
