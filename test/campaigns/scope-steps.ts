/** What a program may do in a scope of one table. */
import { add, between, c, inserted, isNull, mul, or, upper, value } from "rowtype";
import { expect } from "vitest";
import {
  any,
  maybe,
  plainTasks,
  refused,
  SLUGS,
  type Step,
  scopesIn,
  type TaskRow,
  upTo,
} from "./scope-world.js";

const record = () => ({ slug: any(SLUGS), n: Math.random() < 0.2 ? null : upTo(10) });
const slugsOf = (rows: readonly { readonly slug: string }[]) => rows.map(({ slug }) => slug).sort();

export const steps: Readonly<Record<string, Step>> = {
  reads: async ({ scope, model, tenantId, other }) => {
    const own = model.tasksOf(tenantId);
    const { tasks } = scope;
    expect(plainTasks(await tasks.query().exec())).toEqual(own);
    expect(await tasks.count().exec()).toBe(own.length);
    expect(await tasks.sum("n").exec()).toBe(own.reduce((sum, { n }) => sum + (n ?? 0), 0));
    expect(await tasks.query().where("tenantId", "=", "t").exec({ t: other })).toEqual([]);
    expect(await tasks.query().exists().exec()).toBe(own.length > 0);
    const streamed: TaskRow[] = [];
    for await (const row of tasks.query().stream()) streamed.push(row);
    expect(plainTasks(streamed)).toEqual(own);
    const slugs = await tasks
      .query()
      .fields("slug")
      .union(tasks.query().fields("slug").where("n", ">", "n"))
      .exec({ n: 4 });
    expect(slugsOf(slugs)).toEqual(slugsOf(own));
    const wide = tasks.query().whereOr(c("tenantId", "=", "other"), c("tenantId", "!=", "other"));
    expect(await wide.count().exec({ other })).toBe(own.length);
  },
  "reads by id": async ({ scope, all, tenantId }) => {
    for (const { id, tenantId: owner } of all) {
      const found = await scope.tasks.select().where("id", "=", "id").execOrNull({ id });
      expect(found?.id).toBe(owner === tenantId ? id : undefined);
    }
  },
  "reads by expressions": async ({ scope, model, tenantId }) => {
    const own = model.tasksOf(tenantId);
    const rows = await scope.tasks
      .query()
      .fields("tenantId", upper("slug").as("shout"), add("n", value(1)).as("more"))
      .where(upper("slug"), "IN", "slugs")
      .exec({ slugs: ["A", "B"] });
    expect(rows.map(({ shout }) => shout).sort()).toEqual(
      slugsOf(own.filter(({ slug }) => slug < "c")).map((slug) => slug.toUpperCase()),
    );
    const groups = await scope.tasks.query().fields("tenantId").groupBy("tenantId").exec();
    expect(groups).toEqual(own.length > 0 ? [{ tenantId }] : []);
    expect(await scope.tasks.query().fields("tenantId").distinct().exec()).toEqual(groups);
  },
  pages: async ({ scope, model, tenantId }) => {
    const own = model.tasksOf(tenantId);
    const pages = maybe()
      ? scope.tasks.query().orderBy("slug", "asc").page(2)
      : scope.tasks.pageFromSpec({ order_by: [{ field: "slug", direction: "asc" }], limit: 2 });
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const page: { readonly rows: readonly { readonly slug?: string }[]; readonly next: string | null } =
        await pages.exec({}, after === null ? {} : { after });
      for (const { slug } of page.rows) seen.push(String(slug));
      after = page.next;
    } while (after !== null);
    expect(seen).toEqual(slugsOf(own));
  },
  specs: async ({ scope, model, tenantId, other }) => {
    const own = model.tasksOf(tenantId);
    const { tasks } = scope;
    const theirs = [{ field: "tenantId", operator: "=", param: "t" }] as const;
    expect(
      await tasks
        .queryFromSpec({ fields: ["slug"] })
        .count()
        .exec({}),
    ).toBe(own.length);
    expect(await tasks.queryFromSpec({ where: theirs }).exec({ t: other })).toEqual([]);
    expect(await tasks.countFromSpec({}).exec({})).toBe(own.length);
    expect(await tasks.sumFromSpec({ field: "n", where: theirs }).exec({ t: other })).toBe(0);
    expect(await tasks.selectFromSpec({ where: theirs }).execOrNull({ t: other })).toBeNull();
    const both = tasks.compoundFromSpec({
      base: { fields: ["slug"] },
      operands: [{ operation: "union_all", query: { fields: ["slug"], where: theirs } }],
    });
    expect(slugsOf((await both.exec({ t: other })) as { slug: string }[])).toEqual(slugsOf(own));
    expect(await tasks.removeFromSpec({ where: theirs }).exec({ t: other })).toBe(0);
    const low = upTo(12);
    const where = [{ field: "n", operator: ">=", param: "low" }] as const;
    const changed = own.filter(({ n }) => n !== null && n >= low);
    const rows = await tasks.modifyFromSpec({ set: { n: "to" }, where }).execMany({ to: 5, low });
    expect(rows).toHaveLength(changed.length);
    for (const one of changed) model.put({ ...one, n: 5 });
  },
  insert: async ({ scope, model, tenantId }) => {
    const one = { tenantId, ...record() };
    const stored = await scope.tasks.insert().exec({ slug: one.slug, n: one.n }).catch(refused);
    if (model.has(one)) expect(stored).toMatchObject({ code: "UNIQUE_VIOLATION" });
    else {
      expect(stored).toMatchObject(one);
      model.put(one);
    }
  },
  "insert many": async ({ scope, model, tenantId }) => {
    const free = SLUGS.filter((slug) => !model.has({ tenantId, slug }));
    const records = free.map((slug) => ({ slug, n: upTo(10) }));
    if (maybe()) expect(await scope.tasks.insert().execBatch(records)).toBe(records.length);
    else expect(await scope.tasks.insert().execMany(records)).toHaveLength(records.length);
    for (const one of records) model.put({ tenantId, ...one });
  },
  "upsert that does nothing": async ({ scope, model, tenantId }) => {
    const one = { tenantId, ...record() };
    const { slug, n } = one;
    const insert = scope.tasks.insert();
    const upsert = maybe() ? insert.onConflict("slug").doNothing() : insert.onConflict().doNothing();
    const row = await upsert.exec({ slug, n });
    if (model.has(one)) expect(row).toBeNull();
    else model.put(one);
  },
  "upsert that updates": async ({ scope, model, tenantId }) => {
    const own = SLUGS.slice(0, 1 + upTo(3)).map((slug) => ({ slug, n: upTo(10) }));
    const upsert = scope.tasks.insert().onConflict("tenantId", "slug").doUpdate();
    if (maybe()) await upsert.execBatch(own);
    else expect(await upsert.execMany(own)).toMatchObject(own.map((one) => ({ tenantId, ...one })));
    for (const one of own) model.put({ tenantId, ...one });
  },
  "upsert that updates where": async ({ scope, model, tenantId }) => {
    const [slug, n, low] = [any(SLUGS), upTo(10), upTo(10)];
    const before = model.tasksOf(tenantId).find((one) => one.slug === slug);
    const row = await scope.tasks
      .insert()
      .onConflict("slug")
      .doUpdate()
      .set("n", add("n", inserted("n")))
      .where("n", ">=", "low")
      .exec({ slug, n }, { low });
    if (before === undefined) model.put({ tenantId, slug, n });
    else if (before.n === null || before.n < low) expect(row).toBeNull();
    else model.put({ ...before, n: before.n + n });
  },
  modify: async ({ scope, model, tenantId }) => {
    const low = upTo(8);
    const rows = await scope.tasks
      .modify()
      .set("n", "to")
      .where("n", ">=", "low")
      .returning("tenantId", mul("n", value(2)).as("twice"))
      .execMany({ to: 3, low });
    const changed = model.tasksOf(tenantId).filter(({ n }) => n !== null && n >= low);
    expect(rows).toEqual(changed.map(() => ({ tenantId, twice: 6 })));
    for (const one of changed) model.put({ ...one, n: 3 });
  },
  "modify by wide conditions": async ({ scope, model, tenantId }) => {
    const changed = model.tasksOf(tenantId);
    const count = await scope.tasks
      .modify()
      .setExpr("n", "+", "by")
      .whereOr(isNull("n"), c("n", ">=", "zero"), between("tenantId", "zero", "many"))
      .execBatch([{ by: 1, zero: -1_000, many: 1_000 }]);
    expect(count).toBe(changed.length);
    for (const one of changed) model.put({ ...one, n: one.n === null ? null : one.n + 1 });
  },
  patch: async ({ scope, model, tenantId, all }) => {
    const theirs = all.find((one) => one.tenantId !== tenantId);
    if (theirs !== undefined)
      expect(
        await scope.tasks
          .modify()
          .where("id", "=", "id")
          .execPatch({ n: 99 }, { id: theirs.id })
          .catch(refused),
      ).toMatchObject({ code: "NO_ROWS" });
    const [one] = model.tasksOf(tenantId);
    if (one === undefined) return;
    await scope.tasks.modify().where("slug", "=", "slug").execPatch({ n: 7 }, { slug: one.slug });
    model.put({ ...one, n: 7 });
  },
  remove: async ({ scope, model, tenantId, all }) => {
    const ids = all.filter((one) => one.tenantId !== tenantId).map(({ id }) => id);
    expect(await scope.tasks.remove().where("id", "IN", "ids").exec({ ids })).toBe(0);
    const slug = any(SLUGS);
    const gone = model.tasksOf(tenantId).filter((one) => one.slug === slug);
    const removed = await scope.tasks
      .remove()
      .whereOr(c("slug", "=", "slug"))
      .execMany({ slug });
    expect(removed).toHaveLength(gone.length);
    model.remove(gone);
  },
  "remove all": async ({ scope, model, tenantId }) => {
    if (Math.random() < 0.7) return;
    const all = model.tasksOf(tenantId);
    const removed = await scope.tasks
      .remove()
      .whereOr(or(c("n", ">=", "n"), isNull("n")))
      .execBatch([{ n: -1_000 }]);
    expect(removed).toBe(all.length);
    model.remove(all);
  },
  transaction: async ({ db, model, tenantId, other }) => {
    const before = model.copy();
    const isKept = maybe();
    const done = db.transaction(async (tx) => {
      const { tasks } = scopesIn(tx, tenantId);
      await tasks.insert().onConflict("slug").doUpdate().exec({ slug: "a", n: 1 });
      model.put({ tenantId, slug: "a", n: 1 });
      const theirs = scopesIn(db, other).tasks;
      await theirs.insert().onConflict("slug").doUpdate().execTx(tx, { slug: "a", n: 2 });
      model.put({ tenantId: other, slug: "a", n: 2 });
      expect(await tasks.count().where("slug", "=", "slug").exec({ slug: "a" })).toBe(1);
      if (!isKept) throw new Error("undone");
    });
    if (isKept) await done;
    else {
      await expect(done).rejects.toThrow("undone");
      model.become(before);
    }
  },
};
