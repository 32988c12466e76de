/**
 * Every kind of column on every SQL type that `docs/values.md` names for it: values at their edges are written, read
 * back equal, and found by `=`. The document and these lists hold each other to the truth.
 */
import { readFileSync } from "node:fs";
import { column, ddl, json, table } from "rowtype";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Lent, servers } from "../servers.js";

// biome-ignore lint/suspicious/noExplicitAny: one loop for columns of every kind.
type Untyped = any;

interface Kind {
  /** The schema as the document writes it. */
  readonly zod: string;
  readonly schema: z.ZodType;
  /** By dialect the types, each with values that it holds; `all` of them where it says nothing. */
  readonly types: { readonly [Dialect: string]: { readonly [Type: string]: readonly unknown[] | "all" } };
  readonly all: readonly unknown[];
  /** Whether a value is found by `=`. */
  readonly equals?: false;
}

const texts = ["", " a ", "é\u{1F600}", "x".repeat(200), `'"\\%_\n`];
const bytes = [new Uint8Array(), new Uint8Array([0, 255, 10, 39, 92]), new Uint8Array(200)];
const midnights = [new Date("2024-02-29T00:00:00Z"), new Date("1582-10-15T00:00:00Z")];
const doc = {
  a: [1, null, { b: [] }],
  big: 9007199254740991,
  tiny: 5e-324,
  huge: 1.7976931348623157e308,
  "": "\u{1F600}",
};

