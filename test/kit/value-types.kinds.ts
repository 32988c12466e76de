/** Every kind of column on every SQL type that `docs/values.md` names for it, with values at the edges of each. */
import { json } from "rowtype";
import { z } from "zod";

/** A kind of column, the SQL types that it may have, and values at their edges. */
export interface Kind {
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

/** The kinds of columns, in the order of `docs/values.md`. */
export const kinds: readonly Kind[] = [
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
