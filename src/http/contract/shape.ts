/** Schemas by name, of the values of a place of a request or of a form: what text can carry, checked when it is declared. */
import { describeType, quoted, readParts } from "../../core/errors.js";
import { readerOf } from "../../schema/reader/reader-of.js";
import type { AnySchema } from "../../schema/schema-reader.js";
import { isSchema } from "./any-schema.js";
import { isKind, misplaced, type ParameterShape, type StyleFacts } from "./kind.js";

/** The words for the owner of a shape, whether other programs add names to it, and whether its values may have styles. */
interface Owner {
  readonly of: string;
  readonly one: string;
  readonly isOpen: boolean;
  readonly hasStyles?: boolean;
}

/** A shape of schemas, or a Zod object, of either Zod version. */
export function readShape(
  given: unknown,
  refuse: (problem: string) => never,
  { of, one, isOpen, hasStyles = false }: Owner,
): ParameterShape {
  if (given === undefined) return NO_PARAMETERS;
  const whole = isSchema(given) ? given : undefined;
  const schemas = readParts(whole === undefined ? given : readerOf(whole).fields());
  if (schemas === undefined) {
    return refuse(`${of} is a shape of Zod schemas or a Zod object, not ${describeType(given)}`);
  }
  const fields: Record<string, AnySchema> = Object.create(null);
  const styles = new Map<string, StyleFacts>();
  for (const [name, schema] of Object.entries(schemas)) {
    if (isKind(schema) && "schema" in schema.facts && hasStyles && whole === undefined) {
      styles.set(name, schema.facts);
      fields[name] = schema.facts.schema;
      continue;
    }
    if (isKind(schema)) return refuse(`${one} ${quoted(name)}: ${misplaced(schema, `in ${of}`)}`);
    if (!isSchema(schema)) return refuse(`${one} ${quoted(name)} is not a Zod schema`);
    if (readerOf(schema).textReader() === undefined) {
      refuse(`${one} ${quoted(name)} has a type that text cannot carry`);
    }
    fields[name] = schema;
  }
  const others = whole === undefined ? "ignored" : readerOf(whole).others();
  if (others === "read") {
    refuse(`${of}: names that are not declared are not read, so the object has no schema for them`);
  }
  const strict = others === "refused";
  if (strict && isOpen) {
    refuse(`${of}: a strict object would refuse every request, because other programs add ${of}, too`);
  }
  return Object.freeze({
    ...{ fields: Object.freeze(fields), whole, strict },
    styles: styles.size === 0 ? undefined : styles,
  });
}

/** No names. */
const NO_PARAMETERS: ParameterShape = Object.freeze({ fields: Object.freeze(Object.create(null)) });
