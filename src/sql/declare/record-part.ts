/** The part of a table that a record of a nested insert gives, and the schema of a record with others inside. */
import type { ZodObject } from "zod";
import { z } from "zod";
import { nameSchema, pascal, schemaName } from "../../schema/names.js";
import type { AnyTable } from "./declaration.js";

/** A table without the fields that are filled: as far as the validation of records knows it. */
export function recordPart(table: AnyTable, filled: ReadonlySet<string>): AnyTable {
  if (filled.size === 0) return table;
  const { insertSchema, columns } = table;
  const mask: Record<string, true> & Record<number, never> = {};
  for (const field of filled) if (Object.hasOwn(insertSchema.shape, field)) mask[field] = true;
  const given = Object.entries(columns).filter(([property]) => !filled.has(property));
  return Object.freeze({
    ...table,
    columns: Object.fromEntries(given),
    insertSchema: insertSchema.omit(mask),
  });
}

/** The records of a relation in a record. */
export interface NestedSchema {
  readonly relation: string;
  readonly schema: ZodObject;
  readonly isMany: boolean;
  readonly mayBeMissing: boolean;
}

/**
 * The schema of a record with others inside.
 * @param named the schema whose name it extends in documents.
 */
export function nestedSchema(part: ZodObject, nested: readonly NestedSchema[], named: ZodObject): ZodObject {
  const inside = nested.map(({ relation, schema, isMany, mayBeMissing }) => {
    if (isMany) return [relation, z.array(schema)];
    return [relation, mayBeMissing ? schema.nullable() : schema];
  });
  const whole = part.extend(Object.fromEntries(inside));
  const relations = nested.map(({ relation }) => pascal(relation)).join("And");
  nameSchema(whole, `${schemaName(named) ?? ""}With${relations}`);
  return whole;
}
