/** Row locks and DISTINCT ON: on the dialects that have them, and refused with a word on the others. */
import { setTimeout } from "node:timers/promises";
import type { Rendered } from "rowtype";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPeople, Person, Team } from "../../kit/people.js";
import { sqlErrorIn, sqlErrorOf } from "../../kit/thrown.js";
import { judgeOracle, ORACLE_WARM_UP_MS, warmUpOracle } from "../../oracle/judge.js";
import { type Lent, servers } from "../../servers.js";

const teams = postgres().repository(Team);
// biome-ignore lint/suspicious/noExplicitAny: an untyped caller.
const untyped: any = teams;

describe("the text of locks", () => {
  const byId = teams.select().fields("id").where("id", "=", "id");
  test.each([
    ["forUpdate", byId.forUpdate(), " FOR UPDATE"],
    ["forNoKeyUpdate", byId.forNoKeyUpdate({ skipLocked: true }), " FOR NO KEY UPDATE SKIP LOCKED"],
    ["forShare", byId.forShare({ noWait: true }), " FOR SHARE NOWAIT"],
    ["forKeyShare", byId.forKeyShare({ noWait: false }), " FOR KEY SHARE"],
    [
      "for_update of a spec",
      teams.selectFromSpec({ fields: ["id"], where: byId.toSpec().where, for_update: true }),
      " FOR UPDATE",
    ],
  ])("%s", (_, builder, tail) => {
    expect(builder.render().native.sql).toBe(`SELECT "id" FROM "teams" WHERE "id" = $1 LIMIT 1${tail}`);
    expect(teams.selectFromSpec(builder.toSpec()).render()).toEqual(builder.render());
  });

  test("DISTINCT ON", () => {
    const latest = postgres()
      .repository(Person)
      .query()
      .fields("teamId", "id")
      .distinctOn("teamId")
      .orderBy("teamId", "asc")
      .orderBy("age", "desc");
    expect(latest.render().native.sql).toBe(
      'SELECT DISTINCT ON ("team_id") "team_id", "id" FROM "people" ORDER BY "team_id" ASC, "age" DESC',
    );
  });

  test.each([
    ["an unknown mode", { for_locking: "exclusive" }, "INVALID_SPEC"],
    ["SQL as a mode", { for_locking: "update; DROP TABLE teams" }, "INVALID_SPEC"],
    ["an unknown key", { for_locking: { mode: "update", of: "teams" } }, "INVALID_SPEC"],
    [
      "both ways not to wait",
      { for_locking: { mode: "update", skip_locked: true, no_wait: true } },
      "INVALID_SPEC",
    ],
    ["a lock on distinct rows", { for_locking: "update", distinct: true }, "INVALID_SPEC"],
    ["DISTINCT ON no field", { distinct_on: [] }, "INVALID_FIELD"],
    ["DISTINCT ON an unknown field", { distinct_on: ["nope"] }, "INVALID_FIELD"],
    ["DISTINCT and DISTINCT ON", { distinct_on: ["id"], distinct: true }, "INVALID_SPEC"],
    [
      "another order first",
      { distinct_on: ["id"], order_by: [{ field: "title", direction: "asc" }] },
      "INVALID_FIELD",
    ],
  ])("%s is refused", (_, spec, code) => {
    expect(sqlErrorIn(() => untyped.queryFromSpec(spec).render())).toMatchObject({ code });
  });

  test("SQLite has neither", () => {
    // biome-ignore lint/suspicious/noExplicitAny: an untyped caller.
    const lite: any = sqlite().repository(Team);
    expect(sqlErrorIn(() => lite.query().forUpdate().render())).toMatchObject({
      code: "UNSUPPORTED",
      feature: "row locks",
    });
    expect(sqlErrorIn(() => lite.query().distinctOn("id").render())).toMatchObject({
      code: "UNSUPPORTED",
      feature: "DISTINCT ON",
    });
  });

  describe("on Oracle, which does not accept a limit with a lock", () => {
    const people = oracle().repository(Person);
    const text = (builder: { render(): Rendered }) => builder.render().native.sql;
    const byEmail = people.select().fields("id").where("email", "=", "email");

    test("a key finds one row, and no limit is written", async () => {
      const sql = 'SELECT "id" FROM "people" WHERE "email_address" = :p0 FOR UPDATE';
      expect(text(byEmail.forUpdate())).toBe(sql);
      expect(text(byEmail.forUpdate({ skipLocked: true }))).toBe(`${sql} SKIP LOCKED`);
      expect(text(byEmail.forUpdate({ noWait: true }))).toBe(`${sql} NOWAIT`);
      expect(text(people.query().fields("id").where("age", ">", "min").forUpdate({ skipLocked: true }))).toBe(
        'SELECT "id" FROM "people" WHERE "age" > :p0 FOR UPDATE SKIP LOCKED',
      );
    });

    test(
      "any other condition finds the rows first",
      async () => {
        const eldest = people
          .select()
          .fields("id")
          .where("role", "=", "role")
          .orderBy("age", "desc")
          .forUpdate();
        expect(text(eldest)).toBe(
          'SELECT "id" FROM "people" WHERE ROWID IN (SELECT ROWID FROM "people" WHERE "role" = :p0 ORDER BY "age" DESC FETCH NEXT 1 ROWS ONLY) ORDER BY "age" DESC FOR UPDATE',
        );
        const page = people.query().fields("id").orderBy("id", "asc").offset(1).limitParam("n").forUpdate();
        expect(text(page)).toBe(
          'SELECT "id" FROM "people" WHERE ROWID IN (SELECT ROWID FROM "people" ORDER BY "id" ASC OFFSET 1 ROWS FETCH NEXT :p0 ROWS ONLY) ORDER BY "id" ASC FOR UPDATE',
        );
        await warmUpOracle();
        await judgeOracle(text(eldest), ["role"]);
        await judgeOracle(text(page), ["n"]);
      },
      ORACLE_WARM_UP_MS,
    );

    test("skipLocked with a limit is refused, as is every other lock", () => {
      const first = people.query().limit(1).forUpdate({ skipLocked: true });
      expect(sqlErrorIn(() => first.render())).toMatchObject({ code: "UNSUPPORTED", dialect: "oracle" });
      // biome-ignore lint/suspicious/noExplicitAny: an untyped caller.
      const untypedPeople: any = people;
      expect(sqlErrorIn(() => untypedPeople.query().forShare().render())).toMatchObject({
        code: "UNSUPPORTED",
        feature: "row locks other than FOR UPDATE",
      });
      expect(sqlErrorIn(() => untypedPeople.query().distinctOn("id").render())).toMatchObject({
        code: "UNSUPPORTED",
      });
    });
  });

  test("a client's spec cannot lock", () => {
    expect(teams.specs().query.safeParse({ for_locking: "update" }).success).toBe(false);
    expect(teams.specs().select.safeParse({ for_update: true }).success).toBe(false);
  });
});

