/**
 * Compares a value with the table of shapes: known fields must have their JSON type, unknown ones pass. It does not
 * check whether a description makes sense: required fields, names, references.
 */

import { describeType, quoted } from "../core/errors.js";
import { isObject } from "../core/values.js";
import { FIELDS, type FieldType, type FixedName, PATTERNS, type PatternName } from "./shapes.js";

/** How a value differs from its shape. */
export interface Difference {
  readonly code: "WRONG_TYPE" | "UNSUPPORTED_VERSION";
  /** The expected and the found type, in words. */
  readonly problem: string;
}

/**
 * Where a value differs from its shape: as a whole, or in parts, by their keys and indexes. It is a tree, because a
 * text of some megabytes can contain a hundred thousand differences with paths of hundreds of keys.
 */
export type Differences = Difference | DifferentParts;
type DifferentParts = ReadonlyMap<string | number, Differences>;

/** Whether a value differs as a whole. */
export function isDifference(differences: Differences): differences is Difference {
  return "code" in differences;
}

/** The options of a check. */
interface CheckContext {
  /** Whether a `null` in a list under `type` means `"null"`, as YAML authors intend; it is replaced. */
  readonly nullTypes: boolean;
  /** How many more differences may be found; with 1 the check ends at the first. */
  left: number;
}

/**
 * Checks a value as a whole description. For an unsupported version that is the only difference.
 * @param asked `left` is 0 afterwards if there may be more differences than requested.
 */
export function checkDescription(value: unknown, asked: CheckContext): Differences | undefined {
  return checkVersion(value) ?? check(value, shapeOf("OpenAPI"), asked);
}

const VERSION = /^3\.[12]\.\d+(?:-.+)?$/;

/** Checked first: in a description of another version, correct fields would look wrong. */
function checkVersion(value: unknown): Differences | undefined {
  if (!isObject(value)) return undefined;
  const wrong = (found: string): Difference => ({
    code: "UNSUPPORTED_VERSION",
    problem: `expected the version under "openapi", 3.1.x or 3.2.x in quotes, found ${found}`,
  });
  if (!Object.hasOwn(value, "openapi"))
    return wrong(Object.hasOwn(value, "swagger") ? "a Swagger 2 description" : "none");
  const { openapi: version } = value;
  if (typeof version === "string" && VERSION.test(version)) return undefined;
  return new Map([["openapi", wrong(typeof version === "string" ? quoted(version) : describeType(version))]]);
}

type Shape =
  | { readonly is: "any" | "string" | "number" | "boolean" | "types"; readonly expected: string }
  | { readonly is: "list" | "map"; readonly expected: string; readonly of: Shape }
  | ObjectShape;

interface ObjectShape {
  readonly is: "object";
  readonly expected: string;
  readonly orBoolean: boolean;
  /** Its shape if it has a `$ref`. */
  readonly reference: Shape | undefined;
  readonly fields: Map<string, Shape>;
  /** The shape of values under keys that match but are not fixed fields; set once. */
  others: { readonly keys: RegExp; readonly of: Shape } | undefined;
}

function check(value: unknown, shape: Shape, asked: CheckContext): Differences | undefined {
  switch (shape.is) {
    case "any":
      return undefined;
    case "string":
    case "boolean":
      return typeof value === shape.is ? undefined : different(value, shape, asked);
    case "number":
      return typeof value === "number" || typeof value === "bigint"
        ? undefined
        : different(value, shape, asked);
    case "types":
      return checkTypes(value, shape, asked);
    case "list":
      if (!Array.isArray(value)) return different(value, shape, asked);
      return checkItems(value, shape.of, asked);
    case "map": {
      if (!isObject(value)) return different(value, shape, asked);
      let parts: Parts | undefined;
      for (const key in value) {
        const found = check(value[key], shape.of, asked);
        if (found === undefined) continue;
        parts = withPart(parts, key, found);
        if (asked.left === 0) return parts;
      }
      return parts;
    }
    case "object":
      if (!isObject(value))
        return shape.orBoolean && typeof value === "boolean" ? undefined : different(value, shape, asked);
      if (shape.reference !== undefined && Object.hasOwn(value, "$ref"))
        return check(value, shape.reference, asked);
      return checkFields(value, shape, asked);
  }
}

