/** Sums of bigints are exact on every server, beyond 64 bits too, wherever a sum may stand. */
import { c, column, sum, table } from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, servers } from "../../servers.js";

const Amount = table(
  "wide_amounts",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    team: z.int(),
    amount: z.bigint().nullable(),
  }),
);
const most = 2n ** 63n - 1n;
const least = -(2n ** 63n);
const amounts = [most, most, most, least, least, -1n, 1n, 12345678901234567n, null, 5n, least, most, least];
const rows = amounts.map((amount, id) => ({ id, team: id % 4, amount }));
const sumOf = (list: readonly (bigint | null)[]) =>
  list.reduce<bigint>((total, one) => total + (one ?? 0n), 0n);

for (const server of servers.filter(({ dialect }) => dialect !== "oracle"))
  describe.skipIf(!server.available)(`sums of bigints on ${server.name}`, () => {
    let lent: Lent;
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(Amount);
      await lent.db.repository(Amount).insert().execBatch(rows);
    });
    afterAll(() => lent.close());
    const teams = [0, 1, 2, 3].map((team) => ({
      team,
      total: sumOf(rows.filter((row) => row.team === team).map(({ amount }) => amount)),
    }));
    const byTotal = [...teams].sort((a, b) => (a.total < b.total ? -1 : 1));

    test("of all rows, of some, and of none", async () => {
      const repository = lent.db.repository(Amount);
      expect(await repository.sum("amount").where("team", "=", "t").exec({ t: 2 })).toBe(teams[2]?.total);
      expect(await repository.sum("amount").where("amount", ">", "a").exec({ a: 0n })).toBe(
        sumOf(amounts.filter((one) => one !== null && one > 0n)),
      );
      expect(await repository.sum("amount").exec()).toBe(sumOf(amounts));
      expect(await repository.sum("amount").where("id", "<", "id").exec({ id: 0 })).toBe(0n);
      const none = repository.query().fields(sum("amount").as("total")).where("id", "<", "id");
      expect(await none.exec({ id: 0 })).toEqual([{ total: null }]);
    });

    test("in groups, in order, in HAVING, filtered, and in windows", async () => {
      const repository = lent.db.repository(Amount);
      const grouped = repository.query().fields("team", sum("amount").as("total")).groupBy("team");
      expect(await grouped.orderBy("total", "asc").exec()).toEqual(byTotal);
      expect(await grouped.orderBy("total", "desc").exec()).toEqual([...byTotal].reverse());
      for (const p of [0n, most, least, 12345678901234567n])
        expect(await grouped.having("total", ">", "p").orderBy("total", "asc").exec({ p })).toEqual(
          byTotal.filter(({ total }) => total > p),
        );
      expect(
        await grouped.havingAgg("sum", "amount", "<", "p").orderBy("total", "asc").exec({ p: 0n }),
      ).toEqual(byTotal.filter(({ total }) => total < 0n));
      const filtered = repository.query().fields(
        sum("amount")
          .filter(c("amount", "<", "p"))
          .as("low"),
        sum("amount").as("all"),
      );
      expect(await filtered.exec({ p: 0n })).toEqual([
        { low: sumOf(amounts.filter((one) => one !== null && one < 0n)), all: sumOf(amounts) },
      ]);
      const running = repository
        .query()
        .fields(
          "id",
          sum("amount")
            .over({ partitionBy: ["team"], orderBy: [["id", "asc"]] })
            .as("running"),
          sum("amount").over({}).as("all"),
        )
        .orderBy("id", "asc");
      expect(await running.exec()).toEqual(
        rows.map(({ id, team }) => {
          const before = rows.filter((row) => row.team === team && row.id <= id).map(({ amount }) => amount);
          const isNull = before.every((one) => one === null);
          return { id, running: isNull ? null : sumOf(before), all: sumOf(amounts) };
        }),
      );
    });

    test("beside a bigint of another query", async () => {
      const repository = lent.db.repository(Amount);
      const Plain = table("plain_totals", z.object({ total: column(z.bigint(), { primaryKey: true }) }));
      await lent.db.createTables(Plain);
      const totals = teams.map(({ total }) => total).filter((total) => total <= most && total >= least);
      await lent.db
        .repository(Plain)
        .insert()
        .execBatch([...totals, 7n].map((total) => ({ total })));
      const sums = repository.query().fields(sum("amount").as("total")).groupBy("team");
      const plain = lent.db.repository(Plain).query();
      const both = sums.intersect(plain as never).orderBy("total" as never, "asc");
      if (server.dialect === "sqlite") {
        expect(await sqlErrorOf(both.exec())).toMatchObject({ code: "UNSUPPORTED" });
        expect(await sums.union(sums).orderBy("total", "asc").exec()).toEqual(
          byTotal.map(({ total }) => ({ total })),
        );
        return;
      }
      expect(await both.exec()).toEqual(
        [...totals].sort((a, b) => (a < b ? -1 : 1)).map((total) => ({ total })),
      );
      const others = plain.except(sums as never);
      expect(await others.exec()).toEqual([{ total: 7n }]);
    });
  });
