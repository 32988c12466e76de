/**
 * Exports of many rows of a query, as CSV and as lines of JSON, from a server in a process of its own: to a client that
 * reads, to one that stalls and to one that leaves. Its memory stays within the bound, the cursor is closed, and the
 * connection is back in the pool, as the database itself says.
 */
import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import Sqlite from "better-sqlite3";
import type { Database } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { patience, rounds } from "../rounds.js";
import { type Lent, servers } from "../servers.js";
import type { ExportState } from "./export-process.js";
import { first, numbersTo, Sale } from "./export-rows.js";

const COUNT = rounds({ small: 30_000, full: 1_000_000 });
const PATIENCE_MS = patience(120_000, 0.6, COUNT);
const MiB = 1024 * 1024;
const BOUND = 32 * MiB;
const file = fileURLToPath(new URL("export-process.ts", import.meta.url));

/** A database with the rows, where the other process finds it, and what it says of that process' connections. */
interface Filled {
  readonly place: string;
  /** The connections of the other process that do something, or hold a transaction or a cursor. */
  readonly busy: () => Promise<readonly unknown[]>;
  readonly close: () => Promise<void>;
}

async function fill(db: Database, dialect: keyof typeof numbersTo, run: (sql: string) => Promise<unknown>) {
  await db.createTables(Sale);
  await (db as unknown as Database<"sqlite">).repository(Sale).insert().exec(first);
  await run(
    "INSERT INTO sales (id, customer, note, quantity, price, at, paid, serial) " +
      `SELECT n, customer, note, quantity, price, at, paid, serial FROM sales, (${numbersTo[dialect](COUNT)}) AS numbers WHERE id = 1`,
  );
}

/** A file that two processes open. */
async function filledFile(): Promise<Filled> {
  const folder = mkdtempSync(join(tmpdir(), "exports-"));
  const place = join(folder, "sales.db");
  const handle = new Sqlite(place);
  await fill(sqlite(handle), "sqlite", async (sql) => handle.exec(sql));
  handle.close();
  return { place, busy: async () => [], close: async () => rmSync(folder, { recursive: true }) };
}

async function filledServer(lent: Lent, dialect: "postgres" | "mariadb"): Promise<Filled> {
  await fill(lent.db, dialect, lent.run);
  const { url = "", close } = lent;
  const sql =
    dialect === "postgres"
      ? "SELECT pid, state, query FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'"
      : "SHOW FULL PROCESSLIST";
  return {
    place: url,
    busy: async () => {
      const rows = (await lent.run(sql)) as readonly { Command?: string; db?: string; Info?: string }[];
      if (dialect === "postgres") return rows;
      const database = new URL(url).pathname.slice(1);
      return rows.filter(({ db, Command, Info }) => db === database && Command !== "Sleep" && Info !== sql);
    },
    close,
  };
}

for (const server of servers.filter(({ name }) => name !== "h2" && name !== "oracle"))
  describe.skipIf(!server.available)(`${COUNT} rows of ${server.name}`, () => {
    let filled: Filled;
    let child: ChildProcess;
    let port: number;
    /** What the process held before the first export, when it had served some rows. */
    let base: ExportState;
    beforeAll(async () => {
      filled =
        server.name === "sqlite"
          ? await filledFile()
          : await filledServer(await server.lend(), server.name as "postgres" | "mariadb");
      child = fork(file, [server.name, filled.place], { execArgv: ["--import", "tsx", "--expose-gc"] });
      port = await new Promise<number>((resolve, reject) => {
        child.once("message", (message: number) => resolve(message));
        child.once("exit", () => reject(new Error("the server ended")));
      });
      // What is compiled and kept with the first rows is not what an export holds.
      for (const path of ["/csv", "/ndjson"]) await readSome(path, 20_000);
      base = await state();
    }, PATIENCE_MS);
    afterAll(async () => {
      child.kill("SIGKILL");
      await filled.close();
    });

    const state = (word: "report" | "collect" = "report") =>
      new Promise<ExportState>((resolve) => {
        child.once("message", (message: ExportState) => resolve(message));
        child.send(word);
      });

    /** Reads some rows, and leaves. */
    async function readSome(path: string, most = Number.POSITIVE_INFINITY): Promise<number> {
      const reader = (await fetch(`http://127.0.0.1:${port}${path}`)).body?.getReader();
      if (reader === undefined) throw new Error("no body");
      let lines = 0;
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        for (const byte of part.value) if (byte === 10) lines++;
        if (lines >= most) break;
      }
      await reader.cancel();
      return lines;
    }

    /** A client that has the head and reads nothing more. */
    function stalled(path: string): Promise<Socket> {
      return new Promise((resolve, reject) => {
        const socket = connect(port, "127.0.0.1", () =>
          socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`),
        );
        socket.on("error", reject);
        socket.once("readable", () => {
          socket.read(1);
          resolve(socket);
        });
      });
    }

    /** The cursor is closed and the connection is back, says the pool, and so says the database. */
    async function allGivenBack(): Promise<void> {
      await expect.poll(async () => (await state()).lentOut).toBe(0);
      await expect.poll(filled.busy).toEqual([]);
      expect((await fetch(`http://127.0.0.1:${port}/written`)).status).toBe(200);
      expect((await state()).reported).toEqual([]);
    }

    const expectWithin = ({ mostHeap, mostRss }: ExportState) => {
      const grown = [mostHeap - base.heap, mostRss - base.rss].map((bytes) => bytes / MiB);
      expect(Math.max(...grown)).toBeLessThan(BOUND / MiB);
    };

    for (const [path, extra] of [
      ["/csv", 1],
      ["/ndjson", 0],
    ] as const) {
      test(`${path}: a client that reads gets all of them`, { timeout: PATIENCE_MS }, async () => {
        await allGivenBack();
        for (const word of ["report", "collect"] as const) {
          const before = await state(word);
          expect(await readSome(path)).toBe(COUNT + extra);
          const after = await state();
          expect(after.given - before.given).toBe(COUNT);
          expectWithin(after);
        }
        await allGivenBack();
      });

      test(`${path}: a client that stalls holds the query back`, { timeout: PATIENCE_MS }, async () => {
        const before = await state("collect");
        const clients = [await stalled(path)];
        // One more where there are two connections.
        if (server.name !== "sqlite") clients.push(await stalled(path));
        let now = await state("collect");
        for (let given = -1; given !== now.given; ) {
          given = now.given;
          await wait(500);
          now = await state("collect");
        }
        // The buffers of the connection are full, and what was not read has not been asked for.
        expect(now.given - before.given).toBeLessThan(clients.length * Math.min(COUNT, 100_000));
        await wait(2_000);
        const later = await state();
        expect(later.given).toBe(now.given);
        expectWithin(later);
        for (const client of clients) client.destroy();
        await allGivenBack();
      });

      test(`${path}: a client that leaves ends the query`, { timeout: PATIENCE_MS }, async () => {
        const before = await state();
        for (let round = 0; round < 10; round++) await readSome(path, 1_000);
        await allGivenBack();
        const after = await state();
        // What the buffers of ten connections held.
        expect(after.given - before.given).toBeLessThan(10 * Math.min(COUNT, 100_000));
        expectWithin(after);
      });
    }
  });
