/**
 * Random programs of all methods on two scopes of one table: what a scope reads is its own, and what it changes leaves
 * the other as it is. After every step the whole table is compared with a model.
 */
import { between, c, column, type Database, isNull, or, SqlError, table } from "rowtype";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { patience, rounds } from "../rounds.js";
import { type Lent, servers } from "../servers.js";

const PROGRAMS = rounds({ small: 60, full: 10_000 });
const STEPS = 8;
const SLUGS = ["a", "b", "c", "d"];

const Task = table(
  "tasks",
  z.object({
    id: column(z.int(), { primaryKey: true, generated: true }),
    tenantId: column(z.int(), { name: "tenant_id" }),
    slug: z.string(),
    n: z.int().nullable(),
  }),
  { unique: [["tenantId", "slug"]] },
);

type Row = z.infer<typeof Task.schema>;
type Own = Omit<Row, "id">;

const upTo = (most: number) => Math.floor(Math.random() * most);
const any = <T>(list: readonly T[]): T => list[upTo(list.length)] as T;

/** What the table must hold, by tenant and slug. */
class Model {
  rows = new Map<string, Own>();
  of(tenantId: number): Own[] {
    return [...this.rows.values()].filter((row) => row.tenantId === tenantId);
  }
  put(row: Own): void {
    this.rows.set(`${row.tenantId}/${row.slug}`, row);
  }
  has({ tenantId, slug }: Own): boolean {
    return this.rows.has(`${tenantId}/${slug}`);
  }
  remove(rows: readonly Own[]): void {
    for (const row of rows) this.rows.delete(`${row.tenantId}/${row.slug}`);
  }
}

const bySlug = (a: Own, b: Own) => a.tenantId - b.tenantId || (a.slug < b.slug ? -1 : 1);
const plain = (rows: readonly Row[]): Own[] =>
  rows.map(({ tenantId, slug, n }) => ({ tenantId, slug, n })).sort(bySlug);

const scopeOf = (db: Pick<Database, "repository">, tenantId: number) =>
  db.repository(Task).scope({ tenantId });
type Scope = ReturnType<typeof scopeOf>;

interface World {
  readonly db: Database;
  readonly scope: Scope;
  readonly tenantId: number;
  readonly other: number;
  readonly model: Model;
  /** Rows of the other tenant by their ids. */
  readonly foreign: readonly Row[];
}

type Step = (world: World) => Promise<void>;

const record = () => ({ slug: any(SLUGS), n: Math.random() < 0.2 ? null : upTo(10) });

