/** Checks what a handler declares of its body. */
import type { AnySchema } from "../../schema/schema-reader.js";
import { isSchema } from "./any-schema.js";
import { isKind, kindInside, misplaced } from "./kind.js";

/** A schema without a kind in it. */
export function readBodyOption(
  given: unknown,
  refuse: (problem: string) => never,
  name: string,
): AnySchema | undefined {
  if (given === undefined) return undefined;
  if (isKind(given)) return refuse(`${name}: ${given.facts.name}() is no body`);
  if (!isSchema(given)) return refuse(`${name} is a Zod schema`);
  const inside = kindInside(given);
  return inside === undefined ? given : refuse(`${name}: ${misplaced(inside, "inside a schema")}`);
}
