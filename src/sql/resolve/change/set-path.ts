/** Resolves the values that are set inside a JSON field. */
import { describeType, quoted } from "../../../core/errors.js";
import type { SetPath, SetPaths } from "../../ast/builder-parts.js";
import { textFor } from "../../dialect/grammar/declared.js";
import { memberBinder } from "../../value/binder.js";
import type { PathKey } from "../../words/paths.js";
import { boundTo, placeOf } from "../expression/param.js";
import { documentOf, endOf, requireReached, stepsOf, within } from "../expression/path.js";
import type { Resolution } from "../scope/resolution.js";
import type { Field, ParameterPlace, ResolvedCall, ResolvedExpression } from "../scope/resolved.js";
import type { ResolvedValue } from "../scope/result.js";

// A template may contain its document several times, and this document may contain its own.
const MOST_TIMES = 100;

/** A field with new values in it; undefined if one of them has a problem. */
export function resolveSetPaths(
  field: Field,
  { list }: SetPaths,
  path: string,
  resolution: Resolution,
): ResolvedExpression | undefined {
  const { property, storage, type } = field.column;
  // In an upsert this is the stored value.
  const value = resolution.operand(property, path);
  if (value === undefined) return undefined;
  if (storage.kind !== "json") {
    const message = `setPath takes a field of JSON, ${quoted(property)} holds ${storage.kind}`;
    resolution.add("INVALID_OPERATOR", message, path);
    return undefined;
  }
  const known: (readonly PathKey[])[] = [];
  const members = list.flatMap((one) => resolveMember(one, value, known, path, resolution) ?? []);
  if (members.length < list.length) return undefined;
  const { paths } = resolution.grammar.expressions;
  const stored = documentOf(value, resolution);
  let document = stored;
  let times = 1;
  for (const { steps, param } of members) {
    const template = typeof steps.at(-1) === "number" ? paths.set.place : paths.set.name;
    times *= template.split("{f}").length - 1;
    const text = (sql: string) => ({ kind: "literal", sql }) as const;
    const target = text((paths.target ?? paths.steps)(steps));
    const params = [target, param, text(paths.steps(steps.slice(0, -1))), stored];
    const call: ResolvedCall = { kind: "call", template, operands: [document], separator: "", params };
    document = call;
  }
  if (times > MOST_TIMES) {
    const hint = "set fewer of them in one update, or the whole field";
    resolution.unsupported(`setting ${list.length} values inside one field`, hint, path);
    return undefined;
  }
  return within(paths.stored(textFor(type, resolution.grammar.dialect)), document);
}

interface Member {
  readonly steps: readonly PathKey[];
  readonly param: ParameterPlace;
}

/** @param known the other paths that are set. */
function resolveMember(
  { keys, param: given }: SetPath,
  value: ResolvedValue,
  known: (readonly PathKey[])[],
  path: string,
  resolution: Resolution,
): Member | undefined {
  const param = resolution.given(given, path);
  if (!Array.isArray(keys)) {
    resolution.add("INVALID_FIELD", `setPath takes a list of steps, not ${describeType(keys)}`, path);
    return undefined;
  }
  const steps = stepsOf(keys, path, resolution);
  if (steps === undefined) return undefined;
  requireReached(steps, path, resolution);
  // Each assignment sees the value before the update, so a path inside another has no meaning.
  if (known.some((other) => startsWith(other, steps) || startsWith(steps, other)))
    resolution.add("INVALID_FIELD", `${steps.map(quoted).join(" → ")} is set twice`, path);
  known.push(steps);
  const end = endOf(value, steps, path, resolution);
  if (end === undefined || param === undefined) return undefined;
  const { grammar, table } = resolution;
  const target = { storage: value.storage, schema: end.schema, property: steps.join(".") };
  const place = placeOf(param, target.property, { table });
  const binder = boundTo(param, () => memberBinder(target, grammar, place));
  const beside = { storage: { kind: "json" } } as const;
  return { steps, param: { kind: "parameter", ...param, beside, binder, form: undefined } };
}

function startsWith(path: readonly PathKey[], start: readonly PathKey[]): boolean {
  return start.every((step, i) => path[i] === step);
}
