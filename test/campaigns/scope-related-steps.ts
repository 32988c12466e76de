/**
 * What a program may do in scopes of two tables that are related: a query inside another keeps its own scope, a
 * relation without a query leads to the whole table, and what is changed is always of the scope.
 */
import { and, c, count, type Database, exists, inQuery, of, sum, value } from "rowtype";
import { expect } from "vitest";
import {
  any,
  type Model,
  maybe,
  type Note,
  plainNotes,
  SLUGS,
  type Step,
  scopesIn,
  type Task,
  upTo,
  type World,
} from "./scope-world.js";

const keyOf = ({ all }: World, { tenantId, slug }: Task): number =>
  all.find((row) => row.tenantId === tenantId && row.slug === slug)?.id ?? 0;

const numbers = (notes: readonly { readonly n: number }[]) => notes.map(({ n }) => n).sort((a, b) => a - b);
const slugs = (rows: readonly { readonly slug: string }[]) => rows.map(({ slug }) => slug).sort();

interface Related {
  readonly task: Task;
  readonly id: number;
  /** Its notes in the scope, and all of them. */
  readonly own: readonly Note[];
  readonly whole: readonly Note[];
}

/** The tasks of the scope, with their notes. */
function related(world: World): readonly Related[] {
  const { model, tenantId } = world;
  return model.tasksOf(tenantId).map((task) => {
    const id = keyOf(world, task);
    const whole = [...model.notes.values()].filter(({ taskId }) => taskId === id);
    return { task, id, whole, own: whole.filter((note) => note.tenantId === tenantId) };
  });
}

const tasksOf = (some: readonly Related[]) => some.map(({ task }) => task);

