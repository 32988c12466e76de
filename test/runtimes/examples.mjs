/**
 * Starts the examples `store` and `board` on the runtime that runs this program, asks each for a page, and ends it. A line
 * for each says `ok`, `skipped` with a reason, or `failed` with the error, as `program.mjs` has them.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";

const { bun, node } = process.versions;
const runtime = bun === undefined ? `node ${node}` : `bun ${bun}`;
// TypeScript whose imports are named as JavaScript is read by Bun itself.
const options = bun === undefined ? ["--import", "tsx"] : [];
const folder = mkdtempSync(join(tmpdir(), "rowtype-examples-"));

/** Starts an example, finds its address in what it prints, and ends it after `use`. */
async function started(name, env, use) {
  const main = fileURLToPath(new URL(`../../examples/${name}/main.ts`, import.meta.url));
  const child = spawn(process.execPath, [...options, main], {
    env: { ...process.env, PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const url = new Promise((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        said += chunk;
        const found = /http:\/\/\S+/.exec(said)?.[0];
        if (found !== undefined) resolve(found);
      });
  });
  const found = await Promise.race([url, ended.then(() => undefined)]);
  if (found === undefined) throw new Error(`it ended: ${said}`);
  try {
    await use(found);
  } finally {
    child.kill("SIGTERM");
  }
  assert.equal(await ended, 0, said);
}

async function pageOf(url) {
  const answer = await fetch(url);
  assert.equal(answer.status, 200, url);
  return answer.json();
}

/** Calls `use` with the URL of a new database, which is dropped behind it. */
async function inOwnDatabase(server, use) {
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  const name = `rowtype_${Math.random().toString(36).slice(2)}`;
  await admin.query(`CREATE DATABASE ${name}`);
  const own = new URL(server);
  own.pathname = `/${name}`;
  try {
    await use(own.href);
  } finally {
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  }
}

const listens = ({ hostname, port }) =>
  new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) });
    const settle = (there) => {
      socket.destroy();
      resolve(there);
    };
    socket.once("connect", () => settle(true));
    socket.once("error", () => settle(false));
  });

const examples = {
  store: () =>
    started(
      "store",
      { STORE_DB: join(folder, "store.db"), STORE_COVERS: join(folder, "covers") },
      async (url) => {
        const { rows } = await pageOf(`${url}/tracks?text=golden`);
        assert.ok(rows.length > 0);
      },
    ),
  board: async () => {
    const server = process.env.ROWTYPE_POSTGRES;
    if (server === undefined || !(await listens(new URL(server)))) return "no PostgreSQL answers";
    await inOwnDatabase(server, (own) =>
      started("board", { DATABASE_URL: own, DRAIN_MS: "0" }, async (url) => {
        const { info } = await pageOf(`${url}/openapi`);
        assert.equal(typeof info.title, "string");
      }),
    );
  },
};

let failed = false;
for (const [name, run] of Object.entries(examples))
  try {
    const reason = await run();
    console.log(`${runtime} · examples/${name}: ${reason === undefined ? "ok" : `skipped, ${reason}`}`);
  } catch (error) {
    failed = true;
    console.log(`${runtime} · examples/${name}: failed\n${error.stack}`);
  }
rmSync(folder, { recursive: true, force: true });
process.exit(failed ? 1 : 0);
