/** What an overwrite changes inside of JSON, it changes once in a call, and never again when the value is read. */
import Sqlite from "better-sqlite3";
import { column, json, path, table } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";

const loud = () => z.string().overwrite((text) => `${text}!`);

const Doc = z.object({
  word: loud(),
  words: z.array(loud()),
  deep: z.object({ list: z.array(z.object({ word: loud().max(2) })) }),
  either: z.union([z.int(), loud()]),
  by: z.record(loud(), loud()),
  spoken: z.codec(loud(), z.string(), { decode: (text) => text, encode: (text) => text }),
  heard: z.codec(z.string(), loud(), { decode: (text) => text, encode: (text) => text }),
  // The check before the overwrite does not hold for what is stored.
  short: z
    .string()
    .max(1)
    .overwrite((text) => `${text}!`),
  whole: z.object({ a: z.string() }).overwrite(({ a }) => ({ a: `${a}!` })),
});

const Note = table(
  "notes",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    bare: json(loud()),
    doc: json(Doc),
    list: json(z.array(loud())).nullable(),
  }),
);

const given = {
  word: "a",
  words: ["a", "b"],
  deep: { list: [{ word: "a" }] },
  either: "a",
  by: { a: "b" },
  spoken: "a",
  heard: "a",
  short: "a",
  whole: { a: "a" },
};
const kept = {
  word: "a!",
  words: ["a!", "b!"],
  deep: { list: [{ word: "a!" }] },
  either: "a!",
  by: { "a!": "b!" },
  spoken: "a!",
  heard: "a!",
  short: "a!",
  whole: { a: "a!" },
};
const note = (id: number) => ({ id, bare: "a", doc: given, list: ["a"] });
const row = (id: number) => ({ id, bare: "a!", doc: kept, list: ["a!"] });

describe("an overwrite inside of JSON is made once", () => {
  const open = async () => {
    const db = sqlite(new Sqlite(":memory:"));
    await db.createTables(Note);
    return db;
  };
  let db: Awaited<ReturnType<typeof open>>;
  const notes = () => db.repository(Note);
  const read = () => notes().query().orderBy("id", "asc").exec();
  beforeEach(async () => {
    db = await open();
  });

  test("by an insert, of one and of many, and reading changes nothing", async () => {
    expect(await notes().insert().exec(note(1))).toEqual(row(1));
    expect(
      await notes()
        .insert()
        .execMany([note(2), note(3)]),
    ).toEqual([row(2), row(3)]);
    await notes()
      .insert()
      .execBatch([note(4)]);
    expect(await read()).toEqual([1, 2, 3, 4].map(row));
    expect(await read()).toEqual([1, 2, 3, 4].map(row));
  });

  test("where onRecord changes something else", async () => {
    const repository = notes();
    repository.onRecord((record) => void Object.assign(record, { list: null }));
    expect(await repository.insert().exec(note(1))).toEqual({ ...row(1), list: null });
  });

  test("by an update, a patch and an upsert", async () => {
    await notes()
      .insert()
      .execBatch([note(1)]);
    const modify = notes().modify().where("id", "=", "id");
    expect(await modify.set("doc", "to").set("bare", "word").exec({ id: 1, to: given, word: "b" })).toEqual({
      ...row(1),
      bare: "b!",
    });
    expect(await modify.execPatch({ doc: given, list: ["c"] }, { id: 1 })).toEqual({
      ...row(1),
      bare: "b!",
      list: ["c!"],
    });
    const upsert = notes().insert().onConflict("id").doUpdate();
    expect(await upsert.exec(note(1))).toEqual(row(1));
    await upsert.execBatch([note(1), note(2)]);
    expect(await read()).toEqual([row(1), row(2)]);
  });

  test("where a part is set; what a condition compares with stays as it is", async () => {
    await notes()
      .insert()
      .execBatch([note(1)]);
    const found = notes().query().fields("id").where(path("doc", "word"), "=", "word");
    expect(await found.exec({ word: "a!" })).toEqual([{ id: 1 }]);
    expect(await found.exec({ word: "a" })).toEqual([]);
    const set = notes().modify().setPath("doc", ["deep", "list", 0, "word"], "to").where("id", "=", "id");
    const { doc } = await set.exec({ id: 1, to: "b" });
    expect(doc).toEqual({ ...kept, deep: { list: [{ word: "b!" }] } });
  });

  test("by statements made from specs", async () => {
    await notes().insertFromSpec({}).exec(note(1));
    const spec = { set: { bare: "to" }, where: [{ field: "id", operator: "=", param: "id" }] } as const;
    await notes().modifyFromSpec(spec).exec({ id: 1, to: "b" });
    expect(await read()).toEqual([{ ...row(1), bare: "b!" }]);
  });

  test("of a parameter of the caller's own SQL, and of its rows", async () => {
    await notes()
      .insert()
      .execBatch([note(1)]);
    const change = db.sql("UPDATE notes SET bare = :bare, doc = :doc", undefined, {
      params: { bare: json(loud()), doc: json(Doc) },
    });
    await change.exec({ bare: "b", doc: given });
    expect(await read()).toEqual([{ ...row(1), bare: "b!" }]);
    // The schema of the rows is the caller's, and validates them as it says.
    const [own] = await db.sql("SELECT bare FROM notes", z.object({ bare: json(loud()) })).exec();
    expect(own).toEqual({ bare: "b!!" });
  });
});
