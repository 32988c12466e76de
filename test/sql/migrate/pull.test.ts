/** What `pull` writes of a database: declarations that make it again, but for what they cannot say. */
import { readFileSync } from "node:fs";
import { type AnyTable, column, type Database, type Dialect, enumType, json, table, view } from "rowtype";
import { diff, introspect, pull } from "rowtype/migrate";
import { oracle } from "rowtype/oracle";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorOf } from "../../kit/thrown.js";
import { servers } from "../../servers.js";
import { chinook } from "./chinook.js";
import { declared, said } from "./pulled-file.js";

const Team = table(
  "teams",
  z.object({ id: column(z.int(), { primaryKey: true, generated: true }), title: z.string() }),
);
const Player = table(
  "team_players",
  z.object({
    id: column(z.int(), { primaryKey: true, generated: "byDefault" }),
    email: column(z.email(), { unique: true }),
    age: column(z.int().nullable(), { check: "age >= 0", index: true }),
    role: column(z.string(), { default: "'it''s'" }),
    teamId: column(z.int().nullable(), { name: "team_id", references: () => Team, onDelete: "set null" }),
    captain: column(z.int().nullable(), { references: (): AnyTable => Player }),
    price: column(z.string(), { type: "numeric(12,2)", default: "1.50" }),
    settings: json(z.object({ theme: z.string() })),
    photo: z.instanceof(Uint8Array).nullable(),
  }),
  { unique: [["role", "age"]] },
);

const Rank = enumType("the rank", ["high", "it's low"]);
const Ranked = table(
  "ranked",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    rank: column(z.enum(Rank.values), { type: { postgres: '"the rank"' } }),
    seen: z.date().nullable(),
  }),
);
// One that reads the other, and comes first by name.
const Best = view("best_of", z.object({ id: z.int(), "last name": z.string() }), {
  as: "SELECT id, shouted AS name_of FROM team_names WHERE shouted <> ';'",
});
const TeamNames = view("team_names", z.object({ id: z.int(), shouted: z.string() }), {
  as: "SELECT id, upper(title) AS shouted FROM teams WHERE title LIKE 'a%'",
  comment: "loud",
});

/** What others write, with names that are not words of TypeScript. */
const foreign: Readonly<Partial<Record<Dialect, readonly string[]>>> = {
  sqlite: [
    `CREATE TABLE "class" (a INTEGER NOT NULL, "b */ c" NVARCHAR(16) COLLATE NOCASE, PRIMARY KEY (a, "b */ c"))`,
    "CREATE TRIGGER touch AFTER INSERT ON class BEGIN SELECT 1; END",
  ],
  postgres: [
    `CREATE TABLE "class" (a integer, "b */ c" varchar(16), PRIMARY KEY (a, "b */ c"))`,
    `CREATE INDEX "class_down" ON "class" (a DESC) WHERE a > 0`,
    "CREATE TABLE counted (id serial PRIMARY KEY, seen timestamp DEFAULT now())",
  ],
  mariadb: [
    "CREATE TABLE `class` (a int NOT NULL, `b */ c` varchar(16), seen timestamp DEFAULT current_timestamp() ON UPDATE current_timestamp(), PRIMARY KEY (a, `b */ c`))",
  ],
};

