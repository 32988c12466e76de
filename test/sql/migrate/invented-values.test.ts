/**
 * No step gives a row a value that nobody wrote. A column that every row needs, and that the rows have no value for, is a
 * failure that leaves the rows as they were: of every kind, alone and among other steps, as a key, as a reference, and
 * as a column that was nullable; also where the session of MariaDB would make up values.
 */
import { rmSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import mysql from "mysql2/promise";
import { type AnyTable, column, type Database, type Dialect, decimal, json, table } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { diff, MigrationError, migrate } from "rowtype/migrate";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Lent, type Server, servers } from "../../servers.js";
import { makeFolder } from "./folders.js";

const id = column(z.int(), { primaryKey: true });
const short = z.string().max(40);
const onMariadb = (type: string) => column(z.date(), { type: { mariadb: type } });

const kinds: Readonly<Record<string, z.ZodType>> = {
  int: z.int(),
  bigint: z.bigint(),
  number: z.number(),
  boolean: z.boolean(),
  text: z.string(),
  "short text": short,
  enum: z.enum(["a", "b"]),
  "checked enum": column(z.enum(["a", "b"]), { checkValues: true }),
  date: z.date(),
  "date alone": onMariadb("date"),
  "date that is an instant": onMariadb("timestamp(3)"),
  decimal: decimal(12, 2),
  json: json(z.object({})),
  bytes: z.instanceof(Uint8Array),
  "native enum": column(z.enum(["a", "b"]), { type: { mariadb: "enum('a','b')" } }),
  commented: column(short, { comment: "NOT NULL, says the comment" }),
};

interface Edit {
  /** What is there, with rows. */
  readonly before: readonly AnyTable[];
  readonly rows: readonly string[];
  readonly after: readonly AnyTable[];
  readonly only?: Dialect;
}

const t = (shape: Record<string, z.ZodType>, options: object = {}): AnyTable =>
  table("t", z.object(shape), options);
const Parent = table("p", z.object({ id }));
const Named = table("p", z.object({ id: column(short, { primaryKey: true }) }));
const one = ["INSERT INTO t (id) VALUES (7)"];

