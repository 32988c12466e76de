/** Columns that every change sets: the time of the last change, the version, the time of the removal. */
import { c, column, type Database, on, StaleVersionError, table } from "rowtype";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, servers } from "../../servers.js";

const id = column(z.int(), { primaryKey: true });

const Member = table(
  "ruled_members",
  z.object({
    id,
    email: column(z.string(), { unique: true }),
    name: z.string(),
    points: column(z.int(), { default: "0" }),
    version: column(z.int(), { auto: "version" }),
    updatedAt: column(z.date(), { auto: "updated", name: "updated_at" }),
    deletedAt: column(z.date().nullable(), { auto: "deleted", name: "deleted_at" }),
  }),
);
/** Without versions, and with a time alone. */
const Stamped = table(
  "ruled_stamps",
  z.object({ id, name: z.string(), at: column(z.date(), { auto: "updated" }) }),
);
const Gone = table(
  "ruled_gone",
  z.object({ id, name: z.string(), goneAt: column(z.date().nullable(), { auto: "deleted" }) }),
);
const Counted = table(
  "ruled_counted",
  z.object({ id, name: z.string(), version: column(z.int(), { auto: "version" }) }),
);

const on3 = servers.filter(({ name }) => name === "sqlite" || name === "postgres" || name === "mariadb");
const pause = () => new Promise((done) => setTimeout(done, 12));

