/** How `pull` writes what it read: in the order of the tables, in plain words, with nothing hidden, and no longer than it must. */
import { type Dialect, table } from "rowtype";
import { diff, introspect, pull } from "rowtype/migrate";
import { expect, test } from "vitest";
import { z } from "zod";
import { onRunnerServers } from "./folders.js";
import { runPulled } from "./pulled-file.js";

const quoted = (name: string, dialect: Dialect) => (dialect === "mariadb" ? `\`${name}\`` : `"${name}"`);
const HIDDEN = /[^\P{C}\n]|[\u2028\u2029\n]/u;

onRunnerServers("what pull writes", (place) => {
  test("has the columns in the order of the table, also where they are made again", async () => {
    const { lent, dialect } = place();
    const orders = [
      ["z", "a", "m"],
      ["m", "z", "a"],
      ["b", "B2", "a", "_c"],
      ["created_at", "id", "Name"],
    ];
    for (const [i, names] of orders.entries())
      await lent.run(
        `CREATE TABLE t${i} (${names.map((name) => `${quoted(name, dialect)} varchar(20) NOT NULL`).join(", ")}, PRIMARY KEY (${names
          .slice(0, 2)
          .map((name) => quoted(name, dialect))
          .reverse()
          .join(", ")}))`,
      );
    const { source } = await pull(lent.db, { names: "same" });
    const file = runPulled(source);
    for (const [i, names] of orders.entries())
      expect(Object.keys(file.parts.get(`T${i}`)?.shape ?? {})).toEqual(names);
    expect((await diff(file.declared(), lent.db)).text()).toBe("");
    const before = await introspect(lent.db);
    await lent.db.dropTables(...orders.map((_, i) => table(`t${i}`, z.object({ a: z.string() }))));
    await lent.db.createTables(...file.declared());
    const said = ({ tables }: typeof before) =>
      tables.map((one) => ({ ...one, primaryKey: one.primaryKey?.columns }));
    expect(said(await introspect(lent.db))).toEqual(said(before));
    for (const [i, names] of orders.entries()) {
      await lent.run(`INSERT INTO t${i} VALUES (${names.map((name) => `'${name}'`).join(", ")})`);
      const [row] = await lent.run(`SELECT * FROM t${i}`);
      expect(Object.entries(Object(row))).toEqual(names.map((name) => [name, name]));
    }
  });

  test("names no collation that is the database's, and keeps it", async () => {
    const { lent, dialect } = place();
    if (dialect === "postgres")
      await lent.run(
        `CREATE TABLE t (a text, b varchar(20), c char(3), d text[], e text COLLATE "C", f varchar(9) COLLATE "POSIX", g bpchar)`,
      );
    else await lent.run("CREATE TABLE t (a text, b varchar(20), c char(3))");
    const before = await introspect(lent.db);
    const { source, notCarried } = await pull(lent.db, { names: "same" });
    expect(notCarried).toEqual([]);
    expect(source).not.toMatch(/COLLATE\s+\\?"default/i);
    const file = runPulled(source);
    expect((await diff(file.declared(), lent.db, { types: "exact" })).text(), source).toBe("");
    await lent.db.dropTables(table("t", z.object({ a: z.string() })));
    await lent.db.createTables(...file.declared());
    expect(await introspect(lent.db)).toEqual(before);
  });

  test("hides nothing in what it tells, whatever things are called", async () => {
    const { lent, dialect } = place();
    const odd = "a\u202eb\u2028c\u200bd";
    const q = (name: string) => quoted(name, dialect);
    await lent.run(`CREATE TABLE ${q(`t ${odd}`)} (a varchar(20), ${q(odd)} varchar(20))`);
    const statements: Partial<Record<Dialect, readonly string[]>> = {
      sqlite: [
        `CREATE TRIGGER ${q(odd)} AFTER INSERT ON ${q(`t ${odd}`)} BEGIN SELECT 1; END`,
        `CREATE INDEX ${q(`i ${odd}`)} ON ${q(`t ${odd}`)} (lower(a), upper(${q(odd)}))`,
        `CREATE TABLE ${q(`k.${odd}`)} (${q(odd)} text PRIMARY KEY)`,
        `CREATE TABLE "k" (${q(odd)} text PRIMARY KEY, v text, UNIQUE (${q(odd)}))`,
      ],
      postgres: [
        `CREATE INDEX ${q(`i ${odd}`)} ON ${q(`t ${odd}`)} (lower(a), upper(${q(odd)}))`,
        `ALTER TABLE ${q(`t ${odd}`)} ADD CONSTRAINT ${q(odd)} CHECK (a <> '') NOT VALID`,
        `CREATE SEQUENCE ${q(`s ${odd}`)}`,
        `CREATE TYPE ${q(`p ${odd}`)} AS (a int)`,
        `ALTER TABLE ${q(`t ${odd}`)} ADD c ${q(`p ${odd}`)}`,
      ],
      mariadb: [
        `CREATE TRIGGER ${q(odd)} AFTER INSERT ON ${q(`t ${odd}`)} FOR EACH ROW SET @x = 1`,
        `CREATE INDEX ${q(`i ${odd}`)} ON ${q(`t ${odd}`)} (a(3))`,
        `CREATE TABLE ${q(`k.${odd}`)} (a int PRIMARY KEY)`,
      ],
    };
    for (const sql of statements[dialect] ?? []) await lent.run(sql);
    const { source, notCarried } = await pull(lent.db, { names: "camel" });
    expect(notCarried.length).toBeGreaterThan(2);
    for (const one of notCarried) expect(one).not.toMatch(HIDDEN);
    expect(source.match(/[^\P{C}\n]|[\u2028\u2029]/gu)).toBeNull();
    for (const one of notCarried) expect(source).toContain(one);
    expect((await diff(runPulled(source).declared(), lent.db)).text()).toBe("");
  });
});

onRunnerServers("what pull writes of PostgreSQL", (place) => {
  test("is a domain by its base type, which is read and written as that", async ({ skip }) => {
    const { lent, dialect } = place();
    if (dialect !== "postgres") skip("no other server has domains");
    const domains: readonly (readonly [base: string, schema: string, value: unknown])[] = [
      ["integer CHECK (VALUE > 0)", "z.int()", 7],
      ["bigint NOT NULL", "z.int()", 8],
      ["text", "z.string()", "x"],
      ["varchar(20)", "z.string()", "y"],
      ["numeric(12,2)", "z.string()", "1.50"],
      ["boolean", "z.boolean()", true],
      ["double precision", "z.number()", 1.5],
      ["timestamptz", "z.date()", new Date(0)],
      ["date", "z.date()", new Date(0)],
      ["bytea", "z.instanceof(Uint8Array)", new Uint8Array([1])],
      ["jsonb", "json(z.unknown())", { a: 1 }],
      ["uuid", "z.string()", "11111111-1111-1111-1111-111111111111"],
      ["mood", "z.enum(Mood.values)", "sad"],
      ["d_0", "z.int()", 9],
      ["d_13", "z.int()", 10],
    ];
    await lent.run("CREATE TYPE mood AS ENUM ('sad', 'happy')");
    for (const [i, [base]] of domains.entries()) await lent.run(`CREATE DOMAIN d_${i} AS ${base}`);
    await lent.run(
      `CREATE TABLE t (id integer PRIMARY KEY, ${domains.map((_, i) => `c${i} d_${i} NOT NULL`).join(", ")}, many d_2[], other public.d_0)`,
    );
    const { source, notCarried } = await pull(lent.db, { names: "same" });
    for (const [i, [, schema]] of domains.entries())
      expect(source).toContain(`c${i}: column(${schema}, { type: "d_${i}"`);
    expect(source).toContain('many: column(z.array(z.string()).nullable(), { type: "d_2[]"');
    expect(source).not.toContain("z.unknown()).");
    expect(notCarried).toEqual(domains.map((_, i) => `domain d_${i}`).sort());
    const file = runPulled(source);
    const [T] = file.declared().filter((one) => "insertSchema" in one);
    if (T === undefined || !("insertSchema" in T)) throw new Error("the table is declared");
    expect((await diff(file.declared(), lent.db, { types: "exact" })).text()).toBe("");
    const row = {
      id: 1,
      ...Object.fromEntries(domains.map(([, , value], i) => [`c${i}`, value])),
      many: ["a"],
      other: 3,
    };
    const repository = lent.db.repository(T);
    // The names of a file that was just written are in no type.
    await repository.insert().exec(row as never);
    expect(await repository.query().exec()).toEqual([row]);
  });

  test("is one line for all partitions of a table, also of those that are divided again", async ({
    skip,
  }) => {
    const { lent, dialect } = place();
    if (dialect !== "postgres") skip("no other server has partitions of that kind");
    await lent.run(
      "CREATE TABLE events (at integer, kind text, PRIMARY KEY (at, kind)) PARTITION BY RANGE (at)",
    );
    for (let i = 0; i < 25; i++)
      await lent.run(`CREATE TABLE events_${i} PARTITION OF events FOR VALUES FROM (${i}) TO (${i + 1})`);
    await lent.run(
      "CREATE TABLE events_rest PARTITION OF events FOR VALUES FROM (25) TO (99) PARTITION BY LIST (kind)",
    );
    await lent.run("CREATE TABLE events_rest_a PARTITION OF events_rest FOR VALUES IN ('a')");
    await lent.run("CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'");
    await lent.run("CREATE TRIGGER touch BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION f()");
    await lent.run("CREATE TABLE other (id integer)");
    const { source, notCarried } = await pull(lent.db, { names: "same" });
    expect(notCarried).toEqual([
      "function f()",
      "partitioned table events of events",
      "partitions (27) of events",
      "trigger touch of events",
    ]);
    expect([...runPulled(source).parts.keys()]).toEqual(["Events", "Other"]);
    expect((await diff(runPulled(source).declared(), lent.db, { drop: "tables" })).text()).toBe("");
  });
});
