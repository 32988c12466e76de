/** Values of every kind, in columns of the types that the servers have for them. */
import { decimal, json } from "rowtype";
import { z } from "zod";
import { servers } from "../../servers.js";

/** The servers whose types these are. */
export type Named = "postgres" | "mariadb" | "sqlite";

/** Those of them that may be there. */
export const live = servers.filter(({ name }) => name !== "h2" && name !== "oracle");

/** Values of a kind. */
export interface Kept {
  readonly schema: z.ZodType;
  /** The declared types. */
  readonly types: { readonly [N in Named]?: readonly (string | undefined)[] };
  /** The value of the first row, and that of the second. */
  readonly values: readonly [unknown, unknown];
  /** What is none of both, though a cut or a rounding would make it the first. */
  readonly neither?: unknown;
  /** Whether the values are no constants of a program. */
  readonly isNoConstant?: true;
}

/** An instant whose day three hours behind UTC is the same, and whose milliseconds are not 0. */
export const at = new Date("2026-03-08T23:30:00.123Z");
const none = [undefined];

/** Every kind. */
export const kinds: readonly Kept[] = [
  {
    schema: z.string(),
    types: {
      postgres: [undefined, "varchar(5)", "char(5)", "character varying(7)", 'text COLLATE "C"', "citext_"],
      mariadb: [undefined, "varchar(5)", "varchar(7) CHARACTER SET latin1", "char(6) COLLATE utf8mb4_bin"],
      sqlite: [undefined, "VARCHAR(5)"],
    },
    values: ["abcde", "xy"],
    neither: "abcdef",
  },
  {
    schema: z.string(),
    types: { postgres: ["uuid"], mariadb: ["uuid"] },
    values: ["2f1c7dd2-0a51-4bb5-9c39-5b0a1fd5b201", "2f1c7dd2-0a51-4bb5-9c39-5b0a1fd5b202"],
  },
  {
    schema: z.enum(["sad", "happy"]),
    types: { postgres: [undefined, "mood"], mariadb: [undefined, "enum('sad','happy')"], sqlite: none },
    values: ["sad", "happy"],
  },
  {
    schema: z.int(),
    types: {
      postgres: [undefined, "smallint", "integer", "numeric(6)", "serial"],
      mariadb: [undefined, "int", "smallint unsigned", "decimal(6)"],
      sqlite: none,
    },
    values: [7, 12],
  },
  {
    schema: z.number(),
    types: {
      postgres: [undefined, "numeric(10,2)", "real", "float(24)"],
      mariadb: [undefined, "decimal(10,2)"],
      sqlite: none,
    },
    values: [1.25, 2.5],
    neither: 1.2501,
  },
  {
    schema: z.bigint(),
    types: { postgres: [undefined, "numeric(30)"], mariadb: [undefined, "decimal(30)"], sqlite: none },
    values: [9007199254740993n, 9007199254740992n],
    neither: 9007199254740994n,
  },
  { schema: z.boolean(), types: { postgres: none, mariadb: none, sqlite: none }, values: [true, false] },
  {
    schema: z.date(),
    types: {
      postgres: [
        undefined,
        "timestamptz",
        "timestamp",
        "timestamp without time zone",
        "timestamp(3)",
        "timestamp with time zone",
      ],
      mariadb: [undefined, "datetime(6)", "timestamp(3) NULL", "datetime(3)"],
      sqlite: [undefined, "INTEGER", "TEXT"],
    },
    values: [at, new Date(at.getTime() + 3_600_000)],
    neither: new Date(at.getTime() + 1),
  },
  {
    schema: z.date(),
    types: { postgres: ["date"], mariadb: ["date"] },
    values: [new Date("2026-03-08"), new Date("2026-03-09")],
  },
  {
    schema: z.instanceof(Uint8Array),
    types: { postgres: none, mariadb: none, sqlite: none },
    values: [new Uint8Array([1, 0, 255]), new Uint8Array([1])],
    isNoConstant: true,
  },
  {
    schema: decimal(10, 2),
    types: { postgres: none, mariadb: none, sqlite: none },
    values: ["12.50", "12.05"],
  },
  {
    schema: z.string(),
    types: { postgres: ["numeric(10,2)"], mariadb: ["decimal(10,2)"] },
    values: ["12.50", "12.05"],
    neither: "12.51",
  },
  {
    schema: json(z.object({ a: z.int() })),
    types: { postgres: [undefined, "jsonb"] },
    values: [{ a: 1 }, { a: 2 }],
    isNoConstant: true,
  },
  {
    schema: z.array(z.string()),
    types: { postgres: [undefined, "varchar(3)[]"] },
    values: [["abc", "b"], []],
    neither: ["abcd", "b"],
    isNoConstant: true,
  },
  {
    schema: z.array(z.int()),
    types: { postgres: [undefined, "integer[]", "smallint ARRAY[4]"] },
    values: [[1, 2], [3]],
    isNoConstant: true,
  },
];
