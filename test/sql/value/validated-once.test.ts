/** Within one call a value is validated once, and again only where `onRecord` has changed it. */
import Sqlite from "better-sqlite3";
import { column, json, table } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorOf } from "../../kit/thrown.js";

const seen: string[] = [];
const watched = <S extends z.ZodType>(name: string, schema: S): S =>
  schema.refine(() => {
    seen.push(name);
    return true;
  }) as S;

const Note = table(
  "notes",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    title: watched("title", z.string().trim().min(1)),
    at: watched("at", z.date()),
    doc: column(json(watched("doc", z.object({ tags: z.array(z.string().min(1)) }))), {}),
    raw: watched("raw", z.instanceof(Uint8Array)).nullable(),
  }),
);

const note = (id: number) => ({
  id,
  title: ` note ${id} `,
  at: new Date("2026-01-01T00:00:00Z"),
  doc: { tags: ["a"] },
  raw: new Uint8Array([1]),
});
const times = (count: number, names = ["title", "at", "doc", "raw"]) =>
  names.flatMap((name) => Array<string>(count).fill(name)).toSorted();

describe("a value is validated", () => {
  const open = async () => {
    const db = sqlite(new Sqlite(":memory:"));
    await db.createTables(Note);
    return db.repository(Note);
  };
  let notes: Awaited<ReturnType<typeof open>>;
  beforeEach(async () => {
    notes = await open();
  });
  /** What is validated of what is given; the JSON that comes back is validated as well, and is not counted. */
  const validatedBy = async (call: () => Promise<unknown>) => {
    seen.length = 0;
    await call();
    return seen.toSorted();
  };

  test("once in every insert without onRecord", async () => {
    expect(await validatedBy(() => notes.insert().execBatch([note(1)]))).toEqual(times(1));
    expect(await validatedBy(() => notes.insert().execBatch([2, 3, 4].map(note)))).toEqual(times(3));
    const upsert = notes.insert().onConflict("id").doUpdate();
    expect(await validatedBy(() => upsert.execBatch([4, 5].map(note)))).toEqual(times(2));
    // What comes back is read by the schema of its JSON.
    expect(await validatedBy(() => notes.insert().exec(note(6)))).toEqual([...times(1), "doc"].toSorted());
    const many = () => notes.insert().execMany([7, 8].map(note));
    expect(await validatedBy(many)).toEqual([...times(2), "doc", "doc"].toSorted());
  });

  test("once with an onRecord that changes nothing", async () => {
    const given: unknown[] = [];
    notes.onRecord((record) => void given.push(record.title));
    expect(await validatedBy(() => notes.insert().execBatch([1, 2].map(note)))).toEqual(times(2));
    expect(await validatedBy(() => notes.insert().exec(note(3)))).toEqual([...times(1), "doc"].toSorted());
    expect(given).toEqual(["note 1", "note 2", "note 3"]);
  });

  test("again where onRecord has changed it, and nothing else with it", async () => {
    notes.onRecord((record) => {
      record.title = " changed ";
    });
    const batch = () => notes.insert().execBatch([note(1)]);
    expect(await validatedBy(batch)).toEqual([...times(1), "title"].toSorted());
    expect(await notes.query().fields("title").exec()).toEqual([{ title: "changed" }]);
  });

  test("again where onRecord has changed it from within", async () => {
    for (const [name, change] of [
      ["at", (record: ReturnType<typeof note>) => void record.at.setUTCFullYear(2027)],
      ["doc", (record: ReturnType<typeof note>) => void record.doc.tags.push("b")],
      ["raw", (record: ReturnType<typeof note>) => void record.raw.set([9])],
    ] as const) {
      notes.onRecord((record) => change(record as ReturnType<typeof note>));
      expect(await validatedBy(() => notes.insert().execBatch([note(name.charCodeAt(0))]))).toEqual(
        [...times(1), name].toSorted(),
      );
    }
    notes.onRecord((record) => void record.doc.tags.push(""));
    expect(await sqlErrorOf(notes.insert().execBatch([note(1), note(2)]))).toMatchObject({
      code: "PARAM_TYPE",
      param: "doc",
      index: 0,
    });
  });

  test("and what onRecord takes away, adds or spoils is refused, with the record's index in a batch", async () => {
    const refusals: readonly (readonly [(record: Record<string, unknown>) => void, object])[] = [
      [(record) => delete record["title"], { code: "MISSING_PARAM", param: "title" }],
      [(record) => void Object.assign(record, { more: 1 }), { code: "EXTRA_PARAM", param: "more" }],
      [(record) => void Object.assign(record, { title: "  " }), { code: "PARAM_TYPE", param: "title" }],
      [(record) => void Object.assign(record, { title: null }), { code: "PARAM_TYPE", param: "title" }],
    ];
    for (const [change, error] of refusals) {
      notes.onRecord((record) => change(record as Record<string, unknown>));
      const single = await sqlErrorOf(notes.insert().exec(note(1)));
      expect(single).toMatchObject(error);
      expect(single).not.toMatchObject({ index: expect.any(Number) });
      const second = notes.insert().execBatch([note(1), note(2)]);
      expect(await sqlErrorOf(second)).toMatchObject({ ...error, index: 0 });
    }
    notes.onRecord((record) => delete (record as Record<string, unknown>)["raw"]);
    expect(await notes.insert().exec(note(1))).toMatchObject({ raw: null });
  });

  test("once in an update", async () => {
    await notes.insert().execBatch([note(1)]);
    const rename = notes.modify().set("title", "title").where("id", "=", "id");
    expect(await validatedBy(() => rename.execBatch([{ id: 1, title: "x" }]))).toEqual(["title"]);
    const patch = notes.modify().where("id", "=", "id");
    expect(await validatedBy(() => patch.execPatch({ at: new Date() }, { id: 1 }))).toEqual(["at", "doc"]);
  });
});