export const relatedSteps: Readonly<Record<string, Step>> = {
  "write notes": async ({ scope, model, tenantId, all, fresh }) => {
    if (all.length === 0) return;
    const records = Array.from({ length: 1 + upTo(3) }, () => ({
      taskId: any(all).id,
      n: fresh(),
      tag: maybe() ? any(SLUGS) : null,
    }));
    if (maybe()) await scope.notes.insert().execBatch(records);
    else for (const record of records) await scope.notes.insert().exec(record);
    for (const record of records) model.putNote({ tenantId, ...record });
  },
  "read where related rows are": async (world) => {
    const { scope } = world;
    const low = upTo(20);
    const some = related(world);
    const high = scope.notes.query().where("n", ">=", "low");
    const ids = high.fields("taskId");
    const tasks = scope.tasks.query();
    const met = slugs(tasksOf(some.filter(({ own }) => own.some(({ n }) => n >= low))));
    const without = slugs(tasksOf(some.filter(({ own }) => own.length === 0)));
    const whole = slugs(tasksOf(some.filter((one) => one.whole.length > 0)));
    const [found, wanted] = await any([
      async () => [await tasks.whereExists("notes", high).exec({ low }), met] as const,
      async () => [await tasks.whereExistsOn(high, "id", "taskId").exec({ low }), met] as const,
      async () => [await tasks.whereQuery("id", "IN", ids).exec({ low }), met] as const,
      async () => {
        const either = tasks.whereOr(exists("notes", high), inQuery("id", "IN", ids));
        return [await either.exec({ low }), met] as const;
      },
      async () => [await tasks.whereNotExists("notes", scope.notes.query()).exec(), without] as const,
      async () => [await tasks.whereExists("notes").exec(), whole] as const,
    ])();
    expect(slugs(found)).toEqual(wanted);
  },
  "read rows inside rows": async (world) => {
    const { scope } = world;
    const some = related(world);
    const wanted = some.map(({ task, own }) => [task.slug, ...numbers(own)]);
    const shown = (
      rows: readonly { readonly slug: string; readonly notes: readonly { readonly n: number }[] }[],
    ) => rows.map(({ slug, notes }) => [slug, ...numbers(notes)]);
    const inside = scope.notes.query().fields("n", "tenantId");
    const nested = scope.tasks.query().with("notes", inside).orderBy("slug", "asc");
    const on = scope.tasks.query().withOn("notes", inside, "id", "taskId").orderBy("slug", "asc");
    const rows = await any([
      () => nested.exec(),
      () => on.exec(),
      () => all(nested.stream()),
      async () => (await nested.page(10).exec()).rows,
    ])();
    expect(shown(rows)).toEqual(wanted);
  },
  "read joined rows": async (world) => {
    const { scope, tenantId } = world;
    const some = related(world);
    const sums = scope.notes.query().fields("taskId", sum("n").as("s")).groupBy("taskId").as("sums");
    const rows = await scope.tasks
      .query()
      .joinQuery(sums, "id", "taskId")
      .fields("slug", "tenantId", "sums.s")
      .orderBy("slug", "asc")
      .exec();
    expect(rows).toEqual(
      some
        .filter(({ own }) => own.length > 0)
        .map(({ task, own }) => ({
          slug: task.slug,
          tenantId,
          sums: { s: own.reduce((total, { n }) => total + n, 0) },
        })),
    );
    const whole = await scope.tasks.query().join("notes").fields("slug", "notes.n").exec();
    expect(numbers(whole.map(({ notes }) => notes))).toEqual(numbers(some.flatMap((one) => one.whole)));
    const mine = await scope.tasks
      .query()
      .join("notes")
      .where("notes.tenantId", "=", "t")
      .fields("notes.n")
      .exec({ t: tenantId });
    expect(numbers(mine.map(({ notes }) => notes))).toEqual(numbers(some.flatMap(({ own }) => own)));
    const counted = scope.tasks
      .query()
      .fields("slug", of("notes", count()).as("notes"))
      .orderBy("slug", "asc");
    expect(await counted.exec()).toEqual(
      some.map((one) => ({ slug: one.task.slug, notes: one.whole.length })),
    );
  },
  "read a query as a table": async ({ db, scope, model, tenantId, other }) => {
    const own = model.tasksOf(tenantId);
    const mine = scope.tasks.query().fields("slug", "tenantId").as("mine");
    const from = (db as unknown as Database<"sqlite">).from(mine);
    expect(await from.where("tenantId", "=", "t").exec({ t: other })).toEqual([]);
    expect(slugs(await from.exec())).toEqual(slugs(own));
  },
  "read by specs with relations": async (world) => {
    const { scope, other } = world;
    const low = upTo(20);
    const where = [{ field: "n", operator: ">=", param: "low" }] as const;
    const some = related(world);
    const found = await scope.tasks
      .queryFromSpec(untyped({ where: [{ exists: "notes", where }] }))
      .exec({ low });
    // Specs narrow related tables too.
    const wanted = some.filter(({ own }) => own.some(({ n }) => n >= low));
    expect(found.map(({ slug }) => slug).sort()).toEqual(slugs(tasksOf(wanted)));
    const theirs = untyped({
      where: [{ field: "tenantId", operator: "=", param: "t" }, { exists: "notes" }],
    });
    expect(await scope.tasks.queryFromSpec(theirs).exec({ t: other })).toEqual([]);
    expect(await scope.tasks.removeFromSpec(theirs).exec({ t: other })).toBe(0);
    const joined = scope.tasks.queryFromSpec({
      joins: [{ relation: "notes" }],
      fields: ["slug", "notes.n"],
      where: [{ field: "notes.n", operator: ">=", param: "low" }],
    });
    expect(await joined.exec({ low })).toHaveLength(
      some.flatMap(({ own }) => own.filter(({ n }) => n >= low)).length,
    );
  },
  "change where related rows are": async (world) => {
    const { scope, model, tenantId } = world;
    const low = upTo(20);
    const high = scope.notes.query().where("n", ">=", "low");
    const met = related(world).filter(({ own }) => own.some(({ n }) => n >= low));
    const rows = await scope.tasks.modify().set("n", value(8)).whereExists("notes", high).execMany({ low });
    expect(slugs(rows)).toEqual(slugs(tasksOf(met)));
    for (const { task } of met) model.put({ ...task, n: 8 });
    const ids = scope.tasks.query().fields("id").where("slug", "=", "slug");
    const slug = any(SLUGS);
    const keys = related(world)
      .filter(({ task }) => task.slug === slug)
      .map(({ id }) => id);
    const gone = model.notesOf(tenantId).filter(({ taskId }) => keys.includes(taskId));
    expect(await scope.notes.remove().whereQuery("taskId", "IN", ids).exec({ slug })).toBe(gone.length);
    model.removeNotes(gone);
  },
  "set from related rows": async (world) => {
    const { scope, model, tenantId, all } = world;
    const low = upTo(20);
    const slugOf = (id: number) => all.find((row) => row.id === id)?.slug;
    const met = model.notesOf(tenantId).filter(({ n, taskId }) => n >= low && slugOf(taskId) !== undefined);
    const rows = await scope.notes
      .modify()
      .setFrom("tag", "task", "slug")
      .where("n", ">=", "low")
      .execMany({ low });
    for (const note of met) model.putNote({ ...note, tag: slugOf(note.taskId) ?? null });
    expect(plainNotes(rows)).toEqual(plainNotes(met.map(({ n }) => noteOf(model, n))));
  },
  "insert from a query": async ({ scope, whole, model, tenantId, other, db }) => {
    const theirScope = scopesIn(db, other).tasks.query().fields("slug", "n").where("slug", "=", "slug");
    const query = whole.tasks
      .query()
      .fields("slug", "n")
      .where("slug", "=", "slug")
      .where("tenantId", "=", "t");
    const slug = any(SLUGS);
    const theirs = model.tasksOf(other).filter((one) => one.slug === slug);
    const insert = scope.tasks.insert().onConflict("slug");
    // MariaDB has no insert from a query that leaves rows alone.
    const isUpdating = maybe() || db.dialect === "mariadb";
    const upsert = isUpdating ? insert.doUpdate() : insert.doNothing();
    if (maybe()) await upsert.execFrom(query, { slug, t: other });
    else await upsert.execFrom(theirScope, { slug });
    for (const { n } of theirs)
      if (isUpdating || !model.has({ tenantId, slug })) model.put({ tenantId, slug, n });
  },
  "in a transaction": async (world) => {
    const { db, model, tenantId } = world;
    const before = model.copy();
    const isKept = maybe();
    const done = db.transaction(async (tx) => {
      const { tasks, notes } = scopesIn(tx, tenantId);
      const some = related(world);
      const rows = await tasks.query().with("notes", notes.query()).orderBy("slug", "asc").exec();
      expect(rows.map((row) => numbers(row.notes))).toEqual(some.map(({ own }) => numbers(own)));
      const all = model.notesOf(tenantId);
      const wide = and(c("id", ">", "none"));
      expect(await notes.remove().whereOr(wide).exec({ none: 0 })).toBe(all.length);
      model.removeNotes(all);
      if (!isKept) throw new Error("undone");
    });
    if (isKept) await done;
    else {
      await expect(done).rejects.toThrow("undone");
      model.become(before);
    }
  },
};

async function all<R>(stream: AsyncIterable<R>): Promise<R[]> {
  const rows: R[] = [];
  for await (const row of stream) rows.push(row);
  return rows;
}

// The condition of a related table is no part of the types of specs.
const untyped = (spec: unknown): object => spec as object;

function noteOf(model: Model, n: number): Note {
  const note = model.notes.get(n);
  if (note === undefined) throw new Error(`no note has ${n}`);
  return note;
}
