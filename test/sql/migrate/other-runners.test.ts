/**
 * What becomes of a runner while another one is at work: an owner that lives and is late, a lease that is renewed or lost
 * in the middle, a record that somebody else has changed. The other one is a second session, or a hand in the tables.
 */
import { hostname } from "node:os";
import { setTimeout } from "node:timers/promises";
import { createPool } from "mysql2/promise";
import pg from "pg";
import type { Database } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { type MigrateOptions, migrate } from "rowtype/migrate";
import { postgres } from "rowtype/postgres";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { migrationDialect } from "../../../src/sql/migrate/dialects/dialects.js";
import { takeLease } from "../../../src/sql/migrate/run/lease.js";
import { gate } from "../../http/gate.js";
import { onRunnerServers } from "./folders.js";

const TEAMS = "-- step create table teams\nCREATE TABLE teams (id INTEGER NOT NULL PRIMARY KEY)\n";
const insert = (id: number, mark = "") =>
  `-- step insert ${id}${mark}\nINSERT INTO teams (id) VALUES (${id})\n`;
const NAME = "20260102_000000_next";
const LOCKED = { code: "MIGRATION_LOCKED" };

/** A data migration that says that it has begun, and waits until it is told to go on. */
const WAITING = `
import { dataMigration } from "rowtype/migrate";
export default dataMigration(async ({ signal }) => {
  globalThis.__lease.begun(signal);
  await globalThis.__lease.gate;
});
`;

