/** Text of the program itself inside a typed query. */
import { describeType, readParts } from "../../core/errors.js";
import type { RawNode, RawNodeText } from "../ast/expression.js";
import type { Value } from "../types/expressions.js";
import type { ColumnSchema } from "../types/model.js";
import type { OperandExpression, SideFields, SideLeaves } from "../types/operands.js";
import type { Of, OfSchema } from "../types/results.js";
import { type Dialect, dialects } from "../words/dialect.js";
import { BuildError } from "../words/errors.js";
import { describedBy, operandOf } from "./operand.js";
import { PlainValue, typedValue } from "./value.js";

/** A field as an operand, for a hole of raw text. */
export function field<F extends string>(name: F): Value<Of<F, "same">, F> {
  // Its result exists only as a type.
  return typedValue({ kind: "field", name });
}

/** Raw text without a schema, for one dialect of several. */
export interface RawFragment<out F extends string = string, out L = unknown> {
  readonly [parts]: { readonly fields: F; readonly leaves: L };
}

declare const parts: unique symbol;

/** Reads a template as text whose values have a schema. */
export type RawTag<S extends ColumnSchema> = <const H extends readonly OperandExpression[]>(
  text: TemplateStringsArray,
  ...holes: H
) => Value<OfSchema<S>, SideFields<H[number]>, SideLeaves<H[number]>>;

/**
 * Text of the program itself as an expression. Only the template's strings reach the SQL; a hole takes `field(name)`,
 * `param(name, schema)`, `value(constant)` or an expression. The schema decodes the result.
 * @throws {DeclarationError} for a schema that no column could hold.
 * @throws {BuildError} `INVALID_CONDITION` for text that is not from a template.
 * @example
 * import { field, param, raw } from "rowtype";
 * notes.query().fields("id", raw(z.number())`ts_rank(${field("vec")}, plainto_tsquery(${param("q", z.string())}))`.as("rank"));
 */
export function raw<const H extends readonly OperandExpression[]>(
  text: TemplateStringsArray,
  ...holes: H
): RawFragment<SideFields<H[number]>, SideLeaves<H[number]>>;
export function raw<S extends ColumnSchema>(schema: S): RawTag<S>;
export function raw<S extends ColumnSchema, const P extends Readonly<Partial<Record<Dialect, RawFragment>>>>(
  schema: S,
  texts: P,
): Value<OfSchema<S>, FragmentOf<P>["fields"], FragmentOf<P>["leaves"]>;
export function raw(first: unknown, ...others: readonly unknown[]): unknown {
  if (isTemplate(first)) return new Fragment(textOf(first, others));
  const of = describedBy(first, "of raw");
  const [texts] = others;
  if (others.length > 0) return rawValue({ kind: "raw", of, text: textsOf(texts) });
  return (template: unknown, ...holes: readonly unknown[]) =>
    rawValue({ kind: "raw", of, text: textOf(template, holes) });
}

type FragmentOf<P> =
  P[keyof P] extends RawFragment<infer F, infer L> ? { readonly fields: F; readonly leaves: L } : never;

class Fragment {
  readonly #text: RawNodeText;

  constructor(text: RawNodeText) {
    this.#text = text;
    Object.freeze(this);
  }

  /** The text of one of our fragments; undefined for any other value. */
  static textOf(value: unknown): RawNodeText | undefined {
    return typeof value === "object" && value !== null && #text in value ? value.#text : undefined;
  }
}

function rawValue(node: RawNode): PlainValue {
  return new PlainValue(node);
}

// The strings of a template are frozen and have a raw form. No JSON and no list of a caller has both.
function isTemplate(value: unknown): value is TemplateStringsArray {
  return (
    Array.isArray(value) &&
    Object.isFrozen(value) &&
    Object.hasOwn(value, "raw") &&
    Object.isFrozen((value as unknown as TemplateStringsArray).raw)
  );
}

function textOf(template: unknown, holes: readonly unknown[]): RawNodeText {
  if (!isTemplate(template) || template.length !== holes.length + 1)
    throw refused(`raw text is a template of the program, raw(schema)\`…\`, not ${describeType(template)}`);
  const texts: readonly (string | undefined)[] = template;
  if (!texts.every((text) => typeof text === "string"))
    throw refused("raw text holds an escape that JavaScript does not know: write \\\\ for a backslash");
  return Object.freeze({ texts: template, holes: Object.freeze(holes.map(operandOf)) });
}

function textsOf(texts: unknown): Readonly<Partial<Record<Dialect, RawNodeText>>> {
  const read = readParts(texts);
  if (read === undefined) throw refused(`raw takes a text for each dialect, not ${describeType(texts)}`);
  const byDialect: Partial<Record<Dialect, RawNodeText>> = {};
  for (const [dialect, fragment] of Object.entries(read)) {
    const text = Fragment.textOf(fragment);
    if (!isDialect(dialect) || text === undefined)
      throw refused(`raw takes { ${dialects.join(", ")} }, each a raw\`…\``);
    byDialect[dialect] = text;
  }
  return Object.freeze(byDialect);
}

function isDialect(name: string): name is Dialect {
  return dialects.some((dialect) => dialect === name);
}

function refused(message: string): BuildError {
  return new BuildError([{ code: "INVALID_CONDITION", message, path: "" }]);
}