const server = servers.find(({ name }) => name === "postgres");
describe.skipIf(server?.available !== true)("locks on PostgreSQL", () => {
  let lent: Lent;
  beforeAll(async () => {
    lent = (await server?.lend()) as Lent;
    await createPeople(lent.db);
  });
  afterAll(() => lent.close());

  test("a lock needs a transaction, holds until its end, and can be skipped or refused", async () => {
    const db = postgres(lent.pool);
    const rows = db.repository(Team);
    const one = rows.select().where("id", "=", "id");
    expect(await sqlErrorOf(one.forUpdate().exec({ id: 1 }))).toMatchObject({ code: "TRANSACTION_REQUIRED" });
    const order: string[] = [];
    const [locked, seen] = [deferred(), deferred()];
    const first = db.transaction(async (tx) => {
      await one.forUpdate().exec({ id: 1 }, { tx });
      locked.resolve(undefined);
      // However slow the others are, they find it locked.
      await seen.promise;
      await setTimeout(60);
      order.push("first");
    });
    await locked.promise;
    await db.transaction(async (tx) => {
      expect(await rows.query().fields("id").forUpdate({ skipLocked: true }).exec(undefined, { tx })).toEqual(
        [{ id: 2 }],
      );
    });
    const refused = db.transaction((tx) => one.forShare({ noWait: true }).exec({ id: 1 }, { tx }));
    expect(await sqlErrorOf(refused)).toMatchObject({ code: "LOCK_TIMEOUT" });
    seen.resolve(undefined);
    await db.transaction(async (tx) => {
      await one.forNoKeyUpdate().exec({ id: 1 }, { tx });
      order.push("second");
    });
    await first;
    expect(order).toEqual(["first", "second"]);
  });

  test("DISTINCT ON gives the first row of each group", async () => {
    const eldest = postgres(lent.pool)
      .repository(Person)
      .query()
      .fields("id")
      .distinctOn("teamId")
      .whereNotNull("age")
      .orderBy("teamId", "asc")
      .orderBy("age", "desc")
      .orderBy("id", "asc");
    expect(await eldest.exec()).toEqual([{ id: 1 }, { id: 5 }]);
  });
});

for (const { name, available, lend } of servers.filter(({ dialect }) => dialect === "oracle"))
  describe.skipIf(!available)(`locks on ${name}`, () => {
    let lent: Lent;
    beforeAll(async () => {
      lent = await lend();
      await createPeople(lent.db);
    });
    afterAll(() => lent.close());

    test("a lock lasts until the end of its transaction, however its rows are found", async () => {
      const db = oracle(lent.oraclePool);
      const people = db.repository(Person);
      const eldest = people
        .select()
        .fields("id")
        .where("role", "=", "role")
        .orderByNulls("age", "desc", "last")
        .forUpdate();
      const byId = people.select().fields("id").where("id", "=", "id");
      const order: string[] = [];
      const [locked, another] = [deferred(), deferred()];
      const first = db.transaction(async (tx) => {
        expect(await eldest.exec({ role: "admin" }, { tx })).toEqual({ id: 5 });
        locked.resolve(undefined);
        await another.promise;
        await setTimeout(60);
        order.push("first");
      });
      await locked.promise;
      await db.transaction((tx) => byId.forUpdate().exec({ id: 1 }, { tx }));
      order.push("another row");
      another.resolve(undefined);
      await db.transaction(async (tx) => {
        await byId.forUpdate().exec({ id: 5 }, { tx });
        order.push("second");
      });
      await first;
      expect(order).toEqual(["another row", "first", "second"]);
    });
  });

function deferred() {
  let resolve: (value: unknown) => void = () => undefined;
  const promise = new Promise((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
