/**
 * Inspects a `zod/v3` schema by its definition, without importing Zod 3: its inner schemas, and its kind without the
 * wrappers.
 */
import type { Issue } from "../issues.js";

/** A `zod/v3` schema, with the few members that are used. */
export interface Zod3Schema {
  readonly _input: unknown;
  readonly _output: unknown;
  readonly _def: object;
  /** @throws if a part of it is asynchronous */
  safeParse(value: unknown): Zod3Result;
  safeParseAsync(value: unknown): Promise<Zod3Result>;
}

/** The result of a Zod 3 schema. */
type Zod3Result = { success: true; data: unknown } | { success: false; error: { issues: readonly Issue[] } };

/** The members that are read from a Zod 3 definition. Each kind has some of these. */
export interface Zod3Def {
  readonly typeName?: string;
  readonly coerce?: boolean;
  readonly description?: string;
  readonly checks?: readonly Zod3Check[];
  readonly values?: readonly unknown[] | Readonly<Record<string, unknown>>;
  readonly value?: unknown;
  readonly discriminator?: string;
  readonly effect?: { readonly type: string };
  readonly shape?: () => Readonly<Record<string, Zod3Schema>>;
  readonly getter?: () => Zod3Schema;
  readonly innerType?: Zod3Schema;
  readonly schema?: Zod3Schema;
  readonly in?: Zod3Schema;
  readonly out?: Zod3Schema;
  readonly type?: Zod3Schema;
  readonly keyType?: Zod3Schema;
  readonly valueType?: Zod3Schema;
  readonly catchall?: Zod3Schema;
  readonly items?: readonly Zod3Schema[];
  readonly rest?: Zod3Schema | null;
  readonly options?: readonly Zod3Schema[];
  readonly optionsMap?: ReadonlyMap<unknown, Zod3Schema>;
  readonly unknownKeys?: string;
  readonly minLength?: Zod3Limit | null;
  readonly maxLength?: Zod3Limit | null;
  readonly exactLength?: Zod3Limit | null;
  readonly minSize?: Zod3Limit | null;
  readonly defaultValue?: () => unknown;
  readonly left?: Zod3Schema;
  readonly right?: Zod3Schema;
}

/** A check of a text or a number. Each kind has some of these. */
interface Zod3Check {
  readonly kind: string;
  readonly value?: unknown;
  readonly inclusive?: boolean;
  readonly regex?: RegExp;
  readonly version?: string;
  readonly local?: boolean;
}

interface Zod3Limit {
  readonly value: number;
}

/** The definition of a schema. */
export function zod3Def(schema: Zod3Schema): Zod3Def {
  // Zod 3 keeps it public, and describes it by a class for each kind.
  return schema._def as Zod3Def;
}

const lazies = new WeakMap<object, Zod3Schema>();

/** The schema inside `z.lazy`. Its function is called once, because it may make a new schema at each call. */
export function lazyZod3(def: Zod3Def): Zod3Schema | undefined {
  if (def.getter === undefined) return undefined;
  const inner = lazies.get(def) ?? def.getter();
  lazies.set(def, inner);
  return inner;
}

/** The schemas inside a schema, one level down. */
export function childrenOfZod3(schema: Zod3Schema): readonly Zod3Schema[] {
  const def = zod3Def(schema);
  const found = [
    ...Object.values(def.shape?.() ?? {}),
    ...(def.typeName === "ZodTuple" ? (def.items ?? []) : []),
    ...(def.options?.values() ?? []),
    def.innerType,
    def.schema,
    def.type,
    def.keyType,
    def.valueType,
    def.catchall,
    def.rest,
    def.left,
    def.right,
    def.in,
    def.out,
    lazyZod3(def),
  ];
  return found.filter((one) => one !== undefined && one !== null && typeof one === "object");
}

/** The schema inside wrappers, effects and pipes that take the same input; a `preprocess` takes any. */
export function peelZod3(schema: Zod3Schema): Zod3Schema {
  let inner = schema;
  for (;;) {
    const next = wrapped(zod3Def(inner));
    if (next === undefined) return inner;
    inner = next;
  }
}

function wrapped(def: Zod3Def): Zod3Schema | undefined {
  switch (def.typeName) {
    case "ZodOptional":
    case "ZodNullable":
    case "ZodDefault":
    case "ZodCatch":
    case "ZodReadonly":
      return def.innerType;
    case "ZodBranded":
      return def.type;
    case "ZodLazy":
      return lazyZod3(def);
    case "ZodPipeline":
      return def.in;
    case "ZodEffects":
      return def.effect?.type === "preprocess" ? undefined : def.schema;
    default:
      return undefined;
  }
}

/** Whether a value passes; `undefined` if the schema needs a promise to decide. */
export function fitsZod3(schema: Zod3Schema, value: unknown): boolean | undefined {
  try {
    return schema.safeParse(value).success;
  } catch {
    return undefined;
  }
}
