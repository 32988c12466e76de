/** The readers of parameters with `zod/v3` schemas: the same forms as for Zod 4. */

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
} from "../text-values.js";
import { bigintFromText, dateFromText } from "../wire-values.js";
import { takesUndefinedZod3 } from "./absence.js";
import { fitsZod3, peelZod3, type Zod3Def, type Zod3Schema, zod3Def } from "./schema.js";

/** The reader of a schema, or `undefined` for a type that text cannot hold completely. */
export function textReaderZod3(schema: Zod3Schema): TextReader | undefined {
  const form = formOf(schema);
  return form && readerOf(form, takesUndefinedZod3(schema, true), (value) => fitsZod3(schema, value));
}

/** The form of an inner schema. A list of itself is not a list of values: a schema inside itself has no form. */
function formOf(schema: Zod3Schema, around: readonly Zod3Schema[] = []): TextForm | undefined {
  const inner = peelZod3(schema);
  const def = zod3Def(inner);
  if (around.includes(inner)) return undefined;
  const inside = (one: Zod3Schema) => formOf(one, [...around, inner]);
  if (def.coerce === true) return scalarForm(asText);
  switch (def.typeName) {
    case "ZodString":
    case "ZodAny":
    case "ZodUnknown":
      return scalarForm(asText);
    case "ZodNumber":
      return scalarForm(def.checks?.some(({ kind }) => kind === "int") ? integerFromText : numberFromText);
    case "ZodBoolean":
      return scalarForm(booleanFromText);
    case "ZodDate":
      return scalarForm(dateFromText);
    case "ZodBigInt":
      return scalarForm(bigintFromText);
    case "ZodEnum":
    case "ZodNativeEnum":
      return scalarForm(oneOf(Object.values(def.values ?? {})));
    case "ZodLiteral":
      return scalarForm(oneOf([def.value]));
    case "ZodArray":
      return listForm(def.type && inside(def.type), leastOf(def), false);
    case "ZodSet":
      return listForm(def.valueType && inside(def.valueType), leastOf(def), true);
    case "ZodTuple": {
      const items = def.items ?? [];
      return tupleForm(items.map(inside), def.rest ? inside(def.rest) : undefined, items.length);
    }
    case "ZodEffects":
      return preprocessedForm(def.schema && inside(def.schema));
    case "ZodIntersection": {
      const [left, right] = [def.left && inside(def.left), def.right && inside(def.right)];
      return left && right && { ...left, least: Math.max(left.least, right.least) };
    }
    case "ZodUnion": {
      const options = (def.options ?? []).filter(
        (option) => !NO_VALUES.has(zod3Def(peelZod3(option)).typeName ?? ""),
      );
      const variants = options.map((option) => {
        const form = inside(option);
        return form && { form, fits: (value: unknown) => fitsZod3(option, value) };
      });
      return variants.length === 0 || variants.includes(undefined)
        ? undefined
        : eitherForm(variants.filter((variant) => variant !== undefined));
    }
    default:
      return undefined;
  }
}

/** Variants that have no text. */
const NO_VALUES = new Set(["ZodNull", "ZodUndefined", "ZodVoid", "ZodNever", "ZodNaN"]);

function leastOf({ minLength, exactLength, minSize }: Zod3Def): number {
  return exactLength?.value ?? minLength?.value ?? minSize?.value ?? 0;
}
