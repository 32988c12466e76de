/** What a declaration says of constraints and of its own history: kept as plain frozen data, refused if it cannot work. */
import { type AnyTable, column, json, table } from "rowtype";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorIn } from "../../kit/thrown.js";

const Member = table(
  "members",
  z.object({ tenantId: column(z.int(), { name: "tenant_id" }), userId: z.int(), email: z.string() }),
  { primaryKey: ["tenantId", "userId"] },
);

const Order = table(
  "orders",
  z.object({
    id: column(z.int(), { primaryKey: true, generated: true }),
    tenantId: column(z.int(), { name: "tenant_id" }),
    userId: column(z.int().nullable(), {
      references: (): AnyTable => Member,
      onDelete: "set null",
      onUpdate: "cascade",
    }),
    total: column(z.string(), { type: "numeric(12,2)", comment: "gross" }),
    net: column(z.string(), { type: "numeric(12,2)", computed: "total / 1.2", stored: true }),
    status: column(z.enum(["open", "paid"]), { checkValues: true }),
    changedAt: column(z.date(), { readOnly: true }),
    fullName: column(z.string(), { renamedFrom: "name" }),
  }),
  {
    foreignKeys: [
      {
        columns: ["tenantId", "userId"],
        references: () => Member,
        target: ["tenantId", "userId"],
        onDelete: "cascade",
        name: "orders_member_fkey",
        deferrable: "initially deferred",
      },
    ],
    checks: { orders_total_check: "total >= 0" },
    indexes: [
      { columns: ["tenantId", ["total", "desc"]], unique: true, where: "net > 0", name: "by total" },
      { expression: "lower(status)" },
      { columns: ["status"], using: { postgres: "hash" } },
    ],
    comment: "what was bought",
    renamedFrom: ["purchases", "sales"],
    external: true,
  },
);

describe("a declaration keeps", () => {
  test("the metadata of its columns", () => {
    expect(Order.columns.userId).toMatchObject({ onDelete: "set null", onUpdate: "cascade" });
    expect(Order.columns.net).toMatchObject({ computed: "total / 1.2", stored: true, readOnly: true });
    expect(Order.columns.status).toMatchObject({ checkValues: true, readOnly: false });
    expect(Order.columns.changedAt).toMatchObject({ readOnly: true, renamedFrom: [] });
    expect(Order.columns.id.readOnly).toBe(true);
    expect(Order.columns.fullName.renamedFrom).toEqual(["name"]);
    expect(Order.columns.total.comment).toBe("gross");
  });

  test("its references, checks and indexes as frozen data", () => {
    expect(Order.foreignKeys).toEqual([
      {
        columns: ["tenantId", "userId"],
        references: expect.any(Function),
        target: ["tenantId", "userId"],
        onDelete: "cascade",
        name: "orders_member_fkey",
        deferrable: "initially deferred",
      },
    ]);
    expect(Order.checks).toEqual([{ name: "orders_total_check", condition: "total >= 0" }]);
    const plain = {
      name: undefined,
      expression: undefined,
      unique: false,
      visible: false,
      where: undefined,
      using: undefined,
    };
    expect(Order.indexes).toEqual([
      {
        ...plain,
        name: "by total",
        columns: [
          { property: "tenantId", descending: false },
          { property: "total", descending: true },
        ],
        unique: true,
        where: "net > 0",
      },
      { ...plain, columns: [], expression: "lower(status)" },
      { ...plain, columns: [{ property: "status", descending: false }], using: { postgres: "hash" } },
    ]);
    expect(Order).toMatchObject({
      comment: "what was bought",
      renamedFrom: ["purchases", "sales"],
      external: true,
    });
    for (const part of [Order.foreignKeys, Order.checks, Order.indexes, Order.renamedFrom])
      expect(Object.isFrozen(part)).toBe(true);
    for (const part of [...Order.foreignKeys, ...Order.checks, ...Order.indexes])
      expect(Object.isFrozen(part)).toBe(true);
    expect(Member).toMatchObject({
      foreignKeys: [],
      checks: [],
      indexes: [],
      comment: undefined,
      renamedFrom: [],
      external: false,
    });
  });

  test("no list of the caller's, which may change later", () => {
    const columns: ("a" | "b")[] = ["a"];
    const T = table("t", z.object({ a: z.int(), b: z.int() }), { indexes: [{ columns }] });
    columns.push("b");
    expect(T.indexes[0]?.columns).toHaveLength(1);
  });

  test("comments as descriptions, where a schema has none", () => {
    expect(Order.columns.total.schema).toHaveProperty("description", "gross");
    expect(Order.schema.description).toBe("what was bought");
    const said = table(
      "t",
      z.object({ a: column(z.int().describe("own"), { comment: "other" }) }).describe("T"),
      {
        comment: "table",
      },
    );
    expect(said.columns.a.schema).toHaveProperty("description", "own");
    expect(said.schema.description).toBe("T");
    const plain = z.string();
    column(plain, { comment: "of the copy" });
    expect(plain.description).toBeUndefined();
  });

  test("no column in its inserts and updates that the database alone sets", () => {
    expect(Object.keys(Order.insertSchema.shape)).toEqual([
      "tenantId",
      "userId",
      "total",
      "status",
      "fullName",
    ]);
    expect(Object.keys(Order.updateSchema.shape)).toEqual([
      "tenantId",
      "userId",
      "total",
      "status",
      "fullName",
    ]);
  });

  test("the former names of columns whose names moved up in a row", () => {
    const T = table(
      "t",
      z.object({ b: column(z.int(), { renamedFrom: ["a", "z"] }), c: column(z.int(), { renamedFrom: "b" }) }),
    );
    expect(T.columns.b.renamedFrom).toEqual(["a", "z"]);
  });
});