const steps: Readonly<Record<string, Step>> = {
  reads: async ({ scope, model, tenantId, other }) => {
    const own = model.of(tenantId).sort(bySlug);
    expect(plain(await scope.query().exec())).toEqual(own);
    expect(await scope.count().exec()).toBe(own.length);
    expect(await scope.sum("n").exec()).toBe(own.reduce((sum, { n }) => sum + (n ?? 0), 0));
    expect(await scope.query().where("tenantId", "=", "t").exec({ t: other })).toEqual([]);
    expect(await scope.query().exists().exec()).toBe(own.length > 0);
    expect(
      await scope
        .queryFromSpec({ fields: ["slug"] })
        .count()
        .exec({}),
    ).toBe(own.length);
    const streamed: Row[] = [];
    for await (const row of scope.query().stream()) streamed.push(row);
    expect(plain(streamed)).toEqual(own);
    const slugs = await scope
      .query()
      .fields("slug")
      .union(scope.query().fields("slug").where("n", ">", "n"))
      .exec({ n: 4 });
    expect(slugs.map(({ slug }) => slug).sort()).toEqual(own.map(({ slug }) => slug));
  },
  "reads by id": async ({ scope, foreign }) => {
    for (const { id } of foreign)
      expect(await scope.select().where("id", "=", "id").execOrNull({ id })).toBeNull();
  },
  insert: async ({ scope, model, tenantId }) => {
    const one = { tenantId, ...record() };
    const stored = await scope.insert().exec({ slug: one.slug, n: one.n }).catch(onlySql);
    if (model.has(one)) expect(stored).toMatchObject({ code: "UNIQUE_VIOLATION" });
    else {
      expect(stored).toMatchObject(one);
      model.put(one);
    }
  },
  "insert many": async ({ scope, model, tenantId }) => {
    const free = SLUGS.filter((slug) => !model.has({ tenantId, slug, n: null }));
    const records = free.map((slug) => ({ slug, n: upTo(10) }));
    if (Math.random() < 0.5) expect(await scope.insert().execBatch(records)).toBe(records.length);
    else expect(await scope.insert().execMany(records)).toHaveLength(records.length);
    for (const one of records) model.put({ tenantId, ...one });
  },
  "upsert that does nothing": async ({ scope, model, tenantId }) => {
    const one = { tenantId, ...record() };
    const { slug, n } = one;
    const row = await scope.insert().onConflict("slug").doNothing().exec({ slug, n });
    if (model.has(one)) expect(row).toBeNull();
    else model.put(one);
  },
  "upsert that updates": async ({ scope, model, tenantId }) => {
    const own = SLUGS.slice(0, 1 + upTo(3)).map((slug) => ({ slug, n: upTo(10) }));
    const upsert = scope.insert().onConflict("tenantId", "slug").doUpdate();
    if (Math.random() < 0.5) await upsert.execBatch(own);
    else expect(await upsert.execMany(own)).toMatchObject(own.map((one) => ({ tenantId, ...one })));
    for (const one of own) model.put({ tenantId, ...one });
  },
  modify: async ({ scope, model, tenantId }) => {
    const low = upTo(8);
    const rows = await scope.modify().set("n", "to").where("n", ">=", "low").execMany({ to: 3, low });
    const changed = model.of(tenantId).filter(({ n }) => n !== null && n >= low);
    expect(rows).toHaveLength(changed.length);
    for (const one of changed) model.put({ ...one, n: 3 });
  },
  "modify by wide conditions": async ({ scope, model, tenantId }) => {
    const changed = model.of(tenantId);
    const count = await scope
      .modify()
      .setExpr("n", "+", "by")
      .whereOr(isNull("n"), c("n", ">=", "zero"), between("tenantId", "zero", "many"))
      .execBatch([{ by: 1, zero: -1_000, many: 1_000 }]);
    expect(count).toBe(changed.length);
    for (const one of changed) model.put({ ...one, n: one.n === null ? null : one.n + 1 });
  },
  patch: async ({ scope, model, tenantId, foreign }) => {
    for (const { id } of foreign.slice(0, 1))
      expect(
        await scope.modify().where("id", "=", "id").execPatch({ n: 99 }, { id }).catch(onlySql),
      ).toMatchObject({ code: "NO_ROWS" });
    const [one] = model.of(tenantId);
    if (one === undefined) return;
    await scope.modify().where("slug", "=", "slug").execPatch({ n: 7 }, { slug: one.slug });
    model.put({ ...one, n: 7 });
  },
  remove: async ({ scope, model, tenantId, foreign }) => {
    if (foreign.length > 0)
      expect(
        await scope
          .remove()
          .where("id", "IN", "ids")
          .exec({ ids: foreign.map(({ id }) => id) }),
      ).toBe(0);
    const slug = any(SLUGS);
    const gone = model.of(tenantId).filter((one) => one.slug === slug);
    const removed = await scope
      .remove()
      .whereOr(c("slug", "=", "slug"))
      .execMany({ slug });
    expect(removed).toHaveLength(gone.length);
    model.remove(gone);
  },
  "remove all": async ({ scope, model, tenantId }) => {
    if (Math.random() < 0.7) return;
    const all = model.of(tenantId);
    const removed = await scope
      .remove()
      .whereOr(or(c("n", ">=", "n"), isNull("n")))
      .execBatch([{ n: -1_000 }]);
    expect(removed).toBe(all.length);
    model.remove(all);
  },
  transaction: async ({ db, model, tenantId, other }) => {
    const before = new Map(model.rows);
    const isKept = Math.random() < 0.5;
    const done = db.transaction(async (tx) => {
      const scope = scopeOf(tx, tenantId);
      await scope.insert().onConflict("slug").doUpdate().exec({ slug: "a", n: 1 });
      model.put({ tenantId, slug: "a", n: 1 });
      await scopeOf(db, other).insert().onConflict("slug").doUpdate().execTx(tx, { slug: "a", n: 2 });
      model.put({ tenantId: other, slug: "a", n: 2 });
      expect(await scope.count().where("slug", "=", "slug").exec({ slug: "a" })).toBe(1);
      if (!isKept) throw new Error("undone");
    });
    if (isKept) await done;
    else {
      await expect(done).rejects.toThrow("undone");
      model.rows = before;
    }
  },
};

function onlySql(error: unknown): SqlError {
  if (error instanceof SqlError) return error;
  throw error;
}

for (const server of servers.filter(({ name }) => name !== "h2"))
  describe.skipIf(!server.available)(`two scopes on ${server.name}`, () => {
    test(
      `${PROGRAMS} programs`,
      async () => {
        const lent: Lent = await server.lend();
        try {
          const { db } = lent;
          await db.createTables(Task);
          const whole = db.repository(Task);
          for (let program = 0; program < PROGRAMS; program++) {
            const model = new Model();
            await whole.remove().where("id", ">", "least").exec({ least: -1 });
            for (let i = 0; i < STEPS; i++) {
              const [tenantId, other] = Math.random() < 0.5 ? [1, 2] : [2, 1];
              const foreign = await whole.query().where("tenantId", "=", "other").exec({ other });
              const name = any(Object.keys(steps));
              const world = { db, scope: scopeOf(db, tenantId), tenantId, other, model, foreign };
              await steps[name]?.(world);
              const rows = plain(await whole.query().exec());
              expect(rows, name).toEqual([...model.rows.values()].sort(bySlug));
            }
          }
        } finally {
          await lent.close();
        }
      },
      patience(60_000, 400, PROGRAMS),
    );
  });
