/** Resolves paths into JSON columns: their targets by the schema of the column, and the values there. */
import { listed, quoted } from "../../../core/errors.js";
import type { OperandNode, PathNode } from "../../ast/expression.js";
import { textFor } from "../../dialect/grammar/declared.js";
import type { MemberForm } from "../../dialect/grammar/paths.js";
import { isCleanText } from "../../kind/faults.js";
import { type MemberEnd, memberEnd } from "../../value/member.js";
import type { PathKey } from "../../words/paths.js";
import type { Resolution } from "../scope/resolution.js";
import type { Literal, ResolvedCall, ResolvedCondition, ResolvedExpression } from "../scope/resolved.js";
import { isStoredField, nameOf, type ResolvedValue } from "../scope/result.js";

const MOST_STEPS = 30;
const LONGEST_KEY = 1_000;
// The greatest position in a list that every server reads.
const MOST_PLACES = 2 ** 31 - 1;

/** Resolves a path. */
export function resolvePath(node: PathNode, path: string, resolution: Resolution): ResolvedValue | undefined {
  const { of, keys } = joined(node);
  const document = resolution.node(of, path);
  const steps = stepsOf(keys, path, resolution);
  if (document === undefined || steps === undefined) return undefined;
  const { storage, schema } = document;
  if (storage.kind !== "json" || schema === undefined) {
    const message = `path takes a field of JSON, ${nameOf(document)} holds ${storage.kind}`;
    resolution.add("INVALID_OPERATOR", message, path);
    return undefined;
  }
  requireReached(steps, path, resolution);
  const end = endOf(document, steps, path, resolution);
  return end === undefined ? undefined : memberAt(document, steps, end, resolution);
}

// A path inside a path is one path.
function joined({ of, keys }: PathNode): { readonly of: OperandNode; readonly keys: readonly unknown[] } {
  let from = of;
  let steps: readonly unknown[] = keys;
  while (typeof from === "object" && from.kind === "path") {
    steps = [...from.keys, ...steps];
    from = from.of;
  }
  return { of: from, keys: steps };
}

/** The steps of a path, which an untyped caller may have made. */
export function stepsOf(
  keys: readonly unknown[],
  path: string,
  resolution: Resolution,
): readonly PathKey[] | undefined {
  const refuse = (message: string) => resolution.add("INVALID_FIELD", message, path);
  if (keys.length === 0) refuse("a path needs a step: the name of a member, or a place in a list");
  if (keys.length > MOST_STEPS) refuse(`a path takes at most ${MOST_STEPS} steps`);
  if (keys.length === 0 || keys.length > MOST_STEPS) return undefined;
  const steps = keys.filter(isStep);
  const wrong = keys.find((key) => !isStep(key));
  if (steps.length < keys.length)
    refuse(
      `${quoted(wrong)} is not a step of a path: a name of up to ${LONGEST_KEY} characters without NUL, or a place in a list from 0`,
    );
  return steps.length < keys.length ? undefined : steps;
}

function isStep(key: unknown): key is PathKey {
  if (typeof key === "string") return key.length <= LONGEST_KEY && isCleanText(key);
  return typeof key === "number" && Number.isInteger(key) && key >= 0 && key <= MOST_PLACES;
}

/** Adds a problem for a name that the dialect does not find. */
export function requireReached(steps: readonly PathKey[], path: string, resolution: Resolution): void {
  const { misses } = resolution.grammar.expressions.paths;
  if (misses === undefined || !steps.some((step) => typeof step === "string" && misses.name(step))) return;
  resolution.unsupported(misses.feature, misses.hint, path);
}

/** The target of a path in a document. Adds a problem for a step that leads nowhere. */
export function endOf(
  document: ResolvedValue,
  steps: readonly PathKey[],
  path: string,
  resolution: Resolution,
): MemberEnd | undefined {
  const found = memberEnd(document.schema, steps);
  if ("end" in found) return { ...found.end, nullable: found.end.nullable || document.nullable };
  const { before, names, closed } = found.lost;
  const place = [nameOf(document), ...steps.slice(0, before).map(quoted)].join(" → ");
  const known = names.length === 0 ? "" : `; names: ${listed(names)}`;
  const message =
    closed === undefined
      ? `no step ${quoted(steps[before])} in ${place}${known}`
      : `no path leads into ${place}: ${closed}`;
  resolution.add("INVALID_FIELD", message, path);
  return undefined;
}

function memberAt(
  document: ResolvedValue,
  steps: readonly PathKey[],
  { schema, nullable, storage }: MemberEnd,
  resolution: Resolution,
): ResolvedValue {
  const as = (form: MemberForm) => readAs(form, document, steps, resolution);
  const whole: ResolvedValue = { expression: as("json"), storage: { kind: "json" }, nullable, schema };
  if (storage.kind === "json") return whole;
  const form = storage.kind === "number" && storage.integer === true ? "integer" : storage.kind;
  return { expression: as(form), storage, nullable, selected: whole };
}

function readAs(
  form: MemberForm,
  document: ResolvedValue,
  steps: readonly PathKey[],
  resolution: Resolution,
): ResolvedExpression {
  const { paths } = resolution.grammar.expressions;
  const operands = [documentOf(document, resolution)];
  const read = (template: string, keys: readonly PathKey[]): ResolvedCall => {
    const text: Literal = { kind: "literal", sql: paths.steps(keys) };
    return { kind: "call", template, operands, separator: "", params: [text] };
  };
  const value = read(paths.member[form], steps);
  const { isList } = paths;
  if (isList === undefined) return value;
  const lists = steps.flatMap((step, i): ResolvedCondition | readonly [] =>
    typeof step === "number" ? { kind: "truth", text: read(isList, steps.slice(0, i)) } : [],
  );
  if (lists.length === 0) return value;
  const condition: ResolvedCondition = { kind: "group", logic: "AND", members: lists };
  return { kind: "case", whens: [{ condition, result: value }], otherwise: undefined };
}

/** A JSON value in the form that paths start from. */
export function documentOf({ expression }: ResolvedValue, { grammar }: Resolution): ResolvedExpression {
  const { paths } = grammar.expressions;
  const column = isStoredField(expression)
    ? expression.column
    : expression.kind === "proposed"
      ? expression.field.column
      : undefined;
  const type = column === undefined ? "json" : textFor(column.type, grammar.dialect);
  return within(paths.document(type), expression);
}

/** An expression in a template; the expression itself if the template contains nothing else. */
export function within(template: string, expression: ResolvedExpression): ResolvedExpression {
  if (template === "{f}") return expression;
  return { kind: "call", template, operands: [expression], separator: "", params: [] };
}