onRunnerServers("a runner beside another", (place) => {
  const run = (options: Partial<MigrateOptions> = {}) =>
    migrate(place().db, { folder: place().folder.path, lockWaitMs: 20_000, ...options });
  const quoted = (name: string) => (place().dialect === "mariadb" ? `\`${name}\`` : `"${name}"`);
  const timeIn = (seconds: number) => {
    const text = new Date(Date.now() + seconds * 1_000).toISOString().replace("T", " ").replace("Z", "");
    return place().dialect === "postgres" ? `${text}+00` : text;
  };
  /** Writes the lease, as another runner would. */
  const leave = (seconds: number, session: string | null, owner = "another") =>
    place().lent.run(
      `UPDATE rowtype_migrations_lease SET owner = '${owner}', ${quoted("until")} = '${timeIn(seconds)}', session = ${session === null ? "NULL" : `'${session}'`}`,
    );
  const ids = async () =>
    (await place().rows("SELECT id FROM teams ORDER BY id")).map((row) => Number(Object(row).id));
  const record = async () => {
    const [row] = await place().rows(
      `SELECT done, state, error FROM rowtype_migrations WHERE name = '${NAME}'`,
    );
    return { ...Object(row), done: Number(Object(row).done) };
  };
  const put = (...steps: string[]) => place().folder.put(`${NAME}.sql`, steps.join(""));
  const closing: (() => Promise<void>)[] = [];
  beforeEach(async () => {
    place().folder.put("20260101_000000_teams.sql", TEAMS);
    await run();
    put(insert(1));
  });
  afterEach(async () => {
    vi.useRealTimers();
    for (const close of closing.splice(0)) await close();
  });

  /** A database over one connection of its own, whose session lives until it is closed. */
  const other = () => {
    const { url = "" } = place().lent;
    const pool = place().dialect === "postgres" ? new pg.Pool({ connectionString: url, max: 1 }) : undefined;
    const second = pool === undefined ? createPool({ uri: url, connectionLimit: 1 }) : undefined;
    const close = async () => {
      await pool?.end();
      await second?.end();
    };
    const db = pool === undefined ? mariadb(second as never) : postgres(pool);
    return { db: db as Database, close };
  };
  const sessionIn = (db: Database) =>
    db.transaction(async (tx) => migrationDialect(db.dialect).sessions?.nameOf(tx as never) ?? null);
  /** A session that is gone. */
  const gone = async (): Promise<string> => {
    if (place().dialect === "sqlite") return `${2 ** 22 + 1} ${hostname()}`;
    const session = (await sessionIn(place().db)) ?? "";
    return session.replace(/^\d+/, "2147483647");
  };

  /** Waits until the server executes a statement with this tag. */
  const seen = async (tag: string) => {
    const list =
      place().dialect === "postgres"
        ? "SELECT query AS text FROM pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid()"
        : "SELECT info AS text FROM information_schema.processlist WHERE id <> CONNECTION_ID()";
    await vi.waitFor(async () => {
      const texts = (await place().rows(list)).map((row) => String(Object(row).text));
      expect(texts.filter((text) => text.includes(tag))).toHaveLength(1);
    }, 5_000);
  };

  test("waits for an owner whose session lives, however late it is, and not for one that is gone", async () => {
    const { dialect } = place();
    if (dialect === "sqlite") {
      // A number of a process may be given again, so its time decides.
      await leave(60, `${process.pid} ${hostname()}`);
      await expect(run({ lockWaitMs: 600 })).rejects.toMatchObject(LOCKED);
      await leave(-60, `${process.pid} ${hostname()}`);
    } else {
      const { db, close } = other();
      await leave(-3_600, await sessionIn(db));
      await expect(run({ lockWaitMs: 600 })).rejects.toMatchObject(LOCKED);
      expect(await ids()).toEqual([]);
      await close();
    }
    expect((await run()).applied).toHaveLength(1);
    put(insert(1), insert(2));
    await leave(3_600, await gone());
    place().folder.put("20260103_000000_last.sql", insert(3));
    put(insert(1));
    expect((await run({ lockWaitMs: 5_000 })).applied).toHaveLength(1);
  });

  test("waits for an owner whose session is gone while a statement of it runs", async ({ skip }) => {
    const { dialect } = place();
    if (dialect === "sqlite") skip("a file has no statements of others");
    const { db, close } = other();
    closing.push(close);
    const tag = "/* rowtype another */";
    const long =
      dialect === "postgres"
        ? `${tag} SELECT count(*)::int AS n FROM pg_sleep(2)`
        : `SELECT SLEEP(2) AS n ${tag}`;
    const running = db.sql(long).exec();
    await seen(tag);
    await leave(-60, await gone());
    await expect(run({ lockWaitMs: 600 })).rejects.toMatchObject(LOCKED);
    await running;
    expect((await run()).applied).toHaveLength(1);
  });

  test("does not take a lease that its owner renews in the same moment", async () => {
    const { db } = place();
    await leave(-60, null);
    let renewals = 0;
    // Between the look at the lease and the transaction that takes it.
    const renewing = {
      ...db,
      transaction: async (work: (tx: never) => Promise<unknown>) => {
        if (renewals++ === 0) await leave(60, null);
        return db.transaction(work as never);
      },
    };
    const taking = takeLease(
      { db: renewing as never, dialect: migrationDialect(db.dialect) },
      600,
      async () => true,
    );
    await expect(taking).rejects.toMatchObject(LOCKED);
    expect(renewals).toBe(1);
    expect(await place().rows("SELECT owner FROM rowtype_migrations_lease")).toEqual([{ owner: "another" }]);
  });

  test("does not take a lease whose row a transaction of its owner holds, though its time is over", async ({
    skip,
  }) => {
    if (place().dialect === "sqlite") skip("a transaction that writes locks the whole file");
    await leave(-60, null);
    const { db, close } = other();
    closing.push(close);
    const [held, done] = [gate(), gate()];
    const holding = db.transaction(async (tx) => {
      await tx.sql(`UPDATE rowtype_migrations_lease SET ${quoted("until")} = '${timeIn(60)}'`).exec();
      held.open();
      await done.opened;
    });
    await held.opened;
    const result = run({ lockWaitMs: 600 }).catch((error: unknown) => error);
    // Whoever waited for the row would take it as soon as its owner has renewed the lease.
    await Promise.race([result, setTimeout(3_000)]);
    done.open();
    await holding;
    expect(await result).toMatchObject(LOCKED);
    expect(await place().rows("SELECT owner FROM rowtype_migrations_lease")).toEqual([{ owner: "another" }]);
  });

  /** Applies a data migration that waits; the intervals of the runner pass when they are told to. */
  const whileItWaits = async (work: (signal: AbortSignal, tick: () => unknown) => Promise<void>) => {
    place().folder.remove(`${NAME}.sql`);
    place().folder.put(`${NAME}.js`, WAITING);
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const running = { result: Promise.resolve<unknown>(undefined) };
    const begun = new Promise<AbortSignal>((resolve) => {
      Object.assign(globalThis, { __lease: { begun: resolve, gate } });
      vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
      running.result = run().catch((error: unknown) => error);
    });
    try {
      await work(await begun, () => vi.advanceTimersByTime(5_000));
    } finally {
      open();
    }
    return running.result;
  };

  test("renews its lease while a step takes long", async () => {
    const isOver = async () => {
      const now = timeIn(20);
      const sql = `SELECT COUNT(*) AS n FROM rowtype_migrations_lease WHERE ${quoted("until")} < '${now}'`;
      return Number(Object((await place().rows(sql))[0]).n) === 1;
    };
    const result = await whileItWaits(async (signal, tick) => {
      for (let times = 0; times < 3; times++) {
        await place().lent.run(`UPDATE rowtype_migrations_lease SET ${quoted("until")} = '${timeIn(-5)}'`);
        expect(await isOver()).toBe(true);
        tick();
        await expect.poll(isOver).toBe(false);
      }
      expect(signal.aborted).toBe(false);
    });
    expect(result).toMatchObject({ applied: [{ name: NAME }] });
  });

  test("learns that its lease is lost while a step takes long, and records nothing more", async () => {
    const result = await whileItWaits(async (signal, tick) => {
      await leave(60, null);
      tick();
      await expect.poll(() => signal.aborted).toBe(true);
    });
    expect(result).toMatchObject(LOCKED);
    expect(await record()).toMatchObject({ done: 0, state: "running", error: null });
    expect(await place().rows("SELECT owner FROM rowtype_migrations_lease")).toEqual([{ owner: "another" }]);
  });

  const STOLEN = `UPDATE rowtype_migrations SET done = 7 WHERE name = '${NAME}'`;
  for (const mark of ["", " (no transaction)"])
    for (const behind of [[], [insert(3)]])
      test(`goes on behind no record that another has changed in a step${mark}, ${behind.length} behind it`, async () => {
        put(insert(1, " (no transaction)"), `-- step steal${mark}\n${STOLEN}\n`, ...behind);
        await expect(run()).rejects.toMatchObject(LOCKED);
        expect(await ids()).toEqual([1]);
        // What is in a transaction is taken back with the step.
        const done = mark === "" ? 1 : 7;
        expect(await record()).toMatchObject({ done, error: null });
      });

  test("begins no step whose record another has changed since the step before", async () => {
    put(insert(1, " (no transaction)"), insert(2, " (no transaction)"));
    // The transaction that begins the second step confirms the lease first, and reads the record then.
    const steal = `UPDATE rowtype_migrations SET done = 7 WHERE name = '${NAME}' AND done = 1`;
    const each = "CREATE TRIGGER steal AFTER UPDATE ON rowtype_migrations_lease FOR EACH ROW";
    if (place().dialect === "postgres") {
      await place().lent.run(
        `CREATE FUNCTION steal() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${steal}; RETURN NULL; END $$`,
      );
      await place().lent.run(`${each} EXECUTE FUNCTION steal()`);
    } else await place().lent.run(`${each} ${place().dialect === "sqlite" ? `BEGIN ${steal}; END` : steal}`);
    await expect(run()).rejects.toMatchObject(LOCKED);
    expect(await ids()).toEqual([1]);
    expect(await record()).toMatchObject({ state: "running", error: null });
  });

  test("takes a batch back whose record another has changed", async () => {
    place().folder.remove(`${NAME}.sql`);
    place().folder.put("20260101_000001_seed.sql", insert(1));
    await run();
    place().folder.put(
      `${NAME}.js`,
      `import { z } from "zod";
import { column, table } from "rowtype";
import { dataMigration } from "rowtype/migrate";
const Team = table("teams", z.object({ id: column(z.int(), { primaryKey: true }) }));
export default dataMigration(async ({ batch }) => {
  await batch(Team, { size: 5 }, async (rows, tx) => {
    await tx.repository(Team).insert().exec({ id: 100 });
    await tx.sql("${STOLEN.replaceAll("\n", " ")}").exec();
  });
});
`,
    );
    await expect(run()).rejects.toMatchObject(LOCKED);
    expect(await ids()).toEqual([1]);
    expect(await record()).toMatchObject({ done: 0, error: null });
  });

  test("leaves what it has done to the next one, which does the rest", async () => {
    const lose = `UPDATE rowtype_migrations_lease SET owner = 'another'`;
    put(insert(1), `-- step lose (no transaction)\n${lose}\n`, insert(2), insert(3));
    await expect(run()).rejects.toMatchObject(LOCKED);
    expect(await ids()).toEqual([1]);
    expect(await record()).toMatchObject({ done: 2, state: "running", error: null });
    await leave(-60, null);
    put(
      insert(1),
      `-- step lose (no transaction)\n${lose}\n`,
      insert(2),
      "-- step fail\nSELECT * FROM nowhere\n",
      insert(4),
    );
    await expect(run()).rejects.toMatchObject({ code: "MIGRATION_FAILED", step: "fail" });
    // Where steps share a transaction, the one before is undone with it.
    const isShared = place().dialect !== "mariadb";
    expect(await ids()).toEqual(isShared ? [1] : [1, 2]);
    expect(await record()).toMatchObject({ done: isShared ? 2 : 3, state: "failed" });
    put(insert(1), `-- step lose (no transaction)\n${lose}\n`, insert(2), insert(5));
    expect((await run()).applied).toEqual([
      { name: NAME, steps: isShared ? ["insert 2", "insert 5"] : ["insert 5"] },
    ]);
    expect(await ids()).toEqual([1, 2, 5]);
  });
});