const kinds: readonly Kind[] = [
  {
    zod: "z.string()",
    schema: z.string(),
    all: texts,
    types: {
      postgres: { text: "all", "varchar(200)": "all" },
      mariadb: { longtext: "all", text: "all", "varchar(200)": "all" },
      sqlite: { TEXT: "all" },
    },
  },
  {
    zod: "z.string() of a decimal",
    schema: z.string(),
    all: ["12345678901234567890.1234567891", "-0.5000000000", "0.0000000001"],
    types: {
      postgres: { "decimal(30,10)": "all", "numeric(12,2)": ["1234567890.12", "-0.01"] },
      mariadb: { "decimal(30,10)": "all", "numeric(12,2)": ["1234567890.12", "-0.01"] },
      sqlite: { "decimal(30,10)": "all" },
    },
  },
  {
    zod: "z.uuid()",
    schema: z.uuid(),
    all: ["018f4e9c-7b0a-7c3d-9e2f-0123456789ab"],
    types: {
      postgres: { text: "all", uuid: "all" },
      mariadb: { longtext: "all", uuid: "all", "char(36)": "all" },
      sqlite: { TEXT: "all" },
    },
  },
  {
    zod: "z.enum()",
    schema: z.enum(["low", "hi'gh"]),
    all: ["low", "hi'gh"],
    types: {
      postgres: { text: "all", mood: "all" },
      mariadb: { longtext: "all", "enum('low', 'hi''gh')": "all" },
      sqlite: { TEXT: "all" },
    },
  },
  {
    zod: "z.int()",
    schema: z.int(),
    all: [0, -1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53 - 1, -(2 ** 53) + 1],
    types: {
      postgres: {
        bigint: "all",
        integer: [2 ** 31 - 1, -(2 ** 31)],
        smallint: [32_767, -32_768],
        "numeric(16,0)": "all",
      },
      mariadb: {
        bigint: "all",
        int: [2 ** 31 - 1, -(2 ** 31)],
        smallint: [32_767, -32_768],
        tinyint: [127, -128],
        "decimal(16,0)": "all",
      },
      sqlite: { INTEGER: "all" },
    },
  },
  {
    zod: "z.number()",
    schema: z.number(),
    all: [0, 0.1 + 0.2, -1.5, Number.MAX_VALUE, Number.MIN_VALUE, -Number.MAX_VALUE, 2 ** 53 + 2],
    types: {
      postgres: {
        "double precision": "all",
        real: [0.5, -1.25, 2 ** 24],
        "numeric(20,5)": [0.1, -1.5, 123456789.12345],
      },
      mariadb: {
        double: "all",
        float: [0.5, -1.25, 2 ** 24],
        "decimal(20,5)": [0.1, -1.5, 123456789.12345],
      },
      sqlite: { REAL: "all" },
    },
  },
  {
    zod: "z.bigint()",
    schema: z.bigint(),
    all: [0n, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n + 1n],
    types: {
      postgres: { bigint: "all", "numeric(19,0)": "all" },
      mariadb: { bigint: "all", "decimal(19,0)": "all" },
      sqlite: { INTEGER: "all" },
    },
  },
  {
    zod: "z.boolean()",
    schema: z.boolean(),
    all: [true, false],
    types: {
      postgres: { boolean: "all" },
      mariadb: { "tinyint(1)": "all" },
      sqlite: { BOOLEAN: "all", INTEGER: "all" },
    },
  },
  {
    zod: "z.date()",
    schema: z.date(),
    all: [
      new Date("0001-01-01T00:00:00.000Z"),
      new Date("1582-10-04T12:34:56.789Z"),
      new Date("1969-12-31T23:59:59.999Z"),
      // Hours that some zones have twice, or not at all.
      new Date("2024-03-31T01:30:00.001Z"),
      new Date("2024-10-27T00:30:00.002Z"),
      new Date("2024-10-27T01:30:00.003Z"),
      new Date("9999-12-31T23:59:59.999Z"),
    ],
    types: {
      postgres: { "timestamptz(3)": "all", "timestamp(3)": "all", date: midnights },
      mariadb: { "datetime(3)": "all", date: midnights },
      sqlite: { TEXT: "all" },
    },
  },
  {
    zod: "z.instanceof(Uint8Array)",
    schema: z.instanceof(Uint8Array),
    all: bytes,
    types: {
      postgres: { bytea: "all" },
      mariadb: { longblob: "all", blob: "all", "varbinary(200)": "all" },
      sqlite: { BLOB: "all" },
    },
  },
  {
    zod: "json(schema)",
    schema: json(z.unknown()),
    all: [doc, [], {}, "text", 0, false, [[[]]], { nested: { null: null } }],
    equals: false,
    types: {
      postgres: { jsonb: "all", json: "all" },
      mariadb: { longtext: "all", json: "all" },
      sqlite: { TEXT: "all" },
    },
  },
  {
    zod: "z.array(z.string())",
    schema: z.array(z.string()),
    all: [[], texts, ["NULL", "{}", "a,b", '"', "\\"]],
    types: {
      postgres: { "text[]": "all", "varchar(200)[]": "all" },
      mariadb: { longtext: "all", json: "all" },
      sqlite: { TEXT: "all" },
    },
  },
  {
    zod: "z.array(z.int())",
    schema: z.array(z.int()),
    all: [[], [0, 2 ** 53 - 1, -(2 ** 53) + 1]],
    types: {
      postgres: { "bigint[]": "all", "integer[]": [[], [2 ** 31 - 1]] },
      mariadb: { longtext: "all" },
      sqlite: { TEXT: "all" },
    },
  },
  {
    zod: "z.array(z.number())",
    schema: z.array(z.number()),
    all: [[], [0.1, -1e-300, 1e300, 2 ** 60]],
    types: {
      postgres: { "double precision[]": "all" },
      mariadb: { longtext: "all" },
      sqlite: { TEXT: "all" },
    },
  },
  {
    zod: "z.array(z.bigint())",
    schema: z.array(z.bigint()),
    all: [[], [2n ** 63n - 1n, -(2n ** 63n)]],
    types: { postgres: { "bigint[]": "all" }, mariadb: { longtext: "all" }, sqlite: { TEXT: "all" } },
  },
  {
    zod: "z.array(z.boolean())",
    schema: z.array(z.boolean()),
    all: [[], [true, false]],
    types: { postgres: { "boolean[]": "all" }, mariadb: { longtext: "all" }, sqlite: { TEXT: "all" } },
  },
  {
    zod: "z.array(z.date())",
    schema: z.array(z.date()),
    all: [[], [new Date("0001-01-01T00:00:00.000Z"), new Date("9999-12-31T23:59:59.999Z")]],
    types: { postgres: { "timestamptz(3)[]": "all" }, mariadb: { longtext: "all" }, sqlite: { TEXT: "all" } },
  },
  {
    zod: "z.array(z.instanceof(Uint8Array))",
    schema: z.array(z.instanceof(Uint8Array)),
    all: [[], bytes],
    types: { postgres: { "bytea[]": "all" }, mariadb: { longtext: "all" }, sqlite: { TEXT: "all" } },
  },
  {
    zod: "z.array(z.enum())",
    schema: z.array(z.enum(["low", "hi'gh"])),
    all: [[], ["low", "hi'gh"]],
    types: {
      postgres: { "text[]": "all", "mood[]": "all" },
      mariadb: { longtext: "all" },
      sqlite: { TEXT: "all" },
    },
  },
];

