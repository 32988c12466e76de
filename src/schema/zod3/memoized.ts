/**
 * Like `memoized`, for `zod/v3`: copies of schemas that run each of their parts once for a value. Zod 3 tries every
 * variant of a union completely, and remembers nothing.
 */

import { isRepeating } from "../repeats.js";
import { childrenOfZod3, lazyZod3, type Zod3Def, type Zod3Schema, zod3Def } from "./schema.js";

/** The context that Zod 3 passes from a schema to its inner schemas. */
interface Context {
  readonly common: Common;
  readonly path: readonly PropertyKey[];
  readonly parent: Context | null;
  readonly data: unknown;
  readonly schemaErrorMap?: unknown;
}

interface Common {
  readonly issues: unknown[];
  readonly async: boolean;
  readonly contextualErrorMap?: unknown;
  [MEMORY]?: MemoryZod3;
}

interface Input {
  readonly data: unknown;
  readonly path: readonly PropertyKey[];
  readonly parent: Context;
}

type Result = { readonly status: "valid" | "dirty" | "aborted"; readonly value?: unknown };

/** How Zod 3 runs a schema, inside another one and alone. */
interface Running {
  _parse(input: Input): Result | Promise<Result>;
}

type Outcome = { readonly result: Result | Promise<Result>; readonly issues: readonly unknown[] };

/** The outcomes of one run, or of several runs over the same values. */
export type MemoryZod3 = Map<Running, Map<object, Outcome | undefined>>;

const MEMORY: unique symbol = Symbol("rowtype.memory");

const copies = new WeakMap<Zod3Schema, Zod3Schema>();

/** The copy of a schema, the same each time: copies of schemas that share a part share its copy. */
function memoizedZod3(schema: Zod3Schema): Zod3Schema {
  const known = copies.get(schema);
  if (known !== undefined) return known;
  const parts = partsOf(zod3Def(schema));
  const copy = parts === undefined ? schema : runOnce(rebuilt(schema, parts));
  copies.set(schema, copy);
  return copy;
}

/** The schema to run: its memoized copy if the work could grow with each level of a value, or the schema itself. */
export function boundedWorkZod3(schema: Zod3Schema): Zod3Schema {
  let repeats = repeating.get(schema);
  if (repeats === undefined) {
    repeats = isRepeating(schema, { inner: childrenOfZod3, branches: branchesOf });
    repeating.set(schema, repeats);
  }
  return repeats ? memoizedZod3(schema) : schema;
}

const repeating = new WeakMap<Zod3Schema, boolean>();

/** The inner schemas that run for the same value. */
function branchesOf(schema: Zod3Schema): readonly Zod3Schema[] {
  const { typeName } = zod3Def(schema);
  return typeName === "ZodUnion" || typeName === "ZodIntersection" || typeName === "ZodPipeline"
    ? childrenOfZod3(schema)
    : [];
}

/** Whether a value passes, using a memory; `undefined` if the schema needs a promise to decide. */
export function passesZod3(schema: Zod3Schema, value: unknown, memory: MemoryZod3): boolean | undefined {
  const common: Common = { issues: [], async: false, [MEMORY]: memory };
  const parent: Context = { common, path: [], parent: null, data: value };
  try {
    const result = running(memoizedZod3(schema))._parse({ data: value, path: [], parent });
    return result instanceof Promise ? undefined : result.status === "valid";
  } catch {
    return undefined;
  }
}

function running(schema: Zod3Schema): Running {
  // Every schema of Zod 3 has these methods.
  return schema as Zod3Schema & Running;
}

/** The definition of the copy, if there are inner schemas. Fields and lazies are read when a value comes. */
function partsOf(def: Zod3Def): object | undefined {
  const { shape, options, items } = def;
  const parts: Record<string, unknown> = {};
  for (const name of ONE) {
    const part = def[name];
    if (typeof part === "object" && part !== null) parts[name] = memoizedZod3(part);
  }
  if (shape !== undefined) {
    let fields: Readonly<Record<string, Zod3Schema>> | undefined;
    parts["shape"] = () => {
      fields ??= Object.fromEntries(
        Object.entries(shape()).map(([key, field]) => [key, memoizedZod3(field)]),
      );
      return fields;
    };
  }
  if (def.typeName === "ZodTuple" && items !== undefined) parts["items"] = items.map(memoizedZod3);
  if (options !== undefined) parts["options"] = [...options.values()].map(memoizedZod3);
  if (def.optionsMap !== undefined)
    parts["optionsMap"] = new Map([...def.optionsMap].map(([tag, option]) => [tag, memoizedZod3(option)]));
  const inner = lazyZod3(def) === undefined ? undefined : () => lazyZod3(def);
  if (inner !== undefined) parts["getter"] = () => memoizedZod3(inner() as Zod3Schema);
  return Object.keys(parts).length === 0 ? undefined : { ...def, ...parts };
}

const ONE = [
  "innerType",
  "schema",
  "in",
  "out",
  "type",
  "keyType",
  "valueType",
  "catchall",
  "rest",
  "left",
  "right",
] as const;

function rebuilt(schema: Zod3Schema, def: object): Zod3Schema {
  // All classes of Zod 3 are made from their definition.
  const Class = schema.constructor as new (def: object) => Zod3Schema;
  return new Class(def);
}

function runOnce(schema: Zod3Schema): Zod3Schema {
  const own = running(schema);
  const parse = own._parse.bind(own);
  own._parse = (input) => {
    const { data, parent } = input;
    const { common } = parent;
    if (typeof data !== "object" || data === null) return parse(input);
    common[MEMORY] ??= new Map();
    const outcomes = common[MEMORY].get(own) ?? new Map<object, Outcome | undefined>();
    common[MEMORY].set(own, outcomes);
    const known = outcomes.get(data);
    // A value that contains itself is left to Zod.
    if (known === undefined && outcomes.has(data)) return parse(input);
    if (known !== undefined) return told(known, common);
    outcomes.set(data, undefined);
    const issues: unknown[] = [];
    // The path to the value is made when an issue reads it.
    const apart: Input = Object.create(input, {
      parent: { value: { ...parent, common: { ...common, issues } } },
    });
    const result = parse(apart);
    const outcome: Outcome = { result, issues };
    outcomes.set(data, outcome);
    return told(outcome, common);
  };
  return schema;
}

/** Issues contain the whole path to a value, and a part of a value from JSON has only one place. */
function told({ result, issues }: Outcome, common: Common): Result | Promise<Result> {
  const tell = (ended: Result): Result => {
    common.issues.push(...issues);
    return ended;
  };
  return result instanceof Promise ? result.then(tell) : tell(result);
}
