/**
 * Stops at the first failures of long lists. Zod validates every item and keeps an issue for each that fails, so a
 * megabyte of wrong items costs it half a second; an answer shows only the first of them. If a value with many items
 * fails, a copy of its schema validates it, which skips the remaining items once enough have failed.
 */
import {
  $ZodArray,
  $ZodNever,
  $ZodObject,
  type $ZodType,
  type $ZodTypes,
  clone,
  safeParse,
  safeParseAsync,
} from "zod/v4/core";
import { innerLazy, someSchema } from "./graph.js";
import { MAX_FIELDS } from "./issues.js";
import { isList, itemCounter } from "./item-count.js";
import { isSynchronous, settled, type Validation, validator } from "./validate.js";

/** What has failed so far, in one value or in one choice of a union. It travels with Zod's own context. */
interface Flood {
  failures: number;
  /** Items were taken as they are, because the value has failed already. */
  isCut: boolean;
}

const FLOOD = Symbol("rowtype.flood");

interface Context {
  readonly [FLOOD]?: Flood;
}

/** Fewer items cost nothing worth saving. */
const MANY = 1_000;

/** As `validator`, but with only as many failures of list items as an answer shows. */
export function floodSafeValidator(schema: $ZodType): ReturnType<typeof validator> {
  const whole = validator(schema);
  const count = itemCounter(schema);
  if (count === undefined) return whole;
  let bounded: ReturnType<typeof validator> | undefined;
  const isQuick = isSynchronous(schema) && stopsEarly();
  return (value) => {
    if (count(value, MANY) >= 0) return whole(value);
    if (isQuick) {
      const result = safeParse(schema, value, EARLY);
      if (result.success) return { ok: true, value: result.data };
    }
    // It fails, or it holds functions of the application, which are not to be called twice.
    bounded ??= boundedValidator(schema, whole);
    return bounded(value);
  };
}

/** What Zod's own `validate` sets: a list is left at its first failure. Where Zod does not know it, it says nothing. */
const EARLY: object = { abortEarly: true };

function stopsEarly(): boolean {
  const never = new $ZodArray({ type: "array", element: new $ZodNever({ type: "never" }) });
  return safeParse(never, [1, 2], EARLY).error?.issues.length === 1;
}

function boundedValidator(
  schema: $ZodType,
  whole: ReturnType<typeof validator>,
): ReturnType<typeof validator> {
  const bounded = rebuilder()(schema);
  // A value whose items were skipped does not pass.
  const finished = (value: unknown, { isCut }: Flood, result: Validation) =>
    result.ok && isCut ? whole(value) : result;
  if (!isSynchronous(schema)) {
    return async (value) => {
      const flood: Flood = { failures: 0, isCut: false };
      return finished(value, flood, settled(await safeParseAsync(bounded, value, contextOf(flood))));
    };
  }
  return (value) => {
    const flood: Flood = { failures: 0, isCut: false };
    return finished(value, flood, settled(safeParse(bounded, value, contextOf(flood))));
  };
}

/** Zod hands its context on to every schema inside, whatever it holds. */
function contextOf(flood: Flood): object {
  return { [FLOOD]: flood } satisfies Context;
}

type Rebuild = (schema: $ZodType) => $ZodType;

/** Rebuilds the schemas that lead to a list, each once; recursive ones reach themselves. */
function rebuilder(): Rebuild {
  const made = new Map<$ZodType, $ZodType>();
  const rebuild: Rebuild = (schema) => {
    const known = made.get(schema);
    if (known !== undefined) return known;
    if (!someSchema(schema, "both", isList)) return schema;
    const rebuilt = withParts(schema, rebuild);
    made.set(schema, rebuilt);
    return rebuilt;
  };
  return rebuild;
}

