/** Lists and declared parameters of `db.sql`: written out, bound as arrays where there are some, and checked by schemas. */
import { column, type Database, DeclarationError, json, table } from "rowtype";
import { recording } from "rowtype/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, servers } from "../../servers.js";

const Item = table(
  "raw_items",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    name: z.string(),
    made: z.date(),
    note: json(z.object({ a: z.int() })).nullable(),
  }),
);
const day = (n: number) => new Date(Date.UTC(2026, 0, n));
const Id = z.object({ id: z.int() });

for (const server of servers)
  describe.skipIf(!server.available)(`lists in text of one's own on ${server.name}`, () => {
    let lent: Lent;
    let db: Database;
    const q = (text: string) => (server.dialect === "mariadb" ? text.replaceAll('"', "`") : text);
    beforeAll(async () => {
      lent = await server.lend();
      db = lent.db;
      await db.createTables(Item);
      await db
        .repository(Item)
        .insert()
        .execBatch([1, 2, 3, 4].map((id) => ({ id, name: `n${id}`, made: day(id), note: null })));
    });
    afterAll(() => lent.close());
    const ids = async (where: string, params: Record<string, unknown>, options?: object) => {
      const text: string = q(`SELECT "id" FROM "raw_items" WHERE ${where} ORDER BY "id"`);
      return (await db.sql(text, Id, options).exec(params)).map(({ id }) => id);
    };

    test("a list is written out, whatever its length, also twice and beside values", async () => {
      expect(await ids('"id" IN (:...ids)', { ids: [1, 3, 9] })).toEqual([1, 3]);
      expect(await ids('"id" NOT IN (:...ids)', { ids: [1] })).toEqual([2, 3, 4]);
      expect(await ids('"id" IN (9, :...ids, 8)', { ids: [4, 2] })).toEqual([2, 4]);
      expect(
        await ids('("id" IN (:...ids) OR "name" = :n) AND "id" IN (:...ids, :last)', {
          ids: [1, 2],
          n: "n4",
          last: 4,
        }),
      ).toEqual([1, 2, 4]);
      expect(await ids('"name" IN (:...names)', { names: ["n1", "'", "n3"] })).toEqual([1, 3]);
      expect(await ids('"id" IN (:...ids)', { ids: Array.from({ length: 500 }, (_, i) => i) })).toEqual([
        1, 2, 3, 4,
      ]);
    });

    test("one that is empty, none at all, or has a list in it is refused", async () => {
      for (const list of [[], 1, null, "a", [[1]], [{}], [undefined], new Array(2)]) {
        const error = await sqlErrorOf(ids('"id" IN (:...ids)', { ids: list }));
        expect(error.code, JSON.stringify(list)).toBe("PARAM_TYPE");
      }
      expect((await sqlErrorOf(ids('"id" IN (:...ids)', {}))).code).toBe("MISSING_PARAM");
      const many = Array.from({ length: 70_000 }, (_, i) => i);
      expect((await sqlErrorOf(ids('"id" IN (:...ids)', { ids: many }))).code).toBe("UNSUPPORTED");
    });

    test("a list is one value where the dialect has arrays", async () => {
      if (server.dialect === "postgres") {
        expect(await ids('"id" = ANY(:ids)', { ids: [1, 4] })).toEqual([1, 4]);
        expect(await ids('"id" = ANY(:ids)', { ids: [] })).toEqual([]);
        expect(await ids('"id" <> ALL(:ids)', { ids: [] })).toEqual([1, 2, 3, 4]);
        expect(await ids('"name" = ANY(:names)', { names: ["n2", '"', "a,b", "{"] })).toEqual([2]);
        expect(await ids('"made" = ANY(:days)', { days: [day(3)] })).toEqual([3]);
        const params = { ids: z.array(z.int()) };
        expect(await ids('"id" = ANY(:ids)', { ids: [1, 4] }, { params })).toEqual([1, 4]);
      } else {
        const error = await sqlErrorOf(ids('"id" = :ids', { ids: [1] }));
        expect(error.code).toBe("PARAM_TYPE");
        expect(error.message).toContain(":...");
        const params = { ids: z.array(z.int()) };
        expect((await sqlErrorOf(ids('"id" = :ids', { ids: [1] }, { params }))).code).toBe("UNSUPPORTED");
      }
    });

    test("schemas check what they are given, and say how it is bound", async () => {
      const params = { ids: z.array(z.int()).max(3), from: z.date(), name: z.string().min(2).nullable() };
      const where = '"id" IN (:...ids) AND "made" >= :from AND ("name" = :name OR "id" = 2)';
      expect(await ids(where, { ids: [1, 2, 3], from: day(2), name: "n3" }, { params })).toEqual([2, 3]);
      expect(await ids(where, { ids: [1, 2, 3], from: day(2), name: null }, { params })).toEqual([2]);
      for (const wrong of [
        { ids: ["1"], from: day(2), name: "n3" },
        { ids: [1, 2, 3, 4], from: day(2), name: "n3" },
        { ids: 1, from: day(2), name: "n3" },
        { ids: [1], from: "2026-01-02", name: "n3" },
        { ids: [1], from: day(2), name: "n" },
      ])
        expect((await sqlErrorOf(ids(where, wrong, { params }))).code).toBe("PARAM_TYPE");
      const noted = await db
        .sql(q('UPDATE "raw_items" SET "note" = :note WHERE "id" = :id') as string, undefined, {
          params: { note: json(z.object({ a: z.int() })) },
        })
        .exec({ note: { a: 5 }, id: 1 });
      expect(noted).toBe(1);
      const row = await db.repository(Item).select().where("id", "=", "id").exec({ id: 1 });
      expect(row.note).toEqual({ a: 5 });
    });
  });