const edits: Readonly<Record<string, Edit>> = {
  "a new column that is written at updates": {
    before: [t({ id })],
    rows: one,
    after: [
      t({ id, c: column(z.date(), { type: "datetime", constraints: "ON UPDATE current_timestamp()" }) }),
    ],
    only: "mariadb",
  },
  "a new column among other steps": {
    before: [t({ id, note: short, old: z.int().nullable() }, { indexes: [{ columns: ["note"] }] })],
    rows: ["INSERT INTO t (id, note) VALUES (7, 'n')"],
    after: [
      t(
        {
          id,
          remark: column(z.string().max(60), { renamedFrom: "note" }),
          more: column(z.int().nullable(), { index: true }),
          c: column(short, { unique: true, check: "c <> 'x'" }),
          last: z.int().nullable(),
        },
        { checks: { t_id_check: "id > 0" } },
      ),
      table("u", z.object({ id })),
    ],
  },
  "a new column of a table that is renamed": {
    before: [table("s", z.object({ id }))],
    rows: ["INSERT INTO s (id) VALUES (7)"],
    after: [t({ id, c: short }, { renamedFrom: "s" })],
  },
  "two new columns": {
    before: [t({ id })],
    rows: one,
    after: [t({ id, c: z.int(), d: z.int() })],
  },
  "a new unique column": {
    before: [t({ id })],
    rows: one,
    after: [t({ id, c: column(short, { unique: true }) })],
  },
  "a new key": {
    before: [t({ id: z.int() })],
    rows: one,
    after: [t({ id: z.int(), c: column(z.int(), { primaryKey: true }) })],
  },
  "a new key of text": {
    before: [t({ id: z.int() })],
    rows: one,
    after: [t({ id: z.int(), c: column(short, { primaryKey: true }) })],
  },
  "a key of two columns, one of them new": {
    before: [t({ id })],
    rows: one,
    after: [t({ id: z.int(), c: z.int() }, { primaryKey: ["id", "c"] })],
  },
  "a new reference, where a row has the empty number": {
    before: [Parent, t({ id })],
    rows: ["INSERT INTO p (id) VALUES (0)", ...one],
    after: [Parent, t({ id, c: column(z.int(), { references: () => Parent }) })],
  },
  "a new reference, where a row has the empty text": {
    before: [Named, t({ id })],
    rows: ["INSERT INTO p (id) VALUES ('')", ...one],
    after: [Named, t({ id, c: column(short, { references: () => Named }) })],
  },
  ...Object.fromEntries(
    Object.entries({ int: z.int(), text: short, date: z.date(), decimal: decimal(12, 2) }).map(
      ([kind, c]) => [
        `a column that is not nullable any more (${kind})`,
        { before: [t({ id, c: c.nullable() })], rows: one, after: [t({ id, c })] },
      ],
    ),
  ),
  "a column that is not nullable any more, and of a wider type": {
    before: [t({ id, c: column(z.string().nullable(), { type: "varchar(20)" }) })],
    rows: one,
    after: [t({ id, c: column(z.string(), { type: "varchar(300)" }) })],
  },
  "a nullable column that becomes the key": {
    before: [t({ id: z.int(), c: z.int().nullable() })],
    rows: one,
    after: [t({ id: z.int(), c: column(z.int(), { primaryKey: true }) })],
  },
  "a nullable column that becomes the generated key": {
    before: [t({ id: z.int(), c: z.int().nullable() })],
    rows: one,
    after: [t({ id: z.int(), c: column(z.int(), { primaryKey: true, generated: "byDefault" }) })],
  },
  "a nullable column that becomes part of the key": {
    before: [t({ id, c: short.nullable() })],
    rows: one,
    after: [t({ id: z.int(), c: short }, { primaryKey: ["id", "c"] })],
  },
  "a nullable reference that is not nullable any more": {
    before: [Parent, t({ id, c: column(z.int().nullable(), { references: () => Parent }) })],
    rows: ["INSERT INTO p (id) VALUES (0)", ...one],
    after: [Parent, t({ id, c: column(z.int(), { references: () => Parent }) })],
  },
};

interface Place {
  readonly db: Database;
  readonly lent: Lent;
  readonly dialect: Dialect;
}

type Row = Readonly<Record<string, unknown>>;

/** The name of `t`, which may not have it yet. */
async function nameOf({ lent }: Place, { before }: Edit): Promise<string> {
  return lent.run("SELECT * FROM t").then(
    () => "t",
    () => before.at(-1)?.name ?? "",
  );
}

async function rowsOf(place: Place, edit: Edit): Promise<readonly Row[]> {
  return (await place.lent.run(`SELECT * FROM ${await nameOf(place, edit)}`)) as readonly Row[];
}

async function clear({ lent }: Place): Promise<void> {
  for (const name of ["t", "s", "u", "p"]) await lent.run(`DROP TABLE IF EXISTS ${name}`);
  await lent.run("DELETE FROM rowtype_migrations").catch(() => []);
}

async function make({ db, lent }: Place, { before, rows }: Edit): Promise<void> {
  await db.createTables(...before);
  for (const row of rows) await lent.run(row);
}

/** The values of the columns that were there; of others there is none. */
function kept(after: readonly Row[], before: readonly Row[]): readonly Row[] {
  const names = new Set(Object.keys(before[0] ?? {}));
  return after.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([name, value]) => names.has(name) || value !== null)),
  );
}

