/** `rowtype/testing`: what a recording database keeps, and what it answers with. */
import { ConstraintError, type Dialect, QueryError, type Row } from "rowtype";
import { type AnswerRow, type Recording, recording } from "rowtype/testing";
import { describe, expect, test } from "vitest";
import { Person, Team } from "../../kit/people.js";
import { sqlErrorIn, sqlErrorOf } from "../../kit/thrown.js";

const dialects: readonly Dialect[] = ["postgres", "mariadb", "sqlite", "oracle"];
const person: Row<typeof Person> = {
  id: 7,
  email: "ann@example.org",
  name: 'A "quoted" \\ name',
  age: null,
  score: -0.5,
  role: "guest",
  active: true,
  balance: 9007199254740993n,
  bornAt: new Date("0099-12-31T23:59:59.999Z"),
  teamId: 3,
  photo: new Uint8Array([0, 92, 255]),
  settings: { theme: "dark", seen: new Date(5) },
  tags: ["a,b", 'quote "', "back\\slash", "", "NULL"],
  createdAt: new Date("2026-01-02T03:04:05.678Z"),
};

// What is sent for an insert, an upsert and two updates, where some dialects need several statements for one.
const verbs: { readonly [D in Dialect]: readonly string[] } = {
  postgres: ["INSERT", "INSERT", "UPDATE", "UPDATE"],
  sqlite: ["INSERT", "INSERT", "UPDATE", "UPDATE"],
  mariadb: ["INSERT", "INSERT", "UPDATE", "SELECT", "SELECT", "UPDATE", "SELECT"],
  oracle: ["INSERT", "UPDATE", "SELECT", "UPDATE", "UPDATE"],
};

// One type for all of them: what these tests use, every dialect has.
const recordingOf = (...args: Parameters<typeof recording>) => recording(...args) as Recording<"sqlite">;

