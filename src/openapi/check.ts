/**
 * Holds a value against the table of shapes: known fields must have their JSON type, what is unknown passes.
 * It does not ask whether a description makes sense: required fields, names, references.
 */
import { describeType, quoted } from "../core/errors.js";
import { FIELDS, type FieldType, type FixedName, PATTERNS, type PatternName } from "./shapes.js";

/** Where a value differs from its shape. */
export interface Mismatch {
  readonly code: "WRONG_TYPE" | "UNSUPPORTED_VERSION";
  /** Leads from the checked value to the one that differs. */
  readonly path: (string | number)[];
  /** What was expected and what was found, in words. */
  readonly problem: string;
}

/**
 * Checks a value as a whole description and gives the first difference.
 * @param nullTypes whether a `null` in a list under `type` stands for `"null"`, as YAML authors mean it; it is replaced.
 */
export function checkDescription(value: unknown, nullTypes: boolean): Mismatch | undefined {
  return checkVersion(value) ?? check(value, shapeOf("OpenAPI"), nullTypes);
}

const VERSION = /^3\.[12]\.\d+(?:-.+)?$/;

/** Asked first: in a description of another version other things would look wrong. */
function checkVersion(value: unknown): Mismatch | undefined {
  if (!isObject(value)) return undefined;
  const wrong = (path: string[], found: string): Mismatch => ({
    code: "UNSUPPORTED_VERSION",
    path,
    problem: `expected the version under "openapi", 3.1.x or 3.2.x in quotes, found ${found}`,
  });
  if (!Object.hasOwn(value, "openapi")) {
    return wrong([], Object.hasOwn(value, "swagger") ? "a Swagger 2 description" : "none");
  }
  const { openapi: version } = value;
  if (typeof version !== "string") return wrong(["openapi"], describeType(version));
  return VERSION.test(version) ? undefined : wrong(["openapi"], quoted(version));
}

type Shape =
  | { readonly is: "any" | "string" | "number" | "boolean" | "types"; readonly expected: string }
  | { readonly is: "list" | "map"; readonly expected: string; readonly of: Shape }
  | ObjectShape;

interface ObjectShape {
  readonly is: "object";
  readonly expected: string;
  readonly orBoolean: boolean;
  /** What it is when it has a `$ref`. */
  readonly reference: Shape | undefined;
  readonly fields: Map<string, Shape>;
  /** What stands under keys that are no fixed fields but match; set once. */
  others: { readonly keys: RegExp; readonly of: Shape } | undefined;
}

function check(value: unknown, shape: Shape, nullTypes: boolean): Mismatch | undefined {
  switch (shape.is) {
    case "any":
      return undefined;
    case "string":
    case "boolean":
      return typeof value === shape.is ? undefined : mismatch(value, shape);
    case "number":
      return typeof value === "number" || typeof value === "bigint" ? undefined : mismatch(value, shape);
    case "types":
      return checkTypes(value, shape, nullTypes);
    case "list":
      if (!Array.isArray(value)) return mismatch(value, shape);
      for (let i = 0; i < value.length; i++) {
        const found = check(value[i], shape.of, nullTypes);
        if (found !== undefined) return within(i, found);
      }
      return undefined;
    case "map":
      if (!isObject(value)) return mismatch(value, shape);
      for (const key in value) {
        const found = check(value[key], shape.of, nullTypes);
        if (found !== undefined) return within(key, found);
      }
      return undefined;
    case "object": {
      if (!isObject(value)) {
        return shape.orBoolean && typeof value === "boolean" ? undefined : mismatch(value, shape);
      }
      if (shape.reference !== undefined && Object.hasOwn(value, "$ref")) {
        return check(value, shape.reference, nullTypes);
      }
      for (const key in value) {
        const field = shape.fields.get(key) ?? (shape.others?.keys.test(key) ? shape.others.of : undefined);
        if (field === undefined || field.is === "any") continue;
        const part = value[key];
        if (typeof part === "string" && field.is === "string") continue;
        const found = check(part, field, nullTypes);
        if (found !== undefined) return within(key, found);
      }
      return undefined;
    }
  }
}

function checkTypes(value: unknown, shape: Shape, nullTypes: boolean): Mismatch | undefined {
  if (typeof value === "string") return undefined;
  if (!Array.isArray(value)) return mismatch(value, shape);
  for (let i = 0; i < value.length; i++) {
    if (nullTypes && value[i] === null) value[i] = "null";
    else if (typeof value[i] !== "string")
      return within(i, mismatch(value[i], { expected: '"null" or another name' }));
  }
  return undefined;
}

const mismatch = (value: unknown, shape: { readonly expected: string }): Mismatch => ({
  code: "WRONG_TYPE",
  path: [],
  problem: `expected ${shape.expected}, found ${describeType(value)}`,
});

function within(key: string | number, found: Mismatch): Mismatch {
  found.path.unshift(key);
  return found;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// Shapes are made from the table when they are first needed, and kept; objects refer to each other.
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
  // Kept before its fields are made, since they may lead back to it.
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
