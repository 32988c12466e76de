/**
 * The drivers of `examples/drivers` pass the tests of drivers. Their clients are installed there by themselves; one that
 * is missing is a skip with its name.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { column, table } from "rowtype";
import type { DriverTest, OpenedDriver } from "rowtype/driver/test";
import { driverTests } from "rowtype/driver/test";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type D1Database, d1, d1Driver } from "../../../examples/drivers/d1.js";
import { type LibsqlClient, libsql, libsqlDriver } from "../../../examples/drivers/libsql.js";

const examples = new URL("../../../examples/drivers/clients/", import.meta.url);
const isThere = (name: string) => existsSync(new URL(`node_modules/${name}/package.json`, examples));
const load = async (name: string) => {
  const file = createRequire(new URL("package.json", examples)).resolve(name);
  return (await import(pathToFileURL(file).href)) as Record<string, unknown>;
};
// A client may bring a Zod of its own, which shares its settings with ours.
const settings = { ...z.config() };
afterAll(() => {
  const now = z.config() as Record<string, unknown>;
  for (const name of Object.keys(now)) if (!Object.hasOwn(settings, name)) delete now[name];
  Object.assign(now, settings);
});

/** Tests of the list that pass, or end at once because the driver lacks what they are about, by their reasons. */
async function outcome(tests: readonly DriverTest[]) {
  const skipped = new Map<string, number>();
  const failed: string[] = [];
  for (const one of tests) {
    await one.run().catch((error: unknown) => failed.push(`${one.name}: ${String(error)}`));
    if (one.skip !== undefined) skipped.set(one.skip, (skipped.get(one.skip) ?? 0) + 1);
  }
  return { failed, skipped };
}

const items = table(
  "items",
  z.object({ id: column(z.int(), { primaryKey: true, generated: true }), name: z.string() }),
);

describe("@libsql/client over a file", () => {
  const there = test.skipIf(!isThere("@libsql/client"));
  let folder: string;
  let files = 0;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "rowtype-libsql-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const client = async () => {
    const { createClient } = await load("@libsql/client");
    const url = `file:${join(folder, `${files++}.db`)}`;
    return (createClient as (options: object) => LibsqlClient & { close(): void })({
      url,
      intMode: "bigint",
    });
  };

  there("passes all tests of a driver", { timeout: 120_000 }, async () => {
    const open = async (): Promise<OpenedDriver> => {
      const handle = await client();
      return { driver: libsqlDriver(handle), close: async () => handle.close() };
    };
    const { failed, skipped } = await outcome(driverTests({ dialect: "sqlite", open }));
    expect(failed).toEqual([]);
    expect([...skipped.keys()].sort()).toMatchInlineSnapshot(`
      [
        "open gives no breakConnection()",
        "the driver has no atomic()",
        "the driver has no elsewhere()",
      ]
    `);
  });

  there("serves a program, and a text with a NUL is refused before it is cut", async () => {
    const handle = await client();
    const db = libsql(handle);
    await db.createTables(items);
    const row = await db.transaction(async (tx) => tx.repository(items).insert().exec({ name: "a" }));
    expect(row).toEqual({ id: 1, name: "a" });
    const cut = db.repository(items).insert().exec({ name: "a\0b" });
    await expect(cut).rejects.toMatchObject({ code: "PARAM_TYPE" });
    handle.close();
  });
});

describe("D1, by miniflare", () => {
  const there = test.skipIf(!isThere("miniflare"));
  let mini: { getD1Database(name: string): Promise<D1Database>; dispose(): Promise<void> };
  let names: string[] = [];
  beforeAll(async () => {
    if (!isThere("miniflare")) return;
    const { Miniflare } = (await load("miniflare")) as { Miniflare: new (options: object) => typeof mini };
    names = Array.from({ length: 160 }, (_, i) => `D${i}`);
    const script = "export default { fetch() { return new Response('') } }";
    mini = new Miniflare({
      modules: true,
      script,
      d1Databases: Object.fromEntries(names.map((name) => [name, name])),
    });
  }, 60_000);
  afterAll(() => mini?.dispose());
  const binding = async () => mini.getD1Database(names.pop() ?? "none is left");

  there("passes all tests of a driver without sessions", { timeout: 300_000 }, async () => {
    const open = async (): Promise<OpenedDriver> => ({
      driver: d1Driver(await binding()),
      close: async () => undefined,
    });
    const { failed, skipped } = await outcome(driverTests({ dialect: "sqlite", open }));
    expect(failed).toEqual([]);
    expect([...skipped.keys()].sort()).toMatchInlineSnapshot(`
      [
        "the driver has no connect()",
        "the driver has no elsewhere()",
      ]
    `);
  });

  there("serves a program: batches in few statements, and atomic", async () => {
    const db = d1(await binding());
    await db.createTables(items);
    const own = db.repository(items);
    expect(await own.insert().execBatch(Array.from({ length: 250 }, (_, i) => ({ name: `n${i}` })))).toBe(
      250,
    );
    const [row, count] = await db.atomic([own.insert().bind({ name: "z" }), own.count().bind()]);
    expect([row.name, count]).toEqual(["z", 251]);
  });

  describe("does by itself", () => {
    let handle: D1Database;
    beforeAll(async () => {
      if (!isThere("miniflare")) return;
      handle = await binding();
      await handle.prepare("CREATE TABLE t (id INTEGER PRIMARY KEY)").run();
    });
    const all = async (text: string, ...values: never[]) =>
      (
        await handle
          .prepare(text)
          .bind(...values)
          .run()
      ).results;
    const count = () => all("SELECT count(*) AS n FROM t");
    const fails = (work: () => Promise<unknown>) => expect(work()).rejects.toThrow();

    there("rounds integers beyond 2^53 silently, and takes no bigint; rowtype refuses both", async () => {
      expect(await all("SELECT 9007199254740993 AS wide")).toEqual([{ wide: 9007199254740992 }]);
      await fails(() => all("SELECT ?", 1n as never));
      const db = d1(handle);
      const wide = table("wides", z.object({ wide: column(z.bigint(), { primaryKey: true }) }));
      expect(() => db.repository(wide)).toThrow(expect.objectContaining({ code: "UNSUPPORTED" }));
      const int = db.sql("SELECT 9007199254740993 AS wide", z.object({ wide: z.int() }));
      await expect(int.exec()).rejects.toMatchObject({ code: "DECODE_FAILED" });
    });

    there("refuses BEGIN and SAVEPOINT; rowtype has no transaction over it", async () => {
      for (const text of ["BEGIN", "SAVEPOINT a"]) await fails(() => all(text));
      expect("transaction" in d1(handle)).toBe(false);
    });

    there("takes a batch as a whole or not at all", async () => {
      const insert = handle.prepare("INSERT INTO t (id) VALUES (1)");
      await fails(() => handle.batch([insert, insert]));
      expect(await count()).toEqual([{ n: 0 }]);
    });

    there(
      "executes two statements and gives the result of the last; rowtype refuses them before",
      async () => {
        const two = "INSERT INTO t (id) VALUES (7); SELECT 2 AS a";
        expect(await all(two)).toEqual([{ a: 2 }]);
        expect(await count()).toEqual([{ n: 1 }]);
        await expect(d1(handle).sql(two.replace("7", "8")).exec()).rejects.toMatchObject({
          code: "QUERY_FAILED",
        });
        expect(await count()).toEqual([{ n: 1 }]);
      },
    );
  });
});