describe.each(dialects)("recording %s", (dialect) => {
  test("returns the given rows of every kind, and records the statements", async () => {
    const db = recordingOf(dialect, [[person], [{ ...person, id: 8 }]]);
    const people = db.repository(Person);
    expect(await people.query().exec()).toEqual([person]);
    const byId = people.select().where("id", "=", "id");
    expect(await byId.exec({ id: 8 })).toEqual({ ...person, id: 8 });
    expect(db.statements).toEqual([
      { sql: people.query().render().native.sql, params: [] },
      { sql: byId.render().native.sql, params: [8] },
    ]);
    expect(db.dialect).toBe(dialect);
  });

  test("answers without rows if none were given", async () => {
    const db = recordingOf(dialect);
    const teams = db.repository(Team);
    expect(await teams.query().exec()).toEqual([]);
    expect(await teams.select().where("id", "=", "id").execOrNull({ id: 1 })).toBeNull();
    expect(await teams.remove().where("id", "=", "id").exec({ id: 1 })).toBe(0);
    expect([await teams.count().exec(), await db.repository(Person).sum("balance").exec()]).toEqual([0, 0n]);
    expect(db.statements).toHaveLength(5);
  });

  test("a number of changed rows is the length of the list", async () => {
    const db = recordingOf(dialect, (statement) =>
      statement.sql.startsWith("DELETE") ? [{}, {}, {}] : [{}],
    );
    const teams = db.repository(Team);
    expect(await teams.remove().where("id", ">", "id").exec({ id: 1 })).toBe(3);
    const rename = teams.modify().set("title", "title").where("id", "=", "id");
    const list = [
      { id: 1, title: "a" },
      { id: 2, title: "b" },
    ];
    expect(await rename.execBatch(list)).toBe(dialect === "oracle" ? 2 : 1);
  });

  test("the rows of execEach are in the order of the list", async () => {
    const rows = [
      { id: 1, title: "a" },
      { id: 2, title: "b" },
    ];
    const db = recordingOf(dialect, ({ params }) =>
      dialect === "oracle" ? [{ id: params[1], title: params[0] }] : rows,
    );
    const teams = db.repository(Team);
    expect(await teams.modify().set("title", "title").where("id", "=", "id").execEach(rows)).toEqual(rows);
  });

  test("the value of an aggregate has any name", async () => {
    const db = recordingOf(dialect, [[{ n: 5 }], [{ total: 9007199254740993n }], [{ best: 1.5 }]]);
    const people = db.repository(Person);
    expect(await people.count().exec()).toBe(5);
    expect(await people.sum("balance").exec()).toBe(9007199254740993n);
    expect(await people.max("score").exec()).toBe(1.5);
  });

  test("inserts, updates and upserts answer with their rows, in however many statements", async () => {
    const row = { id: 1, title: "One" };
    const db = recordingOf(dialect, () => [row]);
    const teams = db.repository(Team);
    expect(await teams.insert().exec(row)).toEqual(row);
    expect(await teams.insert().onConflict("id").doUpdate().exec(row)).toEqual(row);
    const rename = teams.modify().set("title", "title");
    expect(await rename.where("id", "=", "id").exec({ id: 1, title: "One" })).toEqual(row);
    expect(await rename.where("id", ">", "id").execMany({ id: 0, title: "One" })).toEqual([row]);
    expect(db.statements.map(({ sql }) => sql.split(" ")[0])).toEqual(verbs[dialect]);
  });

  test("transactions are listed apart from statements", async () => {
    const db = recordingOf(dialect, [[{ id: 1, title: "One" }]]);
    const teams = db.repository(Team);
    await db.transaction(async (tx) => {
      await tx.repository(Team).insert().exec({ id: 1, title: "One" });
      await tx.transaction((inner) => teams.query().execTx(inner));
    });
    const failing = db.transaction(async (tx) => {
      await teams.count().execTx(tx);
      throw new RangeError("no");
    });
    await expect(failing).rejects.toThrow(RangeError);
    const [insert, query, count] = db.statements;
    expect(db.transactions).toEqual([
      { outcome: "committed", statements: [insert, query] },
      { outcome: "rolled back", statements: [count] },
    ]);
  });

  test("an answer may be an error, and a retry asks for another answer", async () => {
    let asked = 0;
    const db = recordingOf(dialect, () => {
      if (++asked < 3) throw new QueryError("DEADLOCK", "chosen");
      return [{ id: 1, title: "One" }];
    });
    const running = db.transaction((tx) => tx.repository(Team).query().exec(), { retries: 2 });
    expect(await running).toEqual([{ id: 1, title: "One" }]);
    expect(db.transactions.map(({ outcome }) => outcome)).toEqual([
      "rolled back",
      "rolled back",
      "committed",
    ]);
    const broken = recordingOf(dialect, () => {
      throw new TypeError("not ours");
    });
    expect(await sqlErrorOf(broken.repository(Team).query().exec())).toMatchObject({
      code: "QUERY_FAILED",
      cause: { message: "not ours" },
    });
  });

  test("a value that the column cannot hold is a DecodeError, as from a server", async () => {
    const faulty: readonly [string, AnswerRow][] = [
      ["id", { ...person, id: "x" }],
      ["role", { ...person, role: "king" }],
      ["name", { ...person, name: null }],
      ["bornAt", { ...person, bornAt: 5 }],
      ["settings", { ...person, settings: { theme: 1 } }],
    ];
    for (const [field, row] of faulty) {
      const people = recordingOf(dialect, [[row]]).repository(Person);
      expect(await sqlErrorOf(people.query().exec())).toMatchObject({ code: "DECODE_FAILED", field });
    }
  });

  test("a stream yields its answer in pages, and a plan is the given answer", async () => {
    const teams = Array.from({ length: 600 }, (_, id) => ({ id, title: `t${id}` }));
    const plan = dialect === "oracle" ? [[], [{ line: "PLAN" }]] : [[{ line: "PLAN" }]];
    const db = recordingOf(dialect, [teams, teams, ...plan]);
    const all = db.repository(Team).query();
    const ids: number[] = [];
    for await (const { id } of all.stream()) ids.push(id);
    for await (const { id } of all.stream()) if (id === 300) break;
    expect(ids).toEqual(teams.map(({ id }) => id));
    expect(await all.explain()).toBe("PLAN");
  });

  test("the count of skipped rows of a batch is zero", async () => {
    const left = (sql: string) => sql.includes("@rowtype");
    const db = recordingOf(dialect, ({ sql }) => (left(sql) ? [] : [{}, {}]));
    const records = [1, 2].map((id) => ({ id, title: "x" }));
    const stored = await db.repository(Team).insert().onConflict("id").doNothing().execBatch(records);
    // On Oracle each record is an execution of its own, and has an answer of its own.
    expect(stored).toBe(dialect === "oracle" ? 4 : 2);
  });

  test("callbacks and expressions see the rows", async () => {
    const db = recordingOf(dialect, [[{ email: "a@b.org", length: 7, role: "secret" }]]);
    const people = db.repository(Person);
    const seen: unknown[] = [];
    people.onScan((row) => void seen.push(row));
    const { length } = await import("rowtype");
    const rows = await people.query().fields("email", length("email").as("length")).exec();
    expect(rows).toEqual([{ email: "a@b.org", length: 7 }]);
    expect(seen).toEqual(rows);
  });
});

test("a batch is recorded by the statements that it makes", async () => {
  const records = [1, 2, 3].map((id) => ({ id, title: `t${id}` }));
  const asked = async (dialect: Dialect) => {
    const db = recordingOf(dialect, ({ params }) => params.slice(params.length / 2).map(() => ({})));
    const stored = await db.repository(Team).insert().execBatch(records);
    return [stored, db.statements.map(({ params }) => params), db.transactions.length];
  };
  const together = [1, "t1", 2, "t2", 3, "t3"];
  // One statement is all or nothing by itself.
  for (const dialect of ["postgres", "mariadb", "sqlite"] as const)
    expect(await asked(dialect)).toEqual([3, [together], 0]);
  const each = records.map(({ id, title }) => [id, title]);
  expect(await asked("oracle")).toEqual([3, each, 1]);
});