for (const server of servers)
  describe.skipIf(!server.available || server.dialect === "oracle")(`pull on ${server.name}`, () => {
    test("the declarations make the same tables again", async () => {
      const [lent, other] = [await server.lend(), await server.lend()];
      try {
        await lent.db.createTables(Best, TeamNames, Team, Player, Rank, Ranked);
        const { source, notCarried } = await pull(lent.db, { names: "camel" });
        expect(notCarried).toEqual([]);
        expect(source).toContain("export const TeamPlayers = table(");
        expect(source).toMatch(
          /teamId: column\(z\.int\(\)\.nullable\(\), \{ name: "team_id", .*references: \(\): AnyTable => Teams/,
        );
        expect(source).toContain("export const TeamNames = view(");
        if (server.dialect === "postgres")
          expect(source).toContain(`export const TheRank = enumType("the rank", ["high", "it's low"]);`);
        await other.db.createTables(...declared(source));
        expect(said(await introspect(other.db))).toEqual(said(await introspect(lent.db)));
        expect((await pull(lent.db, { names: "camel" })).source).toBe(source);
      } finally {
        await lent.close();
        await other.close();
      }
    });

    test("Chinook in this dialect is pulled and made again, and the declarations do not differ", async () => {
      const [lent, other] = [await server.lend(), await server.lend()];
      try {
        for (const sql of chinook(server.dialect)) await lent.run(sql);
        const { source, notCarried } = await pull(lent.db, { names: "camel" });
        expect(notCarried).toEqual([]);
        const tables = declared(source);
        expect(tables).toHaveLength(11);
        await other.db.createTables(...tables);
        expect(said(await introspect(other.db))).toEqual(said(await introspect(lent.db)));
        expect((await diff(tables, lent.db, { drop: "tables" })).text()).toBe("");
      } finally {
        await lent.close();
        await other.close();
      }
    });

    test("the moment of a default and types whose text is enough are declared as they are", async () => {
      const [lent, other] = [await server.lend(), await server.lend()];
      const kinds: Readonly<Partial<Record<Dialect, readonly [string, Readonly<Record<string, string>>]>>> = {
        sqlite: ["id INTEGER PRIMARY KEY AUTOINCREMENT, at TIMESTAMP DEFAULT CURRENT_TIMESTAMP", {}],
        postgres: [
          "id int PRIMARY KEY, at timestamp DEFAULT LOCALTIMESTAMP, seen timestamp(0) DEFAULT now() NOT NULL, day date, ip inet, took interval, whole int4range, noon time, doc xml, bits bit(3), place point",
          { ip: "10.0.0.1", took: "01:00:00", whole: "[1,5)", noon: "12:00:00", doc: "<a/>", bits: "101" },
        ],
        mariadb: [
          "id int PRIMARY KEY, at datetime DEFAULT current_timestamp(), seen timestamp NOT NULL DEFAULT current_timestamp() ON UPDATE current_timestamp(), later datetime(3) ON UPDATE current_timestamp(3), day date, noon time, some set('a','b')",
          { noon: "12:00:00", some: "a,b" },
        ],
      };
      const [columns = "", values = {}] = kinds[server.dialect] ?? [];
      try {
        await lent.run(`CREATE TABLE seen_things (${columns})`);
        const { source, notCarried } = await pull(lent.db, { names: "same" });
        expect(notCarried).toEqual([]);
        const tables = declared(source);
        await other.db.createTables(...tables);
        const isKey = (one: object) => ({
          ...one,
          ...("name" in one && one.name === "id" ? { nullable: 0 } : {}),
        });
        const columnsOf = async (db: Database) =>
          (await introspect(db)).tables.flatMap((table) => table.columns.map(isKey));
        expect(await columnsOf(other.db)).toEqual(await columnsOf(lent.db));
        for (const { db } of [lent, other]) expect((await diff(tables, db)).text()).toBe("");
        if (Object.keys(values).length === 0) return;
        const [things] = tables.filter((one): one is AnyTable => "primaryKey" in one);
        if (things === undefined) throw new Error("no table");
        const rows = (lent.db as unknown as Database<"sqlite">).repository(things);
        const day = new Date("2026-02-03T00:00:00Z");
        await rows.insertFromSpec({}).exec({ id: 1, day, ...values });
        expect(await rows.query().exec({})).toMatchObject([{ id: 1, day, ...values }]);
      } finally {
        await lent.close();
        await other.close();
      }
    });

    test("what they cannot say stands in notCarried, and names of any kind are written so that they compile", async () => {
      const lent = await server.lend();
      try {
        for (const sql of foreign[server.dialect] ?? []) await lent.run(sql);
        const { source, notCarried } = await pull(lent.db, { names: "same" });
        const [first] = declared(source).filter((one) => "primaryKey" in one);
        expect(first?.name).toBe("class");
        expect(first?.primaryKey).toEqual(["a", "b */ c"]);
        const lost: Readonly<Partial<Record<Dialect, readonly string[]>>> = {
          sqlite: ["NULL in the primary key of class.b */ c", "trigger touch of class"],
          postgres: ["default nextval('counted_id_seq'::regclass) of counted.id"],
          mariadb: [],
        };
        expect(notCarried).toEqual(lost[server.dialect]);
        for (const one of notCarried) expect(source).toContain(`// Not carried: ${one}`);
      } finally {
        await lent.close();
      }
    });
  });

test.skipIf(!servers.some(({ name, available }) => name === "postgres" && available))(
  "the declarations of the page about existing databases do not differ from its tables",
  async () => {
    const page = readFileSync(new URL("../../../docs/existing-database.md", import.meta.url), "utf8");
    const [sql = "", source = ""] = ["sql", "ts"].map(
      (kind) => page.split(`\`\`\`${kind}\n`)[1]?.split("```")[0],
    );
    const lent = await servers.find(({ name }) => name === "postgres")?.lend();
    try {
      for (const statement of sql.split(";\n").filter((one) => one.trim() !== "")) await lent?.run(statement);
      const tables = declared(source);
      expect(tables).toHaveLength(3);
      if (lent !== undefined) expect((await diff(tables, lent.db)).text()).toBe("");
      await lent?.run("INSERT INTO people (name, salary, legacy) VALUES ('a', 1.5, '<a/>')");
      const Person = tables.find((one): one is AnyTable => "insertSchema" in one) as AnyTable;
      expect(await lent?.db.repository(Person).query().exec()).toMatchObject([
        { name: "a", mood: "sad", salary: "1.50", legacy: "<a/>", seen: expect.any(Date) },
      ]);
    } finally {
      await lent?.close();
    }
  },
);

test("pull refuses other names of properties, and Oracle", async () => {
  expect(await sqlErrorOf(pull(oracle(), { names: "snake" as never }))).toMatchObject({
    code: "DECLARATION",
  });
  expect(await sqlErrorOf(pull(oracle(), { names: "same" }))).toMatchObject({ code: "UNSUPPORTED" });
});
