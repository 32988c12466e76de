/**
 * Bytes in every form that a program may hold them: of their own, or a part of a larger buffer. What is stored, found and
 * read back are these bytes and none around them, and what is read is an array of its own.
 */
import { coalesce, column, type Database, json, many, on, param, table } from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { byteForms } from "../../byte-forms.js";
import { walk } from "../../kit/walk.js";
import { type Lent, servers } from "../../servers.js";

const Bytes = z.instanceof(Uint8Array);
const files = table(
  "byte_files",
  z.object({
    id: column(Bytes, { primaryKey: true }),
    size: z.int(),
    body: Bytes.nullable(),
    parts: z.array(Bytes).nullable(),
    doc: json(z.object({ bytes: Bytes, list: z.array(Bytes) })).nullable(),
  }),
  { relations: { notes: many("notes", "fileId") } },
);
const notes = table(
  "byte_notes",
  z.object({ id: column(z.int(), { primaryKey: true }), fileId: column(Bytes, { index: true }) }),
);

// One type for all of them: what is used here, every server has.
const typed = (lent: Lent) => {
  const db = lent.db as unknown as Database<"sqlite">;
  return { db, ...db.repositories({ files, notes }) };
};
type World = ReturnType<typeof typed>;

const CONTENT = [0, 1, 92, 34, 39, 127, 128, 255, 0xc3, 0x28];
const plain = new Uint8Array(CONTENT);
const others = [new Uint8Array([1]), new Uint8Array([2, 0, 255])] as const;

const file = (id: Uint8Array<ArrayBuffer>, bytes: Uint8Array<ArrayBuffer>) => ({
  id,
  size: id.length,
  body: bytes,
  parts: [bytes, bytes],
  doc: { bytes, list: [bytes] },
});
type File = { [K in "body" | "parts" | "doc"]: ReturnType<typeof file>[K] | null };

/** All bytes of a row but those of its key. */
const bytesIn = ({ body, parts, doc }: File) => [body, ...(parts ?? []), doc?.bytes, ...(doc?.list ?? [])];
/** And those of its key. */
const allIn = (row: File & { id: Uint8Array }) => [row.id, ...bytesIn(row)];
const one = async ({ files }: World) => files.select().where("id", "=", "id").exec({ id: plain });

const INSIDE = "a value inside JSON";
const NESTED = "rows in other rows";
const needsJson: ReadonlySet<string> = new Set([INSIDE, NESTED]);

/** The ways of bytes into a database and out of it: each gives what it has read, which are the bytes that were given. */
const ways: Readonly<
  Record<string, (world: World, given: Uint8Array<ArrayBuffer>) => Promise<readonly unknown[]>>
