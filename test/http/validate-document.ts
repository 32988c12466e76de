/**
 * Judges a document by two validators that have nothing to do with us or with each other.
 */
import { validate } from "@readme/openapi-parser";
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect } from "vitest";

export async function expectValid(document: unknown): Promise<void> {
  // Both change what they are given.
  const copy = () => JSON.parse(JSON.stringify(document));
  const first = await new Validator().validate(copy());
  expect(first.errors ?? []).toEqual([]);
  expect(first.valid).toBe(true);
  const second = await validate(copy());
  expect(second).toMatchObject({ valid: true });
}
