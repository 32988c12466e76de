/** Many large uploads at once: their files are on the disk, not in the memory of the server, and none is left. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rounds } from "../rounds.js";
import type { UploadState } from "./upload-process.js";

const MiB = 1024 * 1024;
// All of it is 192 MiB, or 2 GiB on the disk.
const COUNT = Math.min(20, rounds({ small: 6, full: 20 }));
const SIZE = (COUNT < 20 ? 32 : 100) * MiB;
const PATIENCE_MS = 600_000;
const place = mkdtempSync(join(tmpdir(), "large-uploads-"));
const folder = join(place, "spool");
const file = fileURLToPath(new URL("upload-process.ts", import.meta.url));

let child: ChildProcess;
let port: number;
beforeAll(async () => {
  mkdirSync(folder);
  child = fork(file, [folder], { execArgv: ["--import", "tsx", "--expose-gc"] });
  [port] = await once(child, "message");
}, PATIENCE_MS);
afterAll(() => {
  child.kill("SIGKILL");
  rmSync(place, { recursive: true });
});

async function state(): Promise<UploadState> {
  child.send("report");
  const [message] = await once(child, "message");
  return message;
}

const piece = Buffer.alloc(256 * 1024, "p");
const start = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\nContent-Type: a/b\r\n\r\n';
const end = "\r\n--b--\r\n";

/** Sends a file as fast as the server takes it; gives the body of the answer. */
async function send(size: number): Promise<string | undefined> {
  const socket = connect(port, "127.0.0.1");
  const length = start.length + size + end.length;
  socket.write(
    "POST /file HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: multipart/form-data; boundary=b\r\n" +
      `Content-Length: ${length}\r\n\r\n${start}`,
  );
  for (let sent = 0; sent < size; sent += piece.length) if (!socket.write(piece)) await once(socket, "drain");
  socket.write(end);
  return (await text(socket)).split("\r\n\r\n")[1];
}

test(`${COUNT} uploads of ${SIZE / MiB} MiB at once take less than 64 MiB`, {
  timeout: PATIENCE_MS,
}, async () => {
  const sendAll = (size: number) => Promise.all(Array.from({ length: COUNT }, () => send(size)));
  // What is loaded and compiled with the first ones is not what an upload holds.
  await sendAll(MiB);
  const base = await state();
  expect(await sendAll(SIZE)).toEqual(Array(COUNT).fill(`${SIZE}`));
  const { mostHeap, mostRss } = await state();
  const grown = [mostHeap - base.heap, mostRss - base.rss].map((bytes) => bytes / MiB);
  expect(Math.max(...grown)).toBeLessThan(64);
  expect(readdirSync(folder)).toEqual([]);
});
