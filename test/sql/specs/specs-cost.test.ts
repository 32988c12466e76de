/** The schemas of specs over many levels of relations: made level by level, as far as a spec goes, and parsed once. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { column, many, one, table } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";

const nodes = table(
  "nodes",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    name: z.string(),
    parentId: z.int().nullable(),
    ownerId: z.int(),
  }),
  { relations: { owner: one("nodes", "ownerId"), children: many("nodes", "parentId") } },
);
const repository = sqlite().repositories({ nodes }).nodes;

interface Seen {
  readonly fields: readonly ("id" | "name")[];
  readonly maxLimit: number;
  readonly relations: { readonly owner?: Seen; readonly children?: Seen };
}

/** Two relations at each of so many levels. */
function relationsOf(levels: number): Seen["relations"] {
  if (levels === 0) return {};
  const seen: Seen = { fields: ["id", "name"], maxLimit: 1, relations: relationsOf(levels - 1) };
  return { owner: seen, children: { ...seen, relations: relationsOf(levels - 1) } };
}

const specsOf = (levels: number) =>
  repository.specs({ fields: ["id", "name"], maxLimit: 1, relations: relationsOf(levels) });

const where = [{ field: "name", operator: "=", param: "name" }];
const nested = (levels: number): object =>
  levels === 0 ? { where } : { where, with: { children: nested(levels - 1) } };
const looking = (levels: number): readonly object[] =>
  levels === 0 ? where : [{ exists: "children", where: looking(levels - 1) }];

/** How many schemas there are so far: what a shape has not been read for does not exist yet. */
function madeIn(schema: z.core.$ZodType, known: Set<unknown> = new Set()): number {
  if (known.has(schema)) return known.size;
  known.add(schema);
  const { def } = schema._zod as { def: object };
  const { shape, ...rest } = Object.getOwnPropertyDescriptors(def) as Record<string, PropertyDescriptor>;
  const values: unknown[] = Object.values(rest).map(({ value }): unknown => value);
  if (shape?.value !== undefined) values.push(...Object.values(shape.value as object));
  for (const value of values.flat())
    if (typeof value === "object" && value !== null && "_zod" in value)
      madeIn(value as z.core.$ZodType, known);
  return known.size;
}

describe("eight levels of two relations", () => {
  test("are made as far as a spec goes", () => {
    const { query } = specsOf(8);
    expect(query.safeParse({}).success).toBe(true);
    const before = madeIn(query);
    expect(before).toBe(madeIn(query));
    expect(before).toBeLessThan(150);
    const perLevel = [1, 2, 3, 4, 5, 6, 7, 8].map((levels) => {
      expect(query.safeParse(nested(levels)).error).toBeUndefined();
      return madeIn(query);
    });
    // Each level adds as much as the one before it: 510 tables behind relations would be 30,000 schemas.
    expect(Math.max(...perLevel.map((made, i) => made - (perLevel[i - 1] ?? before)))).toBeLessThan(150);
  });

  test("in conditions too", () => {
    const { query } = specsOf(8);
    const perLevel = [1, 2, 3, 4, 5, 6, 7].map((levels) => {
      expect(query.safeParse({ where: looking(levels) }).error).toBeUndefined();
      return madeIn(query);
    });
    expect(Math.max(...perLevel.slice(1).map((made, i) => made - (perLevel[i] ?? 0)))).toBeLessThan(100);
  });

  test("are parsed once each: the work grows with the spec, not with its power", () => {
    const { query } = specsOf(8);
    const lists = (spec: object) => {
      query.safeParse(spec);
      const isArray = vi.spyOn(Array, "isArray");
      const { success } = query.safeParse(spec);
      const { length } = isArray.mock.calls;
      isArray.mockRestore();
      expect(success).toBe(true);
      return length;
    };
    for (const of of [(levels: number) => ({ where: looking(levels) }), nested]) {
      const [three, five, seven] = [of(3), of(5), of(7)].map(lists) as [number, number, number];
      // In a straight line: a relation tried for each other one would double it at every level.
      expect(seven - five).toBeLessThanOrEqual(1.5 * (five - three));
    }
  });

  test("are not made where no schema is read", () => {
    const { query: _, ...others } = Object.getOwnPropertyDescriptors(specsOf(8));
    for (const { get, value } of Object.values(others))
      expect([typeof get, value]).toEqual(["function", undefined]);
  });
});

test("the document of the levels accepts what the schema accepts", () => {
  const { query } = specsOf(3);
  const accepts = new Ajv2020({ strict: false }).compile(z.toJSONSchema(query, { io: "input" }));
  const specs: readonly (readonly [spec: object, isOne: boolean])[] = [
    [nested(3), true],
    [nested(4), false],
    [{ where: looking(3) }, true],
    [{ with: { owner: { fields: ["id"], where: [{ not_exists: "children" }], limit: 1 } } }, true],
    [{ with: { owner: { limit: 2 } } }, false],
    [{ with: { owner: { with: { parent: {} } } } }, false],
    [{ where: [{ exists: "owner", where: [{ field: "parentId", is_null: true }] }] }, false],
    [{ joins: [{ relation: "owner" }], fields: ["owner.name"], group_by: ["owner.name"] }, true],
  ];
  for (const [spec, isOne] of specs) {
    expect([spec, query.safeParse(spec).success]).toEqual([spec, isOne]);
    expect([spec, accepts(spec)]).toEqual([spec, isOne]);
  }
});