for (const server of on3)
  describe.skipIf(!server.available)(`columns that every change sets, on ${server.name}`, () => {
    let lent: Lent;
    let db: Database<"sqlite">;
    const sent: string[] = [];
    let off: () => void = () => undefined;
    beforeAll(async () => {
      lent = await server.lend();
      db = lent.db as unknown as Database<"sqlite">;
      await db.createTables(Member, Stamped, Gone, Counted);
    });
    afterAll(() => lent.close());
    beforeEach(async () => {
      for (const name of ["ruled_members", "ruled_stamps", "ruled_gone", "ruled_counted"])
        await lent.run(`DELETE FROM ${name}`);
      sent.length = 0;
      off = on("db.query.started", ({ sql }) => sent.push(sql));
    });
    afterEach(() => off());

    const members = () => db.repository(Member);
    const ann = () => members().insert().exec({ id: 1, email: "a@x", name: "Ann" });
    const renamed = () => members().modify().set("name", "name").where("id", "=", "id");
    const removed = () => members().remove().where("id", "=", "id");
    const all = () => members().query().orderBy("id", "asc").exec();

    test("an insert gives the first version and the time, and a change the next ones", async () => {
      const before = Date.now();
      const first = await ann();
      expect(first).toMatchObject({ version: 1, deletedAt: null, points: 0 });
      expect(Math.abs(first.updatedAt.getTime() - before)).toBeLessThan(5_000);
      await pause();
      const second = await renamed().exec({ id: 1, name: "Anna", version: 1 });
      expect(second).toMatchObject({ version: 2, name: "Anna" });
      expect(second.updatedAt.getTime()).toBeGreaterThan(first.updatedAt.getTime());
      expect(await all()).toEqual([second]);
    });

    test("a change of another version changes nothing, and says that the row is there", async () => {
      const row = await ann();
      const change = { id: 1, name: "x", version: 7 };
      for (const failing of [
        () => renamed().exec(change),
        () => renamed().execMany(change),
        () => renamed().execBatch([change]),
        () => renamed().execEach([change]),
        () => db.transaction((tx) => renamed().execTx(tx, change)),
        () => members().modify().where("id", "=", "id").execPatch({ name: "x" }, { id: 1, version: 7 }),
        () => members().modify().where("id", "=", "id").execPatch({}, { id: 1, version: 7 }),
        () => removed().exec({ id: 1, version: 7 }),
        () => removed().execMany({ id: 1, version: 7 }),
        () => removed().execBatch([{ id: 1, version: 7 }]),
        () => removed().execEach([{ id: 1, version: 7 }]),
      ]) {
        const error = await sqlErrorOf(failing());
        expect(error).toBeInstanceOf(StaleVersionError);
        expect(error).toMatchObject({ code: "STALE_VERSION", table: "ruled_members" });
        expect(await all()).toEqual([row]);
      }
    });

    test("a row that is gone is not there in another version", async () => {
      await ann();
      const gone = { id: 9, name: "x", version: 1 };
      expect((await sqlErrorOf(renamed().exec(gone))).code).toBe("NO_ROWS");
      expect(await renamed().execMany(gone)).toEqual([]);
      expect(await renamed().execBatch([gone, { id: 1, name: "b", version: 1 }])).toBe(1);
      expect(await renamed().execEach([gone, { id: 1, name: "c", version: 2 }])).toMatchObject([
        null,
        { name: "c", version: 3 },
      ]);
      expect(await removed().exec({ id: 9, version: 1 })).toBe(0);
      expect(await removed().execEach([{ id: 9, version: 1 }])).toEqual([null]);
    });

    test("one look more is sent only where nothing was changed", async () => {
      await ann();
      sent.length = 0;
      await removed().exec({ id: 1, version: 1 });
      expect(sent).toHaveLength(1);
      await removed().exec({ id: 1, version: 1 });
      expect(sent).toHaveLength(3);
    });

    test("a patch sets the version, and one without keys sets nothing", async () => {
      const row = await ann();
      const patch = members().modify().where("id", "=", "id");
      expect(await patch.execPatch({}, { id: 1, version: 1 })).toEqual(row);
      expect(await patch.execPatch({ name: "B" }, { id: 1, version: 1 })).toMatchObject({ version: 2 });
      // @ts-expect-error the version is not given
      expect((await sqlErrorOf(patch.execPatch({ name: "B" }, { id: 1 }))).code).toBe("MISSING_PARAM");
      // @ts-expect-error a rule sets it
      expect((await sqlErrorOf(patch.execPatch({ version: 3 }, { id: 1, version: 2 }))).code).toBe(
        "EXTRA_PARAM",
      );
    });

    test("a list of changes is all or nothing, in one statement where no row is stale", async () => {
      await members()
        .insert()
        .execBatch([1, 2, 3].map((n) => ({ id: n, email: `e${n}`, name: `n${n}` })));
      const list = [1, 2, 3].map((n) => ({ id: n, name: `m${n}`, version: 1 }));
      sent.length = 0;
      expect(await renamed().execBatch(list)).toBe(3);
      expect(sent.filter((sql) => sql.startsWith("UPDATE"))).toHaveLength(1);
      const stale = [1, 2, 3].map((n) => ({ id: n, name: "x", version: n === 2 ? 1 : 2 }));
      for (const failing of [() => renamed().execBatch(stale), () => renamed().execEach(stale)]) {
        expect(await sqlErrorOf(failing())).toMatchObject({ code: "STALE_VERSION", index: 1 });
        expect((await all()).map(({ name }) => name)).toEqual(["m1", "m2", "m3"]);
      }
      // Of one row, one after the other.
      const twice = [2, 3].map((version) => ({ id: 1, name: `v${version}`, version }));
      expect(await renamed().execBatch(twice)).toBe(2);
      expect(
        await sqlErrorOf(renamed().execBatch([twice[0], twice[0]].flatMap((one) => one ?? []))),
      ).toMatchObject({ index: 0 });
      const same = { id: 2, name: "s", version: 2 };
      expect(await sqlErrorOf(renamed().execBatch([same, same]))).toMatchObject({ index: 1 });
      expect((await all())[1]).toMatchObject({ name: "m2", version: 2 });
      expect(
        await removed().execBatch([
          { id: 2, version: 2 },
          { id: 3, version: 2 },
        ]),
      ).toBe(2);
      expect((await all()).map((row) => row.id)).toEqual([1]);
    });

    test("removal keeps the row, which nobody sees, and returns it", async () => {
      const row = await ann();
      const [gone] = await removed().execMany({ id: 1, version: 1 });
      expect(gone).toMatchObject({ id: 1, version: 2, updatedAt: row.updatedAt });
      expect(gone?.deletedAt).toBeInstanceOf(Date);
      expect(await all()).toEqual([]);
      expect(await members().count().exec()).toBe(0);
      const stored = await lent.run("SELECT id FROM ruled_members WHERE deleted_at IS NOT NULL");
      expect(stored).toHaveLength(1);
      expect(await removed().exec({ id: 1, version: 2 })).toBe(0);
      expect((await sqlErrorOf(renamed().exec({ id: 1, name: "x", version: 2 }))).code).toBe("NO_ROWS");
    });

    test("changes of versions need a key; those of other rules do not", async () => {
      await ann();
      const points = members().modify().set("points", "points").where("name", "=", "name");
      expect((await sqlErrorOf(points.exec({ points: 1, name: "Ann", version: 1 }))).code).toBe(
        "UNSAFE_UPDATE",
      );
      const byName = members().remove().where("name", "=", "name");
      expect((await sqlErrorOf(byName.exec({ name: "Ann", version: 1 }))).code).toBe("UNSAFE_DELETE");
      const byEmail = members()
        .modify()
        .set("name", "to")
        .whereAnd(c("email", "=", "email"));
      expect(await byEmail.exec({ email: "a@x", to: "B", version: 1 })).toMatchObject({ version: 2 });
      const stamps = db.repository(Stamped);
      await stamps.insert().execBatch([1, 2].map((n) => ({ id: n, name: "n" })));
      const stamped = await stamps
        .modify()
        .set("name", "to")
        .where("name", "=", "name")
        .execMany({ name: "n", to: "m" });
      expect(stamped.map(({ name }) => name)).toEqual(["m", "m"]);
      const gone = db.repository(Gone);
      await gone.insert().execBatch([1, 2, 3].map((n) => ({ id: n, name: n < 3 ? "n" : "o" })));
      expect(await gone.remove().where("name", "=", "name").exec({ name: "n" })).toBe(2);
      expect(
        await gone
          .remove()
          .where("id", "IN", "ids")
          .execMany({ ids: [1, 2, 3] }),
      ).toMatchObject([{ id: 3 }]);
      expect(await gone.query().exec()).toEqual([]);
    });

    test("the program may say the condition of the version itself", async () => {
      await ann();
      const change = renamed().where("version", "=", "version");
      expect(change.render().sql.match(/:version/g)).toHaveLength(1);
      expect(await change.exec({ id: 1, name: "B", version: 1 })).toMatchObject({ version: 2 });
      expect((await sqlErrorOf(change.exec({ id: 1, name: "C", version: 1 }))).code).toBe("STALE_VERSION");
    });

    test("an upsert stores the time; of versions it has read none", async () => {
      const stamps = db.repository(Stamped);
      const first = await stamps.insert().exec({ id: 1, name: "a" });
      await pause();
      const upsert = stamps.insert().onConflict("id").doUpdate();
      const second = await upsert.exec({ id: 1, name: "b" });
      expect(second.at.getTime()).toBeGreaterThan(first.at.getTime());
      await pause();
      const third = await upsert.set("name", "name").exec({ id: 1, name: "c" });
      expect(third.at.getTime()).toBeGreaterThan(second.at.getTime());
      await pause();
      expect(
        await upsert.execBatch([
          { id: 1, name: "d" },
          { id: 2, name: "e" },
        ]),
      ).toBe(2);
      const [last] = await stamps.query().orderBy("id", "asc").exec();
      expect(last?.at.getTime()).toBeGreaterThan(third.at.getTime());
      const counted = db.repository(Counted).insert().onConflict("id").doUpdate();
      expect((await sqlErrorOf(counted.exec({ id: 1, name: "a" }))).code).toBe("UNSAFE_UPDATE");
    });

    test("a filter does not limit a change that its own conditions leave unlimited", async () => {
      const gone = db.repository(Gone);
      await gone.insert().exec({ id: 1, name: "n" });
      const every = gone.remove().where("id", "NOT IN", "ids");
      expect((await sqlErrorOf(every.exec({ ids: [] }))).code).toBe("UNSAFE_DELETE");
      expect(await every.exec({ ids: [2] })).toBe(1);
    });

    test("nobody gives what a rule sets", async () => {
      // @ts-expect-error a rule sets it
      const given = members().insert().exec({ id: 1, email: "a", name: "a", version: 3 });
      expect((await sqlErrorOf(given)).code).toBe("EXTRA_PARAM");
      // @ts-expect-error a rule sets it
      const set = members().modify().set("updatedAt", "at").where("id", "=", "id");
      expect(() => set.render()).toThrow(/updatedAt.*set by a rule/);
      expect(Object.keys(Member.insertSchema.shape)).toEqual(["id", "email", "name", "points"]);
      expect(Object.keys(Member.updateSchema.shape)).toEqual(["id", "email", "name", "points"]);
    });
  });