// A caller without types may write anything.
const anyColumn = column as (schema: z.ZodType, meta: object) => z.ZodInt;
const anyTable = table as (name: string, schema: z.ZodObject, options: object) => unknown;
const withColumn = (meta: object, schema: z.ZodType = z.int()) =>
  table("t", z.object({ a: anyColumn(schema, meta), b: z.int() }));
const withOptions = (options: object) =>
  anyTable("t", z.object({ a: z.int(), b: z.int(), c: json(z.unknown()) }), options);

describe("a declaration is refused", () => {
  const combinations: readonly [string, () => unknown][] = [
    ["onDelete without references", () => withColumn({ onDelete: "cascade" })],
    ["onUpdate without references", () => withColumn({ onUpdate: "cascade" })],
    ["stored without computed", () => withColumn({ stored: true })],
    ["computed beside default", () => withColumn({ computed: "b", default: "1" })],
    ["computed over a default", () => withColumn({ computed: "b" }, column(z.int(), { default: "1" }))],
    ["computed beside generated", () => withColumn({ computed: "b", generated: "byDefault" })],
    ["an empty expression", () => withColumn({ computed: "" })],
    ["checkValues on a number", () => withColumn({ checkValues: true })],
    ["checkValues on a list of members", () => withColumn({ checkValues: true }, z.array(z.enum(["a"])))],
    ["an action that there is not", () => withColumn({ references: "u(id)", onDelete: "delete" })],
    ["a comment that is not text", () => withColumn({ comment: 1 })],
    ["renamedFrom that is a column", () => withColumn({ renamedFrom: "b" })],
    ["renamedFrom that is its own name", () => withColumn({ renamedFrom: "a" })],
    ["renamedFrom in which one is not a name", () => withColumn({ renamedFrom: ["x", ""] })],
    [
      "a reference of an unknown column",
      () => withOptions({ foreignKeys: [{ columns: ["x"], references: () => Member }] }),
    ],
    ["a reference to nothing", () => withOptions({ foreignKeys: [{ columns: ["a"] }] })],
    [
      "a reference to more columns than it has",
      () => withOptions({ foreignKeys: [{ columns: ["a"], references: () => Member, target: ["x", "y"] }] }),
    ],
    [
      "a reference with an unknown key",
      () => withOptions({ foreignKeys: [{ columns: ["a"], references: () => Member, ondelete: "cascade" }] }),
    ],
    ["checks that are a list", () => withOptions({ checks: ["a > 0"] })],
    ["an empty check", () => withOptions({ checks: { positive: "" } })],
    ["an index of nothing", () => withOptions({ indexes: [{ unique: true }] })],
    [
      "an index of columns and an expression",
      () => withOptions({ indexes: [{ columns: ["a"], expression: "b" }] }),
    ],
    ["an index of one column twice", () => withOptions({ indexes: [{ columns: ["a", ["a", "desc"]] }] })],
    ["an index with another direction", () => withOptions({ indexes: [{ columns: [["a", "down"]] }] })],
    [
      "two constraints of one name",
      () =>
        withOptions({
          checks: { x: "a > 0" },
          foreignKeys: [{ columns: ["a"], references: () => Member, target: ["x"], name: "x" }],
        }),
    ],
    [
      "two indexes of one name",
      () =>
        withOptions({
          indexes: [
            { columns: ["a"], name: "x" },
            { columns: ["b"], name: "x" },
          ],
        }),
    ],
    ["a table renamed from its own name", () => withOptions({ renamedFrom: "t" })],
    ["external that is not a flag", () => withOptions({ external: "yes" })],
  ];
  test.each(combinations)("with %s", (_, declare) => {
    const error = sqlErrorIn(declare);
    expect(error).toMatchObject({ code: "DECLARATION" });
    expect(error?.message.length).toBeLessThan(300);
  });

  test("with two columns that were renamed from one", () => {
    const declare = () =>
      table(
        "t",
        z.object({ a: column(z.int(), { renamedFrom: "x" }), b: column(z.int(), { renamedFrom: "x" }) }),
      );
    expect(sqlErrorIn(declare)).toMatchObject({ code: "DECLARATION" });
  });
});
