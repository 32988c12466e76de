/**
 * The values that a parameter's text can represent: scalars, and lists of them. Other text is returned unchanged, and
 * Zod refuses it.
 */
import type { Convert } from "./wire-compile.js";

/** How the texts of one parameter are read. */
export interface TextReader {
  /** Whether several texts can be given, as the items of a list. */
  readonly many: boolean;
  /** Reads the given texts: one, or any number if there can be many. */
  readonly read: (texts: readonly string[]) => unknown;
  /** The value of an absent parameter: an empty list if the schema is a required list, otherwise `undefined`. */
  readonly absent: () => unknown;
  /** Whether an absent parameter is refused. */
  readonly required: boolean;
}

/** The values that the texts of a parameter can represent. */
export interface TextForm {
  /** Reads a text as one value; absent if the value is always a list. */
  readonly one?: Convert;
  /** Reads texts as the items of a list; absent if the value is never a list. */
  readonly many?: (texts: readonly string[]) => unknown;
  /** The minimum number of items of a list. */
  readonly least: number;
}

const INTEGER = /^-?\d+$/;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

export const asText: Convert = (text) => text;

export function integerFromText(text: unknown): unknown {
  return typeof text === "string" && INTEGER.test(text) ? Number(text) : text;
}

export function numberFromText(text: unknown): unknown {
  return typeof text === "string" && NUMBER.test(text) ? Number(text) : text;
}

export function booleanFromText(text: unknown): unknown {
  return text === "true" ? true : text === "false" ? false : text;
}

/** One value. */
export function scalarForm(read: Convert): TextForm {
  return { one: read, least: 0 };
}

/** A list whose items are all read the same way, or a set of them. */
export function listForm(item: TextForm | undefined, least: number, isSet: boolean): TextForm | undefined {
  const read = itemReader(item);
  if (read === undefined) return undefined;
  return { many: (texts) => (isSet ? new Set(texts.map(read)) : texts.map(read)), least };
}

/** A list whose first items have their own readers, and the rest one reader. */
export function tupleForm(
  items: readonly (TextForm | undefined)[],
  rest: TextForm | undefined,
  least: number,
): TextForm | undefined {
  const readers = items.map(itemReader);
  const others = rest === undefined ? asText : itemReader(rest);
  if (others === undefined || readers.includes(undefined)) return undefined;
  return { many: (texts) => texts.map((text, i) => (readers[i] ?? others)(text)), least };
}

/** Lists of lists have no text form. */
function itemReader(form: TextForm | undefined): Convert | undefined {
  return form?.many === undefined ? form?.one : undefined;
}

/** A variant of a union, and whether a value belongs to it; `undefined` if that needs a promise. */
interface TextVariant {
  readonly form: TextForm;
  readonly fits: (value: unknown) => boolean | undefined;
}

/** The first variant that fits. One text is tried as one value and then as a list: a client can send both. */
export function eitherForm(variants: readonly TextVariant[]): TextForm {
  const ones = variants.flatMap(({ form, fits }) =>
    form.one === undefined ? [] : [{ read: form.one, fits }],
  );
  const lists = variants.flatMap(({ form, fits }) =>
    form.many === undefined ? [] : [{ read: form.many, fits }],
  );
  const one: Convert = (text) => {
    for (const { read, fits } of ones) {
      const value = read(text);
      if (fits(value) ?? value !== text) return value;
    }
    return text;
  };
  const many = (texts: readonly string[]) => {
    const values = lists.map(({ read, fits }) => ({ value: read(texts), fits }));
    return (values.find(({ value, fits }) => fits(value) ?? true) ?? values[0])?.value;
  };
  return {
    ...(ones.length === 0 ? {} : { one }),
    ...(lists.length === 0 ? {} : { many }),
    least: Math.min(...variants.map(({ form }) => form.least)),
  };
}

/** The input of a user's function: the text, or the texts if it makes a list from them. */
export function preprocessedForm(made: TextForm | undefined): TextForm {
  return made?.many === undefined ? scalarForm(asText) : { one: asText, many: (texts) => texts, least: 0 };
}

/** The reader of a form; the schema either accepts `undefined` or does not. */
export function readerOf(
  { one, many, least }: TextForm,
  takesUndefined: boolean,
  fits: (value: unknown) => boolean | undefined,
): TextReader {
  const absent = one === undefined && !takesUndefined ? () => many?.([]) : () => undefined;
  const required = !takesUndefined && (one !== undefined || least > 0);
  if (one === undefined) return { many: true, read: (texts) => many?.(texts), absent, required };
  if (many === undefined) return { many: false, read: ([text]) => one(text), absent, required };
  const read = (texts: readonly string[]) => {
    if (texts.length !== 1) return many(texts);
    const value = one(texts[0]);
    if (fits(value) ?? true) return value;
    const list = many(texts);
    return (fits(list) ?? false) ? list : value;
  };
  return { many: true, read, absent, required };
}

/** Numbers, booleans and bigints among the allowed values are found by their text. */
export function oneOf(values: readonly unknown[]): Convert {
  const byText = new Map(values.map((value) => [String(value), value]));
  return (text) => (typeof text === "string" && byText.has(text) ? byText.get(text) : text);
}