for (const server of servers.filter(({ name }) => name !== "h2" && name !== "oracle"))
  describe.skipIf(!server.available)(`types of ${server.name}`, () => {
    let lent: Lent;
    let made = 0;
    const zone = process.env["TZ"];
    beforeAll(async () => {
      lent = await server.lend();
      if (server.name === "postgres") await lent.run("CREATE TYPE mood AS ENUM ('low', 'hi''gh')");
    });
    afterAll(() => lent.close());
    afterEach(() => {
      if (zone === undefined) delete process.env["TZ"];
      else process.env["TZ"] = zone;
    });

    for (const { zod, schema, types, all, equals } of kinds)
      for (const [type, held] of Object.entries(types[server.name] ?? {}))
        test(`${zod} as ${type}`, async () => {
          const Value = table(
            `values_${++made}`,
            z.object({
              id: column(z.int(), { primaryKey: true }),
              value: column(schema.nullable(), { type }),
            }),
          );
          await lent.db.createTables(Value);
          const values = lent.db.repository(Value);
          const list = [...(held === "all" ? all : held), null];
          for (const [id, value] of list.entries()) {
            // Of no zone does anything depend: not of that of the process, and below not of that of the session.
            process.env["TZ"] = ["UTC", "Asia/Kathmandu", "America/St_Johns", "Pacific/Apia"][id % 4];
            const stored = await values.insert().exec({ id, value } as never);
            expect(stored).toEqual({ id, value });
            process.env["TZ"] = "Europe/Berlin";
            expect(await values.select().where("id", "=", "id").exec({ id })).toEqual({ id, value });
            if (equals === false || value === null) continue;
            // The operators of a column hang on its schema, which is any here.
            const found = (values.query() as Untyped).where("value", "=", "v").where("id", "=", "id");
            expect(await found.exec({ v: value, id })).toHaveLength(1);
          }
          expect(await values.count().exec()).toBe(list.length);
        });

    test("a session in another time zone reads and writes the same times", async () => {
      const Time = table("times", z.object({ id: column(z.int(), { primaryKey: true }), at: z.date() }));
      await lent.db.createTables(Time);
      const times = lent.db.repository(Time);
      const at = new Date("2024-03-31T01:30:00.001Z");
      await times.insert().exec({ id: 1, at });
      const zones = {
        postgres: ["SET LOCAL timezone = 'Asia/Kathmandu'"],
        mariadb: ["SET time_zone = '+05:45'"],
      };
      const [set] = zones[server.name as keyof typeof zones] ?? [];
      await lent.db.transaction(async (tx) => {
        if (set !== undefined) await tx.sql(set).exec();
        await tx.repository(Time).insert().exec({ id: 2, at });
        expect(await tx.repository(Time).query().orderBy("id", "asc").exec()).toEqual([
          { id: 1, at },
          { id: 2, at },
        ]);
        expect(await tx.repository(Time).count().where("at", "=", "at").exec({ at })).toBe(2);
        if (server.name === "mariadb") await tx.sql("SET time_zone = DEFAULT").exec();
      });
      expect(await times.count().where("at", "=", "at").exec({ at })).toBe(2);
    });
  });

describe("docs/values.md", () => {
  const text = readFileSync(new URL("../../docs/values.md", import.meta.url), "utf8");
  const rows = text
    .split("\n")
    .filter((line) => line.startsWith("| `z.") || line.startsWith("| `json"))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const dialects = ["postgres", "mariadb", "sqlite"];

  test("lists the default type of a column first", () => {
    for (const [i, { schema, zod }] of kinds.entries()) {
      if (zod.endsWith("decimal")) continue;
      const One = table("t", z.object({ value: schema.nullable() }));
      const made = (["postgres", "mariadb", "sqlite", "oracle"] as const).map(
        (dialect) => ddl(One, dialect)[0],
      );
      const first = rows[i]?.slice(1).map((cell) => /`([^`]+)`/.exec(cell)?.[1]);
      expect(first?.map((type, at) => made[at]?.includes(` ${type}`) === true || made[at])).toEqual(
        Array(4).fill(true),
      );
    }
  });

  test("lists exactly the types that are tested here", () => {
    const tested = kinds.map(({ zod, types }) => [
      zod,
      ...dialects.map((name) => Object.keys(types[name] ?? {}).sort()),
    ]);
    const named = rows.map(([zod = "", ...cells]) => [
      zod.replaceAll("`", ""),
      ...cells.slice(0, 3).map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, type]) => type).sort()),
    ]);
    expect(named).toEqual(tested);
  });
});