describe("what is sent", () => {
  test("has a placeholder for each item, and one for each value where they are shared", async () => {
    const texts: { readonly [D in "postgres" | "sqlite" | "mariadb" | "oracle"]: string } = {
      postgres: "SELECT $1, $2, $3 WHERE $3 IN ($1, $2)",
      sqlite: "SELECT ?, ?, ? WHERE ? IN (?, ?)",
      mariadb: "SELECT ?, ?, ? WHERE ? IN (?, ?)",
      oracle: "SELECT :p0, :p1, :p2 WHERE :p2 IN (:p0, :p1)",
    };
    for (const [dialect, sql] of Object.entries(texts)) {
      const db = recording(dialect as keyof typeof texts);
      await db.sql("SELECT :...ids, :x WHERE :x IN (:...ids)").exec({ ids: ["a", "b"], x: "c" });
      const shares = dialect === "postgres" || dialect === "oracle";
      expect(db.statements[0]).toMatchObject({
        sql,
        params: shares ? ["a", "b", "c"] : ["a", "b", "c", "c", "a", "b"],
      });
    }
  });

  test("what is in quotes or a comment is not a list", async () => {
    const db = recording("sqlite");
    await db.sql("SELECT ':...no', a -- :...no\n, :a").exec({ a: 1 });
    expect(db.statements[0]?.sql).toBe("SELECT ':...no', a -- :...no\n, ?");
  });

  test.each([
    ["a schema for what is not in the text", { params: { b: z.int() } }],
    ["an unknown option", { param: { a: z.int() } }],
    ["no schema", { params: { a: 1 } }],
    ["options that are none", 1],
    ["null for options", null],
    ["schemas that are not an object", { params: "a" }],
  ])("%s is refused", async (_, options) => {
    const text: string = "SELECT :a";
    const error = await sqlErrorOf(
      recording("sqlite")
        .sql(text, undefined, options as never)
        .exec({ a: 1 }),
    );
    expect(error).toBeInstanceOf(DeclarationError);
  });

  test("a list in the text that its schema says is none is refused", async () => {
    const text: string = "SELECT :...a";
    const params = { a: z.int() };
    const error = await sqlErrorOf(recording("sqlite").sql(text, undefined, { params }).exec({ a: 1 }));
    expect(error).toBeInstanceOf(DeclarationError);
  });
});