function withParts(schema: $ZodType, rebuild: Rebuild): $ZodType {
  const def = (schema as $ZodTypes)._zod.def;
  const item = (inner: $ZodType) => itemOf(rebuild(inner));
  switch (def.type) {
    case "array":
      return copy(schema, { element: { value: item(def.element) } });
    case "set":
      return copy(schema, { valueType: { value: item(def.valueType) } });
    case "record":
      // A key that fails may be read as a number, or not be a key of a loose record.
      return copy(schema, { valueType: { value: item(def.valueType) } });
    case "map":
      return copy(schema, {
        keyType: { value: item(def.keyType) },
        valueType: { value: item(def.valueType) },
      });
    case "tuple":
      return copy(schema, {
        items: { value: def.items.map(rebuild) },
        rest: { value: def.rest === null ? null : item(def.rest) },
      });
    case "object":
      return rebuiltObject(schema, rebuild);
    case "union":
      return copy(schema, { options: { value: def.options.map((option) => choiceOf(rebuild(option))) } });
    case "catch":
      return copy(schema, { innerType: { value: choiceOf(rebuild(def.innerType)) } });
    case "intersection":
      return copy(schema, { left: { value: rebuild(def.left) }, right: { value: rebuild(def.right) } });
    case "pipe":
      return copy(schema, { in: { value: rebuild(def.in) }, out: { value: rebuild(def.out) } });
    case "nullable":
    case "optional":
    case "nonoptional":
    case "default":
    case "prefault":
    case "readonly":
      return copy(schema, { innerType: { value: rebuild(def.innerType) } });
    case "lazy":
      return copy(schema, {
        getter: { value: () => rebuild(innerLazy(schema)) },
        // Zod keeps here what the getter gave.
        _cachedInner: { value: undefined, writable: true },
      });
    default:
      return schema;
  }
}

/** The fields are asked for when the first value comes: by then a recursive object is there to be found. */
function rebuiltObject(schema: $ZodType, rebuild: Rebuild): $ZodType {
  if (!(schema instanceof $ZodObject)) return schema;
  const { def } = schema._zod;
  let shape: Record<string, $ZodType> | undefined;
  const fields = () => {
    shape ??= Object.fromEntries(Object.entries(def.shape).map(([key, field]) => [key, rebuild(field)]));
    return shape;
  };
  const catchall = def.catchall === undefined ? {} : { catchall: { value: itemOf(rebuild(def.catchall)) } };
  return copy(schema, { shape: { get: fields }, ...catchall });
}

/** The same schema with other parts. Definitions hold getters (`defaultValue`), which stay getters. */
function copy(schema: $ZodType, parts: PropertyDescriptorMap): $ZodType {
  const def = Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema._zod.def));
  for (const [key, part] of Object.entries(parts))
    Object.defineProperty(def, key, { enumerable: true, configurable: true, ...part });
  // A definition of the same class with parts of the same kind.
  return clone(schema, def as typeof schema._zod.def);
}

type Run = $ZodType["_zod"]["run"];

/** Skips an item once enough have failed; the whole value has failed with them. */
function itemOf(schema: $ZodType): $ZodType {
  const { run } = schema._zod;
  return runBy(schema, (payload, context) => {
    const flood = (context as Context)[FLOOD];
    if (flood === undefined) return run(payload, context);
    if (flood.failures >= MAX_FIELDS) {
      flood.isCut = true;
      return payload;
    }
    const before = flood.failures;
    const result = run(payload, context);
    if (result instanceof Promise || result.issues.length === 0) return result;
    // Items of a list in this item have counted their own.
    flood.failures = Math.max(flood.failures, before + result.issues.length);
    return result;
  });
}

/** What fails in one choice may pass in another: each has its own count. */
function choiceOf(schema: $ZodType): $ZodType {
  const { run } = schema._zod;
  return runBy(schema, (payload, context) => {
    const flood = (context as Context)[FLOOD];
    if (flood === undefined) return run(payload, context);
    const own: Flood = { failures: 0, isCut: false };
    const result = run(payload, { ...context, ...contextOf(own) });
    if (own.isCut) flood.isCut = true;
    return result;
  });
}

/** The same schema, run otherwise. */
function runBy(schema: $ZodType, run: Run): $ZodType {
  const internals: $ZodType["_zod"] = Object.create(schema._zod);
  internals.run = run;
  const by: $ZodType = Object.create(schema);
  return Object.defineProperty(by, "_zod", { value: internals });
}
