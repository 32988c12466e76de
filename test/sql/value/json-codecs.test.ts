/** JSON columns whose schemas hold codecs: values are of the output type, and are stored encoded. */
import { column, json, table } from "rowtype";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, servers } from "../../servers.js";

const isoDate = z.codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});
const csv = z.codec(z.string(), z.array(z.string().trim()), {
  decode: (text) => text.split(","),
  encode: (list) => list.join(","),
});
interface Tree {
  at: Date;
  below: Tree[];
}
const tree: z.ZodType<Tree> = z.lazy(() => z.object({ at: isoDate, below: z.array(tree) }));

const Note = table(
  "codec_notes",
  z.object({
    id: column(z.int(), { primaryKey: true, generated: true }),
    key: column(z.string(), { unique: true }),
    meta: json(z.object({ at: isoDate, words: csv, mail: z.string().trim().toLowerCase() })),
    every: json(
      z.object({
        list: z.array(isoDate),
        pair: z.tuple([isoDate, z.int()]),
        byName: z.record(z.string(), isoDate),
        choice: z.union([
          z.object({ kind: z.literal("at"), at: isoDate }),
          z.object({ kind: z.literal("none") }),
        ]),
        maybe: isoDate.optional(),
        none: isoDate.nullable(),
        filled: z.string().default("filled"),
        both: z.intersection(z.object({ at: isoDate }), z.object({ size: z.int() })),
        dates: z.set(isoDate),
        map: z.map(z.string(), isoDate),
        tree,
      }),
    ).nullable(),
  }),
);

const at = new Date("2026-01-02T03:04:05.678Z");
const meta = { at, words: [" a", "b "], mail: " ANN@X.ORG " };
const stored = { at, words: ["a", "b"], mail: "ann@x.org" };
const every = {
  list: [at],
  pair: [at, 1] as [Date, number],
  byName: { one: at },
  choice: { kind: "at" as const, at },
  none: null,
  filled: "full",
  both: { at, size: 2 },
  dates: new Set([at]),
  map: new Map([["one", at]]),
  tree: { at, below: [{ at, below: [] }] },
};

for (const server of servers)
  describe.skipIf(!server.available)(`codecs in JSON on ${server.name}`, () => {
    let lent: Lent;
    beforeAll(async () => {
      lent = await server.lend();
    });
    beforeEach(async () => {
      await lent.db.dropTables(Note);
      await lent.db.createTables(Note);
    });
    afterAll(() => lent.close());
    const notes = () => lent.db.repository(Note);

    test("an insert takes the output type and gives it back, with checks and overwrites applied", async () => {
      const row = await notes().insert().exec({ key: "a", meta, every });
      expect(row).toEqual({ id: 1, key: "a", meta: stored, every: { ...every, filled: "full" } });
      expect(await notes().query().exec()).toEqual([row]);
    });

    test("a body that insertSchema has parsed can be inserted", async () => {
      const body = { key: "b", meta: { at: at.toISOString(), words: "a,b", mail: "ANN@X.ORG" } };
      const row = await notes().insert().exec(Note.insertSchema.parse(body));
      expect(row.meta).toEqual(stored);
    });

    test("batches, updates, patches and upserts take it too", async () => {
      expect(
        await notes()
          .insert()
          .execBatch([
            { key: "a", meta },
            { key: "b", meta, every: null },
          ]),
      ).toBe(2);
      const later = { ...stored, at: new Date(at.getTime() + 1_000) };
      const modify = notes().modify().where("key", "=", "key");
      expect((await modify.set("meta", "to").exec({ key: "a", to: later })).meta).toEqual(later);
      expect((await modify.execPatch({ meta: later, every }, { key: "b" })).every).toEqual(every);
      const upsert = notes().insert().onConflict("key").doUpdate();
      expect((await upsert.exec({ key: "a", meta }))?.meta).toEqual(stored);
      const set = upsert.set("meta", "newMeta");
      expect((await set.exec({ key: "a", meta }, { newMeta: later }))?.meta).toEqual(later);
    });

    test("the encoded form, another type and a failed check are PARAM_TYPE and name the key", async () => {
      const wrong: readonly unknown[] = [
        { ...meta, at: at.toISOString() },
        { ...meta, at: new Date(Number.NaN) },
        { ...meta, words: "a,b" },
        { ...meta, mail: 7 },
        "text",
        [],
      ];
      for (const one of wrong) {
        const error = await sqlErrorOf(
          notes()
            .insert()
            .exec({ key: "a", meta: one as never }),
        );
        expect(error).toMatchObject({ code: "PARAM_TYPE", param: "meta" });
      }
      expect(await notes().count().exec()).toBe(0);
    });

    test("a record that onRecord changed is encoded too", async () => {
      const guarded = notes();
      guarded.onRecord((record) => {
        record.meta = { ...record.meta, words: ["changed"] };
      });
      const row = await guarded.insert().exec({ key: "c", meta });
      guarded.onRecord(null);
      expect(row.meta).toEqual({ ...stored, words: ["changed"] });
    });
  });

test.each([isoDate, csv, isoDate.nullable(), isoDate.meta({ title: "at" }), z.array(isoDate)])(
  "a codec that is the column itself is refused with the way to declare it",
  (codec) => {
    const declare = (schema: z.ZodType) => table("codec_columns", z.object({ codec: schema }));
    expect(() => declare(codec)).toThrow(/^column .* cannot be a codec; wrap it in json\(…\)/);
    expect(declare(json(codec)).columns.codec.kind).toBe("json");
  },
);
