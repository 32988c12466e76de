/** Texts that no server can be told: a NUL, or half of a character, in any text that goes into DDL. */
import { column, type DeclarationError, ddl, enumType, table, view } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Lent, servers } from "../../servers.js";

const id = column(z.int(), { primaryKey: true });
const Other = table("others", z.object({ id }));
const shape = { id, a: z.int(), b: z.int() };
const ofColumn = (meta: object) => table("t", z.object({ id, a: column(z.string(), meta as never) }));
const ofTable = (options: object) => table("t", z.object(shape), options as never);

/** What is declared with a text, by the place of the text. */
const places: { readonly [Place: string]: (text: string) => unknown } = {
  "the name of a table": (text) => table(text, z.object({ id })),
  "the name of a property": (text) => table("t", z.object({ id, [text]: z.int() })),
  "the name of a column": (name) => ofColumn({ name }),
  "a type": (type) => ofColumn({ type }),
  "a type of one dialect": (text) => ofColumn({ type: { postgres: text } }),
  "a default": (text) => ofColumn({ default: `'${text}'` }),
  "a default of one dialect": (text) => ofColumn({ default: { mariadb: text } }),
  "a check": (check) => ofColumn({ check }),
  "the name of an index": (index) => ofColumn({ index }),
  "a reference": (text) => ofColumn({ references: `others(${text})` }),
  constraints: (constraints) => ofColumn({ constraints }),
  "a computed column": (computed) => ofColumn({ computed }),
  "the comment of a column": (comment) => ofColumn({ comment }),
  "a former name of a column": (renamedFrom) => ofColumn({ renamedFrom }),
  "former names of a column": (text) => ofColumn({ renamedFrom: ["x", text] }),
  "a member of an enum": (text) => table("t", z.object({ id, a: z.enum(["x", text]) })),
  "a member of an enum that may be null": (text) =>
    table("t", z.object({ id, a: z.enum([text]).nullable() })),
  "a literal": (text) => table("t", z.object({ id, a: z.literal(text) })),
  "one of several literals": (text) => table("t", z.object({ id, a: z.literal(["x", text]) })),
  "a literal of a union": (text) =>
    table("t", z.object({ id, a: z.union([z.literal("x"), z.literal(text)]) })),
  "a checked enum": (text) =>
    table("t", z.object({ id, a: column(z.enum(["x", text]), { checkValues: true }) })),
  "the name of an enum type": (text) => enumType(text, ["x"]),
  "a member of an enum type": (text) => enumType("e", ["x", text]),
  "the schema of an enum type": (schema) => enumType("e", ["x"], { schema }),
  "the schema of a table": (schema) => ofTable({ schema }),
  "the comment of a table": (comment) => ofTable({ comment }),
  "a former name of a table": (renamedFrom) => ofTable({ renamedFrom }),
  "a check of a table": (text) => ofTable({ checks: { positive: text } }),
  "the name of a check": (text) => ofTable({ checks: { [text]: "a > 0" } }),
  "the name of a foreign key": (name) =>
    ofTable({ foreignKeys: [{ columns: ["a"], references: () => Other, name }] }),
  "the name of an index of a table": (name) => ofTable({ indexes: [{ columns: ["a"], name }] }),
  "the condition of an index": (where) => ofTable({ indexes: [{ columns: ["a"], where }] }),
  "the method of an index": (using) => ofTable({ indexes: [{ columns: ["a"], using }] }),
  "the expression of an index": (expression) => ofTable({ indexes: [{ expression, name: "i" }] }),
  "the name of a view": (text) => view(text, z.object({ id }), { as: "SELECT 1 AS id" }),
  "the query of a view": (as) => view("v", z.object({ id }), { as }),
  "the query of a view on one dialect": (text) => view("v", z.object({ id }), { as: { sqlite: text } }),
  "the comment of a view": (comment) => view("v", z.object({ id }), { as: "SELECT 1 AS id", comment }),
};

describe.each([
  ["a NUL", "a\0b"],
  ["only a NUL", "\0"],
  ["half of a character", "a\ud800b"],
  ["the other half", "\udc00"],
])("%s is refused in", (_, text) => {
  test.each(Object.entries(places))("%s", (_place, declare) => {
    let thrown: unknown;
    try {
      declare(text);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: "DECLARATION" } satisfies Partial<DeclarationError>);
    // It says what it is about without showing what a terminal would act on.
    expect(String(Object(thrown).message)).not.toContain("\0");
  });
});

/** What is named on MariaDB, by the place of the name. */
const named = {
  table: (name: string) => table(name, z.object({ id })),
  column: (name: string) => table("names", z.object({ id, a: column(z.int(), { name }) })),
  index: (name: string) => table("names", z.object({ id, a: column(z.int(), { index: name }) })),
  "index of a table": (name: string) =>
    table("names", z.object(shape), { indexes: [{ columns: ["a", "b"], name }] }),
  "foreign key": (name: string) =>
    table("names", z.object(shape), { foreignKeys: [{ columns: ["a"], references: () => Other, name }] }),
  check: (name: string) => table("names", z.object(shape), { checks: { [name]: "a > 0" } }),
};
const mariadbServer = servers.find(({ name }) => name === "mariadb");
describe.skipIf(mariadbServer?.available !== true)("names on MariaDB", () => {
  let lent: Lent;
  beforeAll(async () => {
    lent = (await mariadbServer?.lend()) as Lent;
    await lent.db.createTables(Other);
  });
  afterAll(() => lent.close());

  // With a character before it, a name ends in it, or has it inside.
  const characters = [
    " ",
    "\t",
    "\n",
    "\v",
    "\f",
    "\r",
    "\u00a0",
    "\u2003",
    "\u007f",
    "\u0001",
    "\b",
    "é",
    "漢",
  ];
  const names = [
    ...characters.flatMap((one) => [`n${one}`, `n${one}m`, `${one}n`]),
    "🙂",
    "n🙂m",
    "n\u{10000}",
    "n\uffff",
  ];
  test.each(Object.entries(named))(
    "a %s that the server takes is declared, and any other refused",
    async (kind, declare) => {
      for (const name of names) {
        const declared = declare(name);
        const taken = refusalOf(() => ddl(declared, "mariadb"));
        if (taken === undefined) {
          await lent.db.createTables(declared);
          await lent.db.dropTables(declared);
          continue;
        }
        expect([name, taken]).toEqual([name, "DECLARATION"]);
        expect([name, refusalOf(() => mariadb().repository(declared))]).toEqual([name, "DECLARATION"]);
        expect(refusalOf(() => ddl(declared, "postgres"))).toBeUndefined();
        // The server takes no such name; that of a check may end in a blank.
        if (kind !== "check")
          await expect(
            lent.run(`CREATE TABLE names (${quote(name)} int, KEY ${quote(name)} (${quote(name)}))`),
          ).rejects.toThrow();
      }
    },
  );
});

const quote = (name: string) => `\`${name}\``;

function refusalOf(work: () => unknown): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return Object(error).code;
  }
}
