/** `explain`: the server's plan of select, query and compound, as text, and nothing done. */
import { on } from "rowtype";
import { recording } from "rowtype/testing";
import { expect, expectTypeOf, test } from "vitest";
import { onEachServer } from "../../kit/each-server.js";
import { Person, Team } from "../../kit/people.js";
import { sqlErrorOf } from "../../kit/thrown.js";
import { judgeOracle, ORACLE_WARM_UP_MS, warmUpOracle } from "../../oracle/judge.js";
import { servers } from "../../servers.js";

// Each server's own words for reading a table from beginning to end, and for finding a row by its key.
const words = {
  postgres: { scan: /^Seq Scan on people/, key: /Index Scan using people_pkey/ },
  mariadb: { scan: /"access_type": "ALL"/, key: /"access_type": "const"/ },
  sqlite: { scan: /^SCAN people/, key: /SEARCH people USING INTEGER PRIMARY KEY/ },
};

onEachServer("a plan", (world) => {
  const known = () => words[world().db.dialect as keyof typeof words];

  test("is the server's own text, with the parameters of the call", async ({ skip }) => {
    if (known() === undefined) skip("H2 has other words for it");
    const { people, teams } = world();
    const all = people.query().where("score", ">", "score");
    expectTypeOf(all.explain).returns.resolves.toBeString();
    expect(await all.explain({ score: 1 })).toMatch(known().scan);
    expect(await people.select().where("id", "=", "id").explain({ id: 1 })).toMatch(known().key);
    const listed = people.query().where("id", "IN", "ids").whereOptional("name", "=", "name");
    expect(await listed.explain({ ids: [1, 2, 3] })).toContain("people");
    const both = teams
      .query()
      .fields("id")
      .union(teams.query().fields("id").where("id", ">", "id"));
    expect(await both.orderBy("id", "asc").explain({ id: 1 })).toMatch(/union|append/i);
    expect(
      (await all.explain({ score: 1 }, { signal: new AbortController().signal })).length,
    ).toBeGreaterThan(5);
  });

  test("takes the same parameters as exec, and has the same errors and events", async ({ skip }) => {
    if (known() === undefined) skip("H2 has other words for it");
    const { db, people } = world();
    const all = people.query().where("score", ">", "score");
    const heard: unknown[] = [];
    const off = on("db.query.completed", ({ operation, table }) => heard.push([operation, table]));
    await db.transaction((tx) => all.explain({ score: 1 }, { tx }));
    off();
    expect(heard).toEqual([["QUERY", "people"]]);
    expect(await sqlErrorOf(all.explain({} as never))).toMatchObject({ code: "MISSING_PARAM" });
    expect(await sqlErrorOf(all.explain({ score: "x" } as never))).toMatchObject({ code: "PARAM_TYPE" });
    const signal = AbortSignal.abort();
    expect(await sqlErrorOf(all.explain({ score: 1 }, { signal }))).toMatchObject({ code: "ABORTED" });
    await world().db.dropTables(Person);
    // Not the plan of before, which a driver may have kept.
    expect(await sqlErrorOf(all.explain({ score: 1 }))).toMatchObject({ code: "QUERY_FAILED" });
  });
});

test("of SQLite has the parts of a step indented below it", async () => {
  const rows = [
    [1, 0, 0, "COMPOUND QUERY"],
    [2, 1, 0, "LEFT-MOST SUBQUERY"],
    [5, 2, 0, "SCAN teams"],
    [9, 1, 0, "UNION ALL"],
  ];
  const { sqlite } = await import("../../../src/sql/dialect/sqlite/grammar.js");
  expect(sqlite.explain.text(rows)).toBe("COMPOUND QUERY\n  LEFT-MOST SUBQUERY\n    SCAN teams\n  UNION ALL");
});

test(
  "on Oracle is requested and read on one connection, in Oracle's statements",
  async () => {
    await warmUpOracle();
    const db = recording("oracle");
    const byId = db.repository(Team).query().where("id", "IN", "ids").forUpdate();
    await byId.explain({ ids: [1, 2, 3] });
    const [asked, read] = db.statements;
    expect(asked).toEqual({
      sql: 'EXPLAIN PLAN FOR SELECT "id", "title" FROM "teams" WHERE "id" IN (:p0, :p1, :p2, :p3) FOR UPDATE',
      params: [1, 2, 3, 3],
    });
    expect(db.transactions).toEqual([{ outcome: "committed", statements: [asked, read] }]);
    await judgeOracle(asked?.sql ?? "", ["a", "b", "c", "d"]);
    await judgeOracle(read?.sql ?? "", []);
  },
  ORACLE_WARM_UP_MS,
);

test.skipIf(servers.every(({ name, available }) => name !== "postgres" || !available))(
  "of a query with a lock needs no transaction",
  async () => {
    const lent = await servers.find(({ name }) => name === "postgres")?.lend();
    await lent?.db.createTables(Team);
    const locking = lent?.db.repository(Team).query() as unknown as {
      forUpdate(): { explain(): Promise<string>; exec(): Promise<unknown> };
    };
    expect(await locking.forUpdate().explain()).toContain("LockRows");
    expect(await sqlErrorOf(locking.forUpdate().exec())).toMatchObject({ code: "TRANSACTION_REQUIRED" });
    await lent?.close();
  },
);