function checkItems(value: readonly unknown[], of: Shape, asked: CheckContext): Differences | undefined {
  let parts: Parts | undefined;
  for (let i = 0; i < value.length; i++) {
    const found = check(value[i], of, asked);
    if (found === undefined) continue;
    parts = withPart(parts, i, found);
    if (asked.left === 0) return parts;
  }
  return parts;
}

function checkFields(
  value: Record<string, unknown>,
  shape: ObjectShape,
  asked: CheckContext,
): Differences | undefined {
  let parts: Parts | undefined;
  for (const key in value) {
    const field = shape.fields.get(key) ?? (shape.others?.keys.test(key) ? shape.others.of : undefined);
    if (field === undefined || field.is === "any") continue;
    const part = value[key];
    if (typeof part === "string" && field.is === "string") continue;
    const found = check(part, field, asked);
    if (found === undefined) continue;
    parts = withPart(parts, key, found);
    if (asked.left === 0) return parts;
  }
  return parts;
}

function checkTypes(value: unknown, shape: Shape, asked: CheckContext): Differences | undefined {
  if (typeof value === "string") return undefined;
  if (!Array.isArray(value)) return different(value, shape, asked);
  let parts: Parts | undefined;
  for (let i = 0; i < value.length; i++) {
    if (typeof value[i] === "string") continue;
    if (asked.nullTypes && value[i] === null) {
      value[i] = "null";
      continue;
    }
    parts = withPart(parts, i, different(value[i], { expected: '"null" or another name' }, asked));
    if (asked.left === 0) return parts;
  }
  return parts;
}

function different(value: unknown, shape: { readonly expected: string }, asked: CheckContext): Difference {
  asked.left--;
  return { code: "WRONG_TYPE", problem: `expected ${shape.expected}, found ${describeType(value)}` };
}

type Parts = Map<string | number, Differences>;

function withPart(parts: Parts | undefined, key: string | number, found: Differences): Parts {
  return (parts ?? new Map<string | number, Differences>()).set(key, found);
}

// Shapes are made from the table when they are first needed, and kept. Objects refer to each other.
const shapes = new Map<string, Shape>();

function shapeOf(type: string): Shape {
  let shape = shapes.get(type);
  if (shape === undefined) {
    shape = makeShape(type);
    shapes.set(type, shape);
  }
  return shape;
}

function makeShape(type: string): Shape {
  if (type.endsWith("[]")) {
    const of = type.slice(0, -2);
    return { is: "list", expected: `a list of ${inWords(of)}`, of: shapeOf(of) };
  }
  if (type.startsWith("{")) {
    const of = type.slice(1, -1);
    return { is: "map", expected: `an object (names to ${inWords(of)})`, of: shapeOf(of) };
  }
  switch (type) {
    case "any":
    case "string":
    case "number":
      return { is: type, expected: `a ${type}` };
    case "boolean":
      return { is: type, expected: "true or false" };
    case "types":
      return { is: type, expected: 'the name of a type (in YAML "null" in quotes) or a list of names' };
    default:
      return makeObject(type);
  }
}

function makeObject(type: string): Shape {
  const [name = "", reference] = type.split("|", 2);
  const orBoolean = name === "Schema";
  const shape: ObjectShape = {
    is: "object",
    expected: `an object (${inWords(type)})${orBoolean ? " or a boolean" : ""}`,
    orBoolean,
    reference: reference === undefined ? undefined : shapeOf(reference),
    fields: new Map(),
    others: undefined,
  };
  // Kept before its fields are made, because they may lead back to it.
  shapes.set(type, shape);
  if (isPatternName(name)) {
    shape.others = { keys: PATTERNS[name].keys, of: shapeOf(PATTERNS[name].of) };
  } else if (isFixedName(name)) {
    for (const [field, of] of Object.entries<FieldType>(FIELDS[name])) shape.fields.set(field, shapeOf(of));
  }
  return shape;
}

const isFixedName = (name: string): name is FixedName => Object.hasOwn(FIELDS, name);
const isPatternName = (name: string): name is PatternName => Object.hasOwn(PATTERNS, name);
const inWords = (type: string): string => type.replace("|", " or ").replace("any", "values");