test("tables are created in statements like others", async () => {
  const db = recording("sqlite");
  await db.createTables(Person, Team);
  expect(
    db.statements.map(({ sql }) => /^CREATE (?:TABLE|INDEX) IF NOT EXISTS "\w+"/.exec(sql)?.[0]),
  ).toEqual([
    'CREATE TABLE IF NOT EXISTS "teams"',
    'CREATE TABLE IF NOT EXISTS "people"',
    'CREATE INDEX IF NOT EXISTS "people_age_idx"',
  ]);
});

test("an answer may be a constraint error, and the records cannot be changed", async () => {
  const db = recording("postgres", () => {
    throw new ConstraintError("UNIQUE_VIOLATION", "taken", { fields: ["id"] });
  });
  const inserting = db.repository(Team).insert().exec({ id: 1, title: "One" });
  expect(await sqlErrorOf(inserting)).toMatchObject({ code: "UNIQUE_VIOLATION", fields: ["id"] });
  expect(Object.isFrozen(db.statements[0])).toBe(true);
  expect(Object.isFrozen(db.statements[0]?.params)).toBe(true);
});

/** What the drivers throw, and the code that it has here. */
const drivers: readonly [Dialect, Readonly<Record<string, unknown>>, string][] = [
  ...[
    [1062, "UNIQUE_VIOLATION"],
    [1451, "FOREIGN_KEY_VIOLATION"],
    [1048, "NOT_NULL_VIOLATION"],
    [4025, "CHECK_VIOLATION"],
    [1213, "DEADLOCK"],
    [1020, "SERIALIZATION_FAILURE"],
    [1205, "LOCK_TIMEOUT"],
    [1317, "ABORTED"],
    [1927, "CONNECTION_LOST"],
    [1180, "UNKNOWN_OUTCOME"],
    [1792, "READ_ONLY"],
    [1054, "QUERY_FAILED"],
  ].map(([errno, code]): [Dialect, Readonly<Record<string, unknown>>, string] => [
    "mariadb",
    { errno },
    `${code}`,
  ]),
  ["mariadb", { errno: 1047, sqlState: "08S01" }, "CONNECTION_LOST"],
  ["mariadb", { errno: 1290, sqlMessage: "running with the --read-only option" }, "READ_ONLY"],
  ["mariadb", { errno: 1290, sqlMessage: "running with the --secure-file-priv option" }, "QUERY_FAILED"],
  ["mariadb", { code: "PROTOCOL_CONNECTION_LOST", fatal: true }, "CONNECTION_LOST"],
  ["mariadb", { code: "ECONNREFUSED", errno: -111 }, "CONNECTION_LOST"],
  ["postgres", { code: "23505" }, "UNIQUE_VIOLATION"],
  ["postgres", { code: "40P01" }, "DEADLOCK"],
  ["postgres", { code: "40001" }, "SERIALIZATION_FAILURE"],
  ["postgres", { code: "25006" }, "READ_ONLY"],
  ["postgres", { code: "08006" }, "CONNECTION_LOST"],
  ["sqlite", { code: "SQLITE_CONSTRAINT_UNIQUE" }, "UNIQUE_VIOLATION"],
  ["sqlite", { code: "SQLITE_BUSY" }, "LOCK_TIMEOUT"],
  ["oracle", { code: "ORA-00001", errorNum: 1 }, "UNIQUE_VIOLATION"],
  ["oracle", { code: "ORA-00060", errorNum: 60 }, "DEADLOCK"],
  ["oracle", { code: "ORA-16000", errorNum: 16000 }, "READ_ONLY"],
];

test.each(drivers)("on %s, what the driver throws as %j is %s", async (dialect, facts, code) => {
  const error = Object.assign(new Error(String(facts["sqlMessage"] ?? "")), facts);
  const db = recordingOf(dialect, () => {
    throw error;
  });
  const teams = db.repository(Team);
  expect(await sqlErrorOf(teams.query().exec())).toMatchObject({ code, cause: error });
  expect(await sqlErrorOf(teams.insert().exec({ id: 1, title: "One" }))).toMatchObject({ code });
});

test.each([
  ["mariadb", { errno: 1213 }],
  ["postgres", { code: "40P01" }],
  ["oracle", { errorNum: 60 }],
] as const)("on %s, a transaction is repeated after a deadlock of the driver", async (dialect, facts) => {
  let asked = 0;
  const db = recordingOf(dialect, () => {
    if (++asked < 3) throw Object.assign(new Error("deadlock"), facts);
    return [{ id: 1, title: "One" }];
  });
  const running = db.transaction((tx) => tx.repository(Team).query().exec(), { retries: 2 });
  expect(await running).toEqual([{ id: 1, title: "One" }]);
});

test("an unknown dialect is refused", () => {
  expect(sqlErrorIn(() => recording("mysql" as never))).toMatchObject({ code: "DECLARATION" });
});
