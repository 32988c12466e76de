/**
 * A Zod object of a spec, with a gate before it. The gate sees the spec as a whole, takes a copy that cannot change,
 * and refuses it by the check that builders use: with the path to each place, and before anything recursive walks it.
 */
import * as z from "zod";
import { frozenCopy } from "../ast/copy.js";
import { keysOf, pathTo } from "../ast/path.js";
import { unknownKey } from "../resolve/resolution.js";
import { BuildError, type Problem } from "../words/errors.js";

/** What stands before a spec. */
export interface Gate {
  /** What is wrong with a copy of a spec. */
  readonly problemsOf: (spec: object) => readonly Problem[];
  /** How many values a spec may hold. */
  readonly mostValues: number;
  /** What the limit is where only its parameter is given: the most that it can ask for. */
  readonly mostByParam: number | undefined;
}

/** The schema of a spec with these keys. It can be extended by others, which pass the gate as they are. */
export function gatedObject(shape: z.core.$ZodLooseShape, gate: Gate): z.ZodObject {
  const gated: GatedDef = {
    type: "object",
    shape,
    catchall: z.never(),
    gate,
    keys: new Set(Object.keys(shape)),
    // Zod compiles no schema ahead of time that changes its input. This one does, and compiled it had no gate.
    coerce: true,
  };
  return new GatedObject(gated);
}

interface GatedDef extends z.core.$ZodObjectDef {
  readonly gate: Gate;
  /** The keys of the spec. */
  readonly keys: ReadonlySet<string>;
  readonly coerce: true;
}

// A class of its own, in the way in which Zod makes all of its classes: `extend` and the like keep the gate.
const GatedObject: z.core.$constructor<z.ZodObject, GatedDef> = /* @__PURE__ */ z.core.$constructor(
  "RowtypeSpec",
  (inst: z.ZodObject, def: GatedDef) => {
    const init: (inst: z.ZodObject, def: z.core.$ZodObjectDef) => void = z.ZodObject.init;
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
      if (!hasParamOnly) return result;
      const finish = (done: z.core.ParsePayload) => withLimit(done, def.gate.mostByParam);
      return result instanceof Promise ? result.then(finish) : finish(result);
    };
  },
);

interface Admitted {
  readonly value: Record<string, unknown>;
  /** Whether there is a parameter of the limit, and no limit. */
  readonly hasParamOnly: boolean;
  readonly problems: readonly Problem[];
}

function admit(given: object, { shape, catchall, gate, keys }: GatedDef): Admitted {
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
    const copy = frozenCopy(spec, gate.mostValues) as Readonly<Record<string, unknown>>;
    problems.push(...gate.problemsOf(copy).slice(0, MAX_ISSUES));
    const hasParamOnly = copy["limit_param"] !== undefined && copy["limit"] === undefined;
    return { value: { ...copy, ...rest }, hasParamOnly, problems };
  } catch (error) {
    // Keys that an extension adds are read here too, and a getter may throw anything.
    if (error instanceof BuildError) problems.push(...error.problems);
    else problems.push({ code: "INVALID_SPEC", message: "a spec that cannot be read", path: "" });
    return { value: {}, hasParamOnly: false, problems };
  }
}

const MAX_ISSUES = 50;

function issueOf(
  { code, message, path = "" }: Problem,
  input: unknown,
  inst: z.ZodObject,
): z.core.$ZodRawIssue {
  return { code: "custom", path: keysOf(path), message, params: { code }, input, inst };
}

// The default limit is for who says nothing of one. A parameter says something, and may ask for the most there is.
function withLimit(result: z.core.ParsePayload, most: number | undefined): z.core.ParsePayload {
  const { value } = result;
  if (result.issues.length > 0 || typeof value !== "object" || value === null) return result;
  const { limit: _, ...others }: { limit?: unknown } = value;
  result.value = most === undefined ? others : { ...others, limit: most };
  return result;
}