function eachEdit(dialect: Dialect, place: () => Place, isMeant: (what: string) => boolean): void {
  for (const [what, edit] of Object.entries(edits).filter(
    ([title, { only = dialect }]) => only === dialect && isMeant(title),
  ))
    test(`${what}: fails, and the rows are as they were`, async () => {
      const here = place();
      const { db, lent } = here;
      await clear(here);
      await make(here, edit);
      const before = await rowsOf(here, edit);
      const folder = makeFolder(dialect);
      try {
        const change = await diff(edit.after, db);
        folder.putAs("20260101_000000_edit.sql", change.text().replace(/^-- step .*$/gm, "$& (allowed)"));
        const error = await thrownBy(migrate(db, { folder: folder.path }));
        // What is renamed before the failing step keeps its values under the new name.
        const renamed = before.map(({ note, ...row }) =>
          note === undefined ? row : { ...row, remark: note },
        );
        const after = await rowsOf(here, edit);
        const isKept = [before, renamed].some((rows) => isDeepStrictEqual(kept(after, rows), rows));
        expect(isKept, `${error} ${JSON.stringify(after)}`).toBe(true);
        if (!(error instanceof MigrationError)) throw error ?? new Error("nothing failed");
        expect(error.code).toBe("MIGRATION_FAILED");
        // It was the rows: without them the same file is applied.
        await lent.run(`DELETE FROM ${await nameOf(here, edit)}`);
        await migrate(db, { folder: folder.path });
        expect((await diff(edit.after, db)).text()).toBe("");
      } finally {
        rmSync(folder.path, { recursive: true });
      }
    });
}

function thrownBy(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
}

/** Each kind is a table of its own: one difference, of which every table's steps are sent until one fails. */
function eachKind(place: () => Place): void {
  test("a new column of any kind: fails, and the rows are as they were", async () => {
    const { db, lent, dialect } = place();
    const named = Object.entries(kinds).map(([kind, c], i) => ({ kind, c, name: `k${i}` }));
    const before = named.map(({ name }) => table(name, z.object({ id })));
    await db.createTables(...before);
    for (const { name } of before) await lent.run(`INSERT INTO ${name} (id) VALUES (7)`);
    const after = named.map(({ name, c }) => table(name, z.object({ id, c })));
    const { steps } = await diff(after, db);
    const apply = async (name: string) => {
      const texts = steps.filter((step) => step.table === name).flatMap(({ sql }) => sql);
      // Its one handle: what failed half way leaves nothing.
      const [begin, end, undo] = dialect === "sqlite" ? ["BEGIN", "COMMIT", "ROLLBACK"] : [];
      try {
        for (const text of [begin, ...texts, end]) if (text !== undefined) await lent.run(text);
      } catch (error) {
        if (undo !== undefined) await lent.run(undo);
        throw error;
      }
    };
    for (const { kind, name } of named) {
      await expect(apply(name), kind).rejects.toThrow();
      const rows = await lent.run(`SELECT * FROM ${name}`);
      expect(JSON.stringify(rows), kind).toMatch(/^\[{"id":"?7"?}\]$/);
      expect(steps.find((step) => step.table === name)?.risks, kind).toContain("may-fail");
      await lent.run(`DELETE FROM ${name}`);
      await apply(name);
    }
    expect((await diff(after, db)).text()).toBe("");
  });
}

const live = servers.filter(({ dialect }) => dialect !== "oracle");

function onServer(
  server: Server,
  title: string,
  dbOf: (lent: Lent) => [Database, () => Promise<void>],
  block: (place: () => Place) => void,
): void {
  describe.skipIf(!server.available)(title, () => {
    let place: Place;
    let close: () => Promise<void>;
    beforeAll(async () => {
      const lent = await server.lend();
      const [db, end] = dbOf(lent);
      place = { db, lent, dialect: server.dialect };
      close = async () => {
        await end();
        await lent.close();
      };
    });
    afterAll(() => close());
    block(() => place);
  });
}

const nothing = async () => undefined;

for (const server of live) {
  onServer(
    server,
    `values that nobody wrote, on ${server.name}`,
    ({ db }) => [db, nothing],
    (place) => {
      eachKind(place);
      eachEdit(server.dialect, place, () => true);
    },
  );
  if (server.name !== "mariadb") continue;
  onServer(
    server,
    "values that nobody wrote, on mariadb where the session makes them up",
    ({ url = "" }) => {
      const pool = mysql.createPool({ uri: url, connectionLimit: 4 });
      const lax = "sql_mode = '', check_constraint_checks = 0, foreign_key_checks = 0";
      pool.pool.on("connection", (connection) => void connection.query(`SET SESSION ${lax}`));
      return [mariadb(pool), () => pool.end()];
    },
    // What is new is refused by a check.
    (place) => eachEdit(server.dialect, place, (what) => !what.includes("new") || what.includes("reference")),
  );
}