> = {
  "an insert": async (world, given) => [
    ...allIn(await world.files.insert().exec(file(given, given))),
    ...allIn(await one(world)),
  ],
  "an insert of many rows, which come back": async (world, given) => {
    const [first, ...more] = await world.files
      .insert()
      .execMany([file(given, given), ...others.map((id) => file(id, given))]);
    return [first?.id, ...[first, ...more].flatMap((row) => row && bytesIn(row)), ...allIn(await one(world))];
  },
  "a batch": async (world, given) => {
    await world.files.insert().execBatch([file(given, given), ...others.map((id) => file(id, given))]);
    return [...allIn(await one(world)), ...(await world.files.query().exec()).flatMap(bytesIn)];
  },
  "an upsert": async (world, given) => {
    await world.files.insert().execBatch([file(plain, others[0]), file(others[0], others[1])]);
    const upsert = world.files.insert().onConflict("id").doUpdate();
    return [...allIn(await upsert.exec(file(given, given))), ...allIn(await one(world))];
  },
  "an upsert with a parameter of its own": async (world, given) => {
    await world.files.insert().exec(file(plain, others[0]));
    const upsert = world.files.insert().onConflict("id").doUpdate().set("body", "given");
    return [(await upsert.exec(file(plain, others[0]), { given })).body, (await one(world)).body];
  },
  "an upsert of many rows": async (world, given) => {
    await world.files.insert().execBatch([file(plain, others[0]), file(others[0], others[1])]);
    const upsert = world.files.insert().onConflict("id").doUpdate();
    const rows = await upsert.execMany([file(given, given), file(others[0], given), file(others[1], given)]);
    await upsert.execBatch([file(given, given), file(others[0], given)]);
    return [
      ...rows.flatMap(bytesIn),
      ...allIn(await one(world)),
      ...(await world.files.query().exec()).flatMap(bytesIn),
    ];
  },
  "an upsert that holds a key twice, of which the last record wins": async (world, given) => {
    const upsert = world.files.insert().onConflict("id").doUpdate();
    const statements = async (last: Uint8Array<ArrayBuffer>) => {
      let sent = 0;
      const off = on("db.query.started", () => void sent++);
      await upsert.execBatch([file(plain, others[0]), file(last, given)]).finally(off);
      return sent;
    };
    // One that did not know the key again would begin anew after an error of the server.
    await statements(plain);
    expect(await statements(given)).toBe(await statements(plain));
    return allIn(await one(world));
  },
  "an update": async (world, given) => {
    await world.files.insert().execBatch([file(plain, others[0]), file(others[0], others[1])]);
    const update = world.files
      .modify()
      .set("body", "given")
      .set("parts", "list")
      .set("doc", "doc")
      .where("id", "=", "id");
    const params = { given, list: [given, given], doc: { bytes: given, list: [given] }, id: given };
    const row = await update.exec(params);
    const [again] = await update.execMany(params);
    return [...allIn(row), ...(again === undefined ? [undefined] : allIn(again)), ...allIn(await one(world))];
  },
  "an update of rows that a condition finds": async (world, given) => {
    await world.files.insert().execBatch([file(plain, others[0]), file(others[0], others[1])]);
    const rows = await world.files
      .modify()
      .set("body", "given")
      .where("size", ">", "size")
      .execMany({ given, size: 0 });
    return [...rows.map(({ body }) => body), (await one(world)).body];
  },
  "updates of a batch": async (world, given) => {
    await world.files.insert().execBatch([file(plain, others[0]), file(others[0], others[1])]);
    const update = world.files.modify().set("body", "given").where("id", "=", "id");
    await update.execBatch([
      { given, id: given },
      { given, id: others[0] },
    ]);
    return (await world.files.query().exec()).map(({ body }) => body);
  },
  "a change of some fields": async (world, given) => {
    await world.files.insert().exec(file(plain, others[0]));
    const row = await world.files
      .modify()
      .where("id", "=", "id")
      .execPatch({ body: given, parts: [given, given] }, { id: given });
    return [row.body, ...(row.parts ?? []), (await one(world)).body];
  },
  "a new key": async (world, given) => {
    await world.files.insert().exec(file(others[0], plain));
    const row = await world.files
      .modify()
      .set("id", "given")
      .where("id", "=", "id")
      .exec({ given, id: others[0] });
    return [...allIn(row), ...allIn(await one(world))];
  },
  [INSIDE]: async (world, given) => {
    await world.files.insert().exec(file(plain, others[0]));
    const set = world.files.modify().setPath("doc", ["list"], "list").where("id", "=", "id");
    const { doc } = await set.exec({ list: [given, given], id: given });
    return doc?.list ?? [];
  },
  conditions: async (world, given) => {
    await world.files.insert().execBatch([file(plain, plain), file(others[0], others[1])]);
    const { files } = world;
    expect(await files.count().where("id", "=", "id").exec({ id: given })).toBe(1);
    expect(await files.count().where("id", "!=", "id").exec({ id: given })).toBe(1);
    expect(
      await files
        .count()
        .where("parts", "=", "list")
        .exec({ list: [given, given] }),
    ).toBe(1);
    expect(
      await files
        .count()
        .where("parts", "!=", "list")
        .exec({ list: [given, given] }),
    ).toBe(1);
    return (await files.query().fields("id").whereOptional("id", "=", "id").exec({ id: given })).map(
      ({ id }) => id,
    );
  },
  "an expression": async (world, given) => {
    await world.files.insert().exec(file(plain, plain));
    const query = world.files
      .query()
      .fields(param("given", Bytes).as("given"), coalesce("body", param("given", Bytes)).as("either"));
    return (await query.exec({ given })).flatMap(({ given, either }) => [given, either]);
  },
  "rows that are read one by one, and page by page": async (world, given) => {
    const { files } = world;
    await files.insert().execBatch([file(given, given), file(others[0], given), file(others[1], given)]);
    const seen: unknown[] = [];
    for await (const row of files.query().stream()) seen.push(...bytesIn(row));
    const pages = await walk(files.query().orderBy("id", "asc").page(1), { most: 4 });
    expect(pages.map((rows) => rows.length)).toEqual([1, 1, 1]);
    seen.push(...pages.flat().flatMap(bytesIn));
    return seen;
  },
  [NESTED]: async ({ files, notes }, given) => {
    await files.insert().exec(file(given, given));
    await notes.insert().execBatch([1, 2].map((id) => ({ id, fileId: given })));
    const [found] = await files.query().with("notes").where("id", "=", "id").exec({ id: given });
    expect(found?.notes).toHaveLength(2);
    return (found?.notes ?? []).map(({ fileId }) => fileId);
  },
  "rows of SQL of one's own": async (world, given) => {
    const { db, files } = world;
    await files.insert().execBatch([file(plain, plain), file(others[0], others[1])]);
    const quote = (db.dialect as string) === "mariadb" ? "`" : '"';
    const id = `${quote}id${quote}`;
    const text = `SELECT * FROM ${quote}byte_files${quote} WHERE ${id} IN (:...ids) AND ${id} = :id`;
    const plainly = await db.sql(text, files.table.schema).exec({ ids: [given, given], id: given });
    const typed = db.sql(text, files.table.schema, { params: { ids: z.array(Bytes), id: Bytes } });
    return [...plainly, ...(await typed.exec({ ids: [given], id: given }))].flatMap((row) =>
      allIn(row as never),
    );
  },
  removals: async (world, given) => {
    const { files } = world;
    await files.insert().execBatch([file(plain, plain), file(others[0], plain), file(others[1], plain)]);
    const [gone] = await files.remove().where("id", "=", "id").execMany({ id: given });
    await files.insert().exec(file(plain, plain));
    await files
      .remove()
      .where("id", "=", "id")
      .execBatch([{ id: given }, { id: others[0] }]);
    expect(await files.count().exec()).toBe(1);
    return gone === undefined ? [undefined] : allIn(gone);
  },
};

for (const server of servers)
  describe.skipIf(!server.available)(`bytes on ${server.name}`, () => {
    let lent: Lent;
    let world: World;
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(files, notes);
      world = typed(lent);
    });
    afterAll(() => lent.close());

    test.for(Object.entries(ways))("%s", async ([name, way], { skip }) => {
      if (server.name === "h2" && needsJson.has(name)) skip("H2 has not these functions of JSON");
      for (const [form, make] of Object.entries(byteForms)) {
        await world.notes.remove().where("id", ">", "least").exec({ least: 0 });
        await world.files.remove().where("size", ">", "least").exec({ least: 0 });
        const read = await way(world, make(CONTENT));
        expect(read.length, form).toBeGreaterThan(0);
        for (const bytes of read) {
          expect(bytes, form).toEqual(plain);
          expect(Object.getPrototypeOf(bytes), form).toBe(Uint8Array.prototype);
          expect((bytes as Uint8Array).buffer.byteLength, form).toBe(CONTENT.length);
        }
      }
    });
  });
