/**
 * A Zod object of a spec with a check before it. The check sees the spec as a whole, makes a frozen copy, and
 * validates it as the builders do: with the path of each problem, and before any recursive walk.
 */

import type { ZodObject } from "zod";
import * as z from "zod";
import type { $constructor, $ZodLooseShape, $ZodObjectDef, $ZodRawIssue, ParsePayload } from "zod/v4/core";
import { frozenCopy } from "../ast/copy.js";
import { keysOf, pathTo } from "../ast/path.js";
import { unknownKey } from "../resolve/scope/resolution.js";
import { BuildError, type Problem } from "../words/errors.js";

/** The check before a spec. */
interface SpecCheck {
  /** The problems of a copied spec. */
  readonly problemsOf: (spec: object) => readonly Problem[];
  /** The maximum number of values in a spec. */
  readonly mostValues: number;
  /** The limit if only its parameter is given: the maximum of the parameter. */
  readonly mostByParam: number | undefined;
  /** The spec completed by the program after validation; absent if it adds nothing. */
  readonly completed?: ((spec: object) => object) | undefined;
}

/** The schema of a spec with these keys. Keys added by `extend` skip the check. */
export function checkedObject(shape: $ZodLooseShape, check: SpecCheck): ZodObject {
  const checked: CheckedDef = {
    type: "object",
    shape,
    catchall: z.never(),
    check,
    keys: new Set(Object.keys(shape)),
    // Zod does not precompile a schema that changes its input. This schema does, and a compiled version would
    // skip the check.
    coerce: true,
  };
  return new CheckedObject(checked);
}

interface CheckedDef extends $ZodObjectDef {
  readonly check: SpecCheck;
  /** The keys of the spec. */
  readonly keys: ReadonlySet<string>;
  readonly coerce: true;
}

// A custom class, defined in Zod's way: `extend` and similar methods keep the check.
const CheckedObject: $constructor<ZodObject, CheckedDef> = /* @__PURE__ */ z.core.$constructor(
  "RowtypeSpec",
  (inst: ZodObject, def: CheckedDef) => {
    const init: (inst: ZodObject, def: $ZodObjectDef) => void = z.ZodObject.init;
    init(inst, def);
    const { parse } = inst._zod;
    inst._zod.parse = (payload, ctx) => {
      const given: unknown = payload.value;
      if (typeof given !== "object" || given === null || Array.isArray(given)) return parse(payload, ctx);
      const { value, hasParamOnly, problems } = admit(given, def);
      if (problems.length > 0) {
        payload.issues.push(...problems.map((problem) => issueOf(problem, given, inst)));
        return payload;
      }
      payload.value = value;
      const result = parse(payload, ctx);
      const { mostByParam, completed } = def.check;
      if (!hasParamOnly && completed === undefined) return result;
      const finish = (done: ParsePayload) => {
        if (done.issues.length > 0 || typeof done.value !== "object" || done.value === null) return done;
        if (hasParamOnly) done.value = withLimit(done.value, mostByParam);
        if (completed !== undefined) done.value = completed(done.value as object);
        return done;
      };
      return result instanceof Promise ? result.then(finish) : finish(result);
    };
  },
);

interface Admitted {
  readonly value: Record<string, unknown>;
  /** Whether the spec has a limit parameter, and no limit. */
  readonly hasParamOnly: boolean;
  readonly problems: readonly Problem[];
}

function admit(given: object, { shape, catchall, check, keys }: CheckedDef): Admitted {
  const spec: Record<string, unknown> = {};
  const rest: Record<string, unknown> = {};
  const problems: Problem[] = [];
  const refuse = (key: string, message: string) => {
    problems.push({ code: "INVALID_SPEC", message, path: pathTo("", key) });
  };
  try {
    for (const key of Object.keys(given)) {
      const isKnown = Object.hasOwn(shape, key);
      const value: unknown = Reflect.get(given, key);
      if (isKnown && keys.has(key)) spec[key] = value;
      else if (key !== "__proto__" && (isKnown || catchall?._zod.def.type !== "never")) rest[key] = value;
      else if (problems.length < MAX_ISSUES) refuse(key, unknownKey(key, Object.keys(shape)));
    }
    // A frozen copy of an object of plain values.
    const copy = frozenCopy(spec, check.mostValues) as Readonly<Record<string, unknown>>;
    // Keys that a client may not send are refused before any name in them is looked up.
    if (problems.length === 0) problems.push(...check.problemsOf(copy).slice(0, MAX_ISSUES));
    const hasParamOnly = copy["limit_param"] !== undefined && copy["limit"] === undefined;
    return { value: { ...copy, ...rest }, hasParamOnly, problems };
  } catch (error) {
    // Keys that an extension adds are read here too; their getters may throw anything.
    if (error instanceof BuildError) problems.push(...error.problems);
    else problems.push({ code: "INVALID_SPEC", message: "a spec that cannot be read", path: "" });
    return { value: {}, hasParamOnly: false, problems };
  }
}

const MAX_ISSUES = 50;

function issueOf({ code, message, path = "" }: Problem, input: unknown, inst: ZodObject): $ZodRawIssue {
  return { code: "custom", path: keysOf(path), message, params: { code }, input, inst };
}

// The default limit is for specs without a limit. A `limit_param` may request up to the maximum.
function withLimit(spec: object, most: number | undefined): object {
  const { limit: _, ...others }: { limit?: unknown } = spec;
  return most === undefined ? others : { ...others, limit: most };
}
