/** What a condition names: its fields, its parameters, and what is not of a row alone. */
import type { ConditionNames } from "../words/condition.js";
import { BuilderOnly } from "./builder-only.js";
import { Negated } from "./condition-parts.js";
import { type ExpressionNode, ExpressionOperand } from "./expression.js";

type Found = { readonly [K in keyof ConditionNames]: string[] };

/** The names in the spec of a condition. */
export function namesIn(spec: unknown): ConditionNames {
  const found: Found = { fields: [], params: [], others: [] };
  visit(spec, found);
  return found;
}

const FIELDS: ReadonlySet<string> = new Set(["field", "right_field"]);
const PARAMS: ReadonlySet<string> = new Set(["param", "low_param", "high_param"]);
const QUERIES: ReadonlySet<string> = new Set(["exists", "not_exists", "query"]);

function visit(part: unknown, found: Found): void {
  if (typeof part !== "object" || part === null) return;
  if (Array.isArray(part)) {
    for (const one of part) visit(one, found);
    return;
  }
  const negated = Negated.own(part);
  if (ExpressionOperand.own(part) !== undefined || negated !== undefined) {
    if (negated === undefined) visitOperand(part, found);
    else visit(negated.condition, found);
    return;
  }
  if (BuilderOnly.isOne(part)) {
    found.others.push(part.what);
    return;
  }
  for (const [key, value] of Object.entries(part)) {
    if (QUERIES.has(key)) found.others.push("queries inside others");
    else if (FIELDS.has(key)) visitOperand(value, found);
    else if (PARAMS.has(key) && typeof value === "string") found.params.push(value);
    else visit(value, found);
  }
}

/** The members of nodes that are operands, where a text is the name of a field. */
const OPERANDS: ReadonlySet<string> = new Set([
  ...["operand", "operands", "params", "date", "other", "of", "otherwise", "label", "holes", "field"],
]);

/** The kinds of nodes that are not of a row alone. */
const OF_OTHERS: ReadonlySet<string> = new Set(["aggregate", "window", "window function", "of", "inserted"]);

function visitOperand(given: unknown, found: Found): void {
  if (typeof given === "string") found.fields.push(given);
  else if (Array.isArray(given)) for (const one of given) visitOperand(one, found);
  else visitNode(ExpressionOperand.own(given)?.node ?? given, found);
}

function visitNode(node: unknown, found: Found): void {
  if (typeof node !== "object" || node === null) return;
  const { kind, name, param, condition }: Partial<Record<string, unknown>> = node;
  if (typeof kind === "string" && OF_OTHERS.has(kind)) found.others.push(`${kind}s`);
  if (kind === "field" && typeof name === "string") found.fields.push(name);
  if (kind === "param" && typeof name === "string") found.params.push(name);
  if (typeof param === "string") found.params.push(param);
  if (isLeaf(kind)) return;
  visit(condition, found);
  for (const [key, value] of Object.entries(node)) {
    if (OPERANDS.has(key)) visitOperand(value, found);
    // The whens of a case, and the texts of raw text.
    else if (key === "whens" && Array.isArray(value)) for (const one of value) visitNode(one, found);
    else if (key === "text" && typeof value === "object") visitTexts(value, found);
  }
}

// The values of these are not names.
function isLeaf(kind: unknown): boolean {
  return (["constant", "invalid", "param", "field"] satisfies ExpressionNode["kind"][] as unknown[]).includes(
    kind,
  );
}

// One text, or one for each dialect.
function visitTexts(text: unknown, found: Found): void {
  const { holes }: { readonly holes?: unknown } = Object(text);
  if (holes !== undefined) visitOperand(holes, found);
  else for (const one of Object.values(Object(text))) visitTexts(one, found);
}
