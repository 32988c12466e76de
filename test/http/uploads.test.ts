/** Forms with files: read within their limits, kept outside of memory, and removed whatever the end. */
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import multer from "multer";
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createClient } from "../../src/http/client/index.js";
import {
  Conflict,
  createEngine,
  DeclarationError,
  multipart,
  on,
  POST,
  type Upload,
  upload,
  uploads,
} from "../../src/http/index.js";
import {
  type AnyEngine,
  serveRequest,
  serveRequestWithHeaders,
  testEngine,
} from "../../src/http/testing/index.js";
import { atEnd } from "../at-end.js";
import { patience, rounds } from "../rounds.js";
import { runProcess } from "./run-process.js";
import { listening } from "./serve.js";
import { expectValid } from "./validate-document.js";

const place = mkdtempSync(join(tmpdir(), "uploads-test-"));
afterAll(() => rmSync(place, { recursive: true }));
const folder = join(place, "spool");
mkdirSync(folder);
const kept = join(place, "kept");
mkdirSync(kept);

const Album = multipart({
  title: z.string().max(100),
  year: z.int().optional(),
  tags: z.array(z.string()),
  photo: upload({ maxBytes: 200_000, types: ["image/*"] }),
  cover: upload({ maxBytes: 200_000, optional: true }),
  pages: uploads({ maxBytes: 100_000, max: 3 }),
});

const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
async function* streamed(file: Upload) {
  const reader = file.stream().getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
}
const joined = async (parts: AsyncIterable<Uint8Array>) => {
  const all: Uint8Array[] = [];
  for await (const part of parts) all.push(part);
  return Buffer.concat(all);
};

const Described = z.object({ name: z.string(), type: z.string(), size: z.int(), hash: z.string() });
const describeFile = async (file: Upload) => {
  const bytes = await file.bytes();
  expect(hashOf(await joined(streamed(file)))).toBe(hashOf(bytes));
  expect(await file.text()).toBe(Buffer.from(bytes).toString());
  return { name: file.name, type: file.type, size: file.size, hash: hashOf(bytes) };
};

const Made = z.object({
  title: z.string(),
  year: z.int().optional(),
  tags: z.array(z.string()),
  files: z.array(Described),
});
let inFunction: (title: string) => void = () => {};
const add = POST("/albums", { body: Album, output: Made, errors: [Conflict] }, async ({ body }) => {
  const { title, year, tags, photo, cover, pages } = body;
  inFunction(title);
  if (title === "throws") throw new Error("on purpose");
  if (title === "refuses") return Conflict;
  if (title === "waits") await new Promise((resolve) => setTimeout(resolve, 50));
  const files = await Promise.all(
    [photo, ...(cover === undefined ? [] : [cover]), ...pages].map(describeFile),
  );
  if (title === "keeps")
    for (const [n, file] of [photo, ...pages].entries()) await file.moveTo(join(kept, `${n}`));
  return { title, ...(year === undefined ? {} : { year }), tags, files };
});
const made = () => createEngine({ uploads: { folder }, onError: false }).withHandlers(add);
const engine = made();

interface Part {
  readonly name: string;
  readonly filename?: string;
  readonly type?: string;
  readonly bytes: Buffer;
}
const BOUNDARY = "----boundary7";
const encoded = (parts: readonly Part[], end = `--${BOUNDARY}--\r\n`) =>
  Buffer.concat([
    ...parts.flatMap(({ name, filename, type, bytes }) => [
      Buffer.from(
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? "" : `; filename="${filename}"`}\r\n` +
          `${type === undefined ? "" : `Content-Type: ${type}\r\n`}\r\n`,
      ),
      bytes,
      Buffer.from("\r\n"),
    ]),
    Buffer.from(end),
  ]);
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;
const post = (body: Buffer, on: AnyEngine = engine, type = TYPE) =>
  serveRequestWithHeaders(on, "POST", "/albums", { "content-type": type }, body);
const field = (name: string, text: string): Part => ({ name, bytes: Buffer.from(text) });
const file = (name: string, size: number, type = "image/png", filename = "a.png"): Part => ({
  name,
  filename,
  type,
  bytes: Buffer.alloc(size, `${name}${size} `),
});
const fine = [field("title", "A"), file("photo", 10)];

describe("a form with files", () => {
  test("gives fields and files, in memory and on the disk", async () => {
    const parts = [
      field("title", "Tïtle"),
      field("year", "1999"),
      field("tags", "x"),
      file("photo", 70_000, "image/png", "dir/../é ü.png"),
      file("pages", 99_999, "text/x", "b.txt"),
      file("pages", 1, "text/x", "c.txt"),
      field("tags", "y"),
      { name: "pages", filename: "C:\\temp\\d.txt", bytes: Buffer.from("three") },
    ];
    const answer = await post(encoded(parts));
    const files = parts.filter(({ filename }) => filename !== undefined);
    expect(answer.decodeJSON()).toEqual({
      title: "Tïtle",
      year: 1999,
      tags: ["x", "y"],
      files: files.map(({ bytes }, n) => ({
        name: ["é ü.png", "b.txt", "c.txt", "d.txt"][n],
        type: ["image/png", "text/x", "text/x", "text/plain"][n],
        size: bytes.length,
        hash: hashOf(bytes),
      })),
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  test("is kept by moveTo alone, which replaces what is there, and can be read there", async () => {
    writeFileSync(join(kept, "0"), "old");
    const parts = [field("title", "keeps"), file("photo", 100_000), file("pages", 3)];
    expect((await post(encoded(parts))).status).toBe(200);
    for (const [n, part] of [parts[1], parts[2]].entries()) {
      expect(readFileSync(join(kept, `${n}`))).toEqual(part?.bytes);
      expect(statSync(join(kept, `${n}`)).mode & 0o777).toBe(0o600);
    }
    expect(readdirSync(kept)).toEqual(["0", "1"]);
    expect(readdirSync(folder)).toEqual([]);
    let later: Upload[] = [];
    const moving = createEngine({ uploads: { folder } }).withHandlers(
      POST("/albums", { body: Album, output: z.string() }, async ({ body: { photo, pages } }) => {
        later = [photo, ...pages];
        await photo.moveTo(join(kept, "2"));
        await photo.moveTo(join(kept, "3"));
        await expect(photo.moveTo(join(kept, "no", "folder"))).rejects.toMatchObject({ code: "ENOENT" });
        await expect(photo.moveTo("")).rejects.toThrow(TypeError);
        return hashOf(await photo.bytes());
      }),
    );
    const answer = await post(
      encoded([field("title", ""), file("photo", 100_000), file("pages", 70_000), file("pages", 1)]),
      moving,
    );
    expect(answer.decodeJSON()).toBe(hashOf(readFileSync(join(kept, "3"))));
    expect(existsSync(join(kept, "2"))).toBe(false);
    const [photo, ...pages] = later;
    expect(hashOf((await photo?.bytes()) ?? new Uint8Array())).toBe(answer.decodeJSON());
    for (const page of pages) {
      for (const use of [page.bytes(), page.text(), page.moveTo(join(kept, "4")), joined(streamed(page))])
        await expect(use).rejects.toThrow("the answer has ended");
    }
  });

  test("has files of the owner alone, in a folder of the request, under no name of the client", async () => {
    const seen: string[] = [];
    const looking = createEngine({ uploads: { folder } }).withHandlers(
      POST("/albums", { body: Album, output: z.unknown() }, () => {
        for (const own of readdirSync(folder)) {
          expect(statSync(join(folder, own)).mode & 0o777).toBe(0o700);
          for (const name of readdirSync(join(folder, own))) {
            seen.push(name);
            expect(statSync(join(folder, own, name)).mode & 0o777).toBe(0o600);
          }
        }
      }),
    );
    await post(
      encoded([field("title", "x"), file("photo", 70_000), file("pages", 70_000), file("pages", 64 * 1024)]),
      looking,
    );
    expect(seen).toEqual(["0", "1"]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("has a name that is a last segment, whatever the client calls it, and lies under no such name", async () => {
    const names: readonly [string, string][] = [
      ["../../x", "x"],
      ["..\\..\\x", "x"],
      ["/etc/passwd", "passwd"],
      ["C:\\a\\b.txt", "b.txt"],
      ["__proto__", "__proto__"],
      ["constructor", "constructor"],
      ["a;b=c.txt", "a;b=c.txt"],
      ["n".repeat(2_000), "n".repeat(2_000)],
    ];
    for (const [sent, name] of names)
      for (const size of [3, 70_000]) {
        const answer = await post(
          encoded([field("title", "A"), { ...file("photo", size), filename: sent.replaceAll("\\", "\\\\") }]),
        );
        expect([sent, answer.decodeJSON()]).toMatchObject([sent, { files: [{ name, size }] }]);
      }
    // What has no last segment has an empty name or none; what no name can hold is refused or left out.
    for (const sent of ["..", ".", "a/", "/", "a\0b", "\u202e", "a/..", "../"]) {
      const answer = await post(encoded([field("title", "A"), { ...file("photo", 70_000), filename: sent }]));
      if (answer.status !== 200) expect([sent, answer.status]).toEqual([sent, 422]);
      else
        expect(JSON.stringify(answer.decodeJSON())).not.toMatch(
          /"name":"(\.{1,2}|[^"]*(?:[/]|\\\\|\\u0000)[^"]*)"/,
        );
    }
    expect(readdirSync(folder)).toEqual([]);
    expect(readdirSync(place).sort()).toEqual(["kept", "spool"]);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test("may have an empty file without a name where one is optional, as browsers send it", async () => {
    const none = (name: string): Part => ({
      name,
      filename: "",
      type: "application/octet-stream",
      bytes: Buffer.alloc(0),
    });
    const answer = await post(encoded([...fine, none("cover"), none("pages")]));
    expect(answer.decodeJSON()).toMatchObject({ files: [{ name: "a.png" }] });
    expect((await post(encoded([field("title", "A"), none("photo")]))).decodeJSON()).toMatchObject({
      details: { fields: [{ field: "photo", message: "a file is missing" }] },
    });
    expect((await post(encoded([...fine, file("cover", 0)]))).decodeJSON()).toMatchObject({
      files: [{}, { size: 0 }],
    });
  });
});

describe("a rule that a form breaks", () => {
  const big = Buffer.alloc(64 * 1024 + 1, "x");
  const cases: [string, readonly Part[], number, object][] = [
    ["a file too large", [...fine, file("pages", 100_001)], 413, { max_size: 100_000 }],
    ["a file of another type", [field("title", "A"), file("photo", 1, "text/html")], 415, {}],
    [
      "an unknown field",
      [...fine, field("other", "")],
      422,
      { fields: [{ field: "other", message: "not declared" }] },
    ],
    ["an unknown file", [...fine, file("other", 1)], 422, { fields: [{ field: "other" }] }],
    ["__proto__", [...fine, field("__proto__", "x")], 422, { fields: [{ field: "__proto__" }] }],
    ["__proto__ as a file", [...fine, file("__proto__", 9)], 422, { fields: [{ field: "__proto__" }] }],
    ["no name", [...fine, field("", "x")], 422, { fields: [{ field: "" }] }],
    [
      "a second file",
      [...fine, file("photo", 1)],
      422,
      { fields: [{ field: "photo", message: "given more than once" }] },
    ],
    [
      "too many files",
      [...fine, ...[1, 2, 3, 4].map((n) => file("pages", n))],
      422,
      { fields: [{ field: "pages", message: "more than 3 files" }] },
    ],
    [
      "a text for a file",
      [field("title", "A"), field("photo", "x")],
      422,
      { fields: [{ field: "photo", message: "a file was expected" }] },
    ],
    [
      "a file for a text",
      [file("title", 1), file("photo", 1)],
      422,
      { fields: [{ field: "title", message: "text was expected" }] },
    ],
    [
      "missing parts",
      [field("tags", "A")],
      422,
      { fields: [{ field: "title" }, { field: "photo", message: "a file is missing" }] },
    ],
    ["a field that does not fit", [...fine, field("year", "x")], 422, { fields: [{ field: "year" }] }],
    [
      "a field twice",
      [...fine, field("title", "B")],
      422,
      { fields: [{ field: "title", message: "given more than once" }] },
    ],
    [
      "a value too long",
      [...fine, { name: "tags", bytes: big }],
      422,
      { fields: [{ field: "tags", message: "longer than 65536 bytes" }] },
    ],
    [
      "too many fields",
      [...fine, ...Array.from({ length: 10_000 }, () => field("tags", "x"))],
      422,
      { fields: [{ field: "tags", message: "more than 100 fields" }] },
    ],
    ["a long name", [...fine, field("n".repeat(5_000), "x")], 422, {}],
    ["a NUL in a name", [...fine, field("a\0b", "x")], 422, {}],
    ["../../x", [...fine, field("../../x", "x")], 422, { fields: [{ field: "../../x" }] }],
    ["../../x as a file", [...fine, file("../../x", 70_000)], 422, { fields: [{ field: "../../x" }] }],
    [
      "10,000 files",
      [...fine, ...Array.from({ length: 10_000 }, () => file("pages", 1))],
      422,
      { fields: [{ field: "pages", message: "more than 3 files" }] },
    ],
    [
      "10,000 unknown parts",
      [...fine, ...Array.from({ length: 10_000 }, (_, n) => field(`n${n}`, ""))],
      422,
      {},
    ],
    ["a head of 1 MiB", [{ ...field("title", "A"), type: `a/${"b".repeat(1024 * 1024)}` }], 422, {}],
  ];
  test.each(cases)("%s is refused with its field", async (_, parts, status, details) => {
    const answer = await post(encoded(parts));
    expect([answer.status, answer.decodeJSON()]).toMatchObject([
      status,
      { ...(status === 415 ? {} : { details }) },
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("fits up to each limit", async () => {
    const most = [
      field("title", "A"),
      file("photo", 200_000),
      ...[0, 1, 2].map(() => file("pages", 100_000)),
      { name: "tags", bytes: Buffer.alloc(64 * 1024, "x") },
      ...Array.from({ length: 98 }, () => field("tags", "x")),
    ];
    expect((await post(encoded(most))).status).toBe(200);
  });

  test("a body that is cut or has no boundary is no form", async () => {
    const whole = encoded([...fine, file("pages", 80_000)]);
    for (const at of [0, 1, 60, 150, whole.length - 40_000, whole.length - 4]) {
      const answer = await post(whole.subarray(0, at));
      expect([at, answer.status, answer.decodeJSON()]).toMatchObject([
        at,
        422,
        { code: "UNPROCESSABLE_ENTITY", message: "invalid request body" },
      ]);
    }
    for (const type of [
      "multipart/form-data",
      "multipart/form-data; boundary",
      "multipart/form-data; boundary=other",
    ])
      expect((await post(whole, engine, type)).decodeJSON()).toMatchObject({
        message: "invalid request body",
      });
    expect((await post(whole, engine, `multipart/mixed; boundary=${BOUNDARY}`)).status).toBe(415);
    expect((await serveRequest(engine, "POST", "/albums")).status).toBe(422);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("the body is limited to the sum of its files and 1 MiB, or as the handler says", async () => {
    const rest = Buffer.alloc(1024 * 1024 + 700_000, "preamble ");
    const answer = await post(Buffer.concat([rest, Buffer.from("\r\n"), encoded(fine)]));
    expect(answer.decodeJSON()).toMatchObject({
      code: "PAYLOAD_TOO_LARGE",
      details: { max_size: 1024 * 1024 + 700_000 },
    });
    const small = testEngine(
      POST("/albums", { body: Album, maxBodySize: 300, output: z.unknown() }, () => 1),
    );
    expect((await post(encoded(fine), small)).decodeJSON()).toBe(1);
    expect((await post(encoded([...fine, file("cover", 200)]), small)).status).toBe(413);
    const plain = testEngine(
      POST("/albums", { body: multipart({ a: z.string() }), output: z.unknown() }, ({ body }) => body),
    );
    expect((await post(encoded([field("a", "b")]), plain)).decodeJSON()).toEqual({ a: "b" });
  });

  test("takes a time in proportion to the bytes", async () => {
    const time = async (parts: readonly Part[]) => {
      const body = encoded(parts);
      const before = performance.now();
      await post(body);
      return (performance.now() - before) / body.length;
    };
    const lines = (size: number) => [
      ...fine,
      { ...file("cover", 0), bytes: Buffer.alloc(size, `\r\n--${BOUNDARY.slice(0, -1)}`) },
    ];
    await time(lines(20_000));
    const small = await time(lines(20_000));
    expect(await time(lines(190_000))).toBeLessThan(20 * small);
  });

  test("is a bare 500 where middleware has read the form, which names its place", async () => {
    const reported: string[] = [];
    const read = createEngine({
      uploads: { folder },
      onError: ({ message }) => void reported.push(message),
    }).withHandlers(
      POST("/albums", { body: Album, middleware: [multer().any()], output: z.unknown() }, () => 1),
    );
    expect((await post(encoded(fine), read)).text()).toBe(
      '{"code":"INTERNAL_SERVER_ERROR","message":"internal server error"}',
    );
    expect(reported).toEqual([
      "middleware of the handler's option middleware has read the body, which multipart() reads itself: remove it there",
    ]);
  });
});

describe("whatever the end of a request is", () => {
  const random = (seed: number) => {
    let state = seed;
    return (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state % below;
    };
  };
  const ends = [
    "good",
    "too large",
    "wrong type",
    "unknown",
    "cut",
    "slow",
    "throws",
    "refuses",
    "leaves",
    "leaves later",
    "no end",
    "waits",
  ] as const;

  /** Sends a form of this end; gives the status, 0 for a client that left. */
  async function send(
    port: number,
    end: (typeof ends)[number],
    pick: (below: number) => number,
  ): Promise<number> {
    const title = ["throws", "refuses", "waits"].includes(end) ? end : end === "leaves later" ? "waits" : "A";
    const parts = [
      field("title", title),
      file("photo", pick(150_000), end === "wrong type" ? "text/html" : "image/gif"),
      ...Array.from({ length: pick(3) }, () => file("pages", pick(100_000), "a/b", `${pick(99)}`)),
    ];
    if (end === "too large") parts.splice(1 + pick(parts.length), 0, file("cover", 200_001 + pick(100_000)));
    if (end === "unknown") parts.splice(1 + pick(parts.length), 0, file("stranger", pick(80_000)));
    const whole = encoded(parts);
    const body = end === "no end" || end === "cut" ? whole.subarray(0, pick(whole.length - 10)) : whole;
    const socket: Socket = connect(port, "127.0.0.1");
    const closed = new Promise((resolve) => socket.on("close", resolve));
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk.toString("latin1");
    });
    // A server that refuses ends the connection.
    socket.on("error", () => {});
    const length = end === "cut" ? body.length : whole.length;
    socket.write(
      `POST /albums HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: ${TYPE}\r\nContent-Length: ${length}\r\n\r\n`,
    );
    const stop = end === "leaves" ? pick(body.length) : body.length;
    for (let at = 0; at < stop; ) {
      const next = Math.min(stop, at + 1 + pick(60_000));
      if (socket.destroyed) break;
      socket.write(body.subarray(at, next));
      at = next;
      if (end === "slow") await new Promise((resolve) => setTimeout(resolve, pick(8)));
    }
    if (end === "leaves" || end === "no end") setTimeout(() => socket.destroy(), pick(10));
    if (end === "leaves later") setTimeout(() => socket.destroy(), 20 + pick(20));
    await closed;
    return Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1] ?? 0);
  }

  const expected: Record<(typeof ends)[number], readonly number[]> = {
    good: [200],
    slow: [200],
    waits: [200],
    cut: [422],
    throws: [500],
    refuses: [409],
    // A connection that is reset may lose the answer.
    "too large": [413, 0],
    "wrong type": [415, 0],
    unknown: [422, 0],
    leaves: [0, 200],
    "leaves later": [0, 200],
    "no end": [0],
  };

  const RANDOM = Math.max(200, rounds({ small: 500, full: 2_000 }));

  test(`${RANDOM} random uploads leave nothing, with shutdowns in their midst`, {
    timeout: patience(60_000, 200, RANDOM),
  }, async () => {
    let over = 0;
    let begun = 0;
    atEnd(on("http.request.received", () => void begun++));
    for (const name of ["http.request.completed", "http.request.failed"] as const)
      atEnd(on(name, () => void over++));
    const pick = random(7);
    const seen = new Map<string, number>();
    const shutdowns = { graceful: 0, hard: 0, withFiles: 0 };
    /** Ends the engine while its uploads are on their way; what is left is looked for at once. */
    const shutDown = async (api: ReturnType<typeof made>) => {
      await new Promise((resolve) => setTimeout(resolve, pick(40)));
      if (readdirSync(folder).length > 0) shutdowns.withFiles++;
      const { graceful } = await api.shutdown({ timeoutMs: [0, 1 + pick(20), 60_000][pick(3)] ?? 0 });
      shutdowns[graceful ? "graceful" : "hard"]++;
      expect(readdirSync(folder)).toEqual([]);
    };
    let api = made();
    let port = Number(new URL(await listening(api)).port);
    let sent = 0;
    for (let round = 1; sent < RANDOM; round++) {
      const isLast = round % 3 === 0;
      const uploads = Array.from({ length: 8 }, async () => {
        const end = ends[sent++ % ends.length] ?? "good";
        const status = await send(port, end, pick);
        // The end of the server may come first, whatever the upload would have become.
        const isExpected = expected[end].includes(status) || (isLast && status === 0);
        expect([end, isExpected ? "as expected" : status]).toEqual([end, "as expected"]);
        const name = `${end} ${status}`;
        if (!isLast) seen.set(name, (seen.get(name) ?? 0) + 1);
      });
      await Promise.all(isLast ? [...uploads, shutDown(api)] : uploads);
      do await new Promise((resolve) => setTimeout(resolve, 5));
      while (over < begun);
      expect(readdirSync(folder)).toEqual([]);
      if (!isLast) continue;
      api = made();
      port = Number(new URL(await listening(api)).port);
    }
    expect(sent).toBeGreaterThanOrEqual(RANDOM);
    for (const [end, [status]] of Object.entries(expected))
      expect([end, seen.get(`${end} ${status}`)]).not.toEqual([end, undefined]);
    for (const [kind, count] of Object.entries(shutdowns)) expect([kind, count > 0]).toEqual([kind, true]);
  });

  test("a shutdown leaves nothing either, at its deadline too", async () => {
    const api = made();
    const port = Number(new URL(await listening(api)).port);
    const whole = encoded([field("title", "waits"), file("photo", 150_000)]);
    const head = `POST /albums HTTP/1.1\r\nHost: a\r\nContent-Type: ${TYPE}\r\nContent-Length: ${whole.length}\r\n\r\n`;
    const sockets = [whole, whole.subarray(0, 100_000), whole.subarray(0, 130_000)].map((body) => {
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => {}).resume();
      socket.write(head);
      socket.write(body);
      return socket;
    });
    await new Promise<void>((resolve) => {
      inFunction = () => resolve();
    });
    expect(readdirSync(folder).length).toBeGreaterThan(0);
    expect(await api.shutdown({ timeoutMs: 100 })).toEqual({ graceful: false });
    expect(readdirSync(folder)).toEqual([]);
    for (const socket of sockets) socket.destroy();
    inFunction = () => {};
  });
});

describe("a declaration", () => {
  test("loads busboy with the first form alone, and names it where it is missing", async () => {
    const patched = `
      import Module from "node:module";
      const resolve = Module._resolveFilename;
      const asked = [];
      Module._resolveFilename = (name, ...rest) => {
        asked.push(name);
        if (name === "busboy") throw new Error("Cannot find module 'busboy'");
        return resolve(name, ...rest);
      };
      const { multipart, form, POST, createEngine } = await import("rowtype/http");
      createEngine().withHandlers(POST("/x", { body: form({}) }, () => 1)).router();
      console.log(asked.includes("busboy"));
      try { multipart({}); } catch (error) { console.log(error.code, error.message, error.cause.message); }`;
    const { stdout, stderr } = await runProcess(patched);
    expect([stdout, stderr]).toEqual([
      "false\nDECLARATION multipart() reads forms by the package busboy: install it Cannot find module 'busboy'\n",
      "",
    ]);
  });

  test("refuses what is no form", () => {
    // Every value here is one that the compiler refuses.
    const wrong = (value: unknown) => value as never;
    for (const parts of [
      undefined,
      null,
      5,
      [],
      { a: 1 },
      { a: z.object({}) },
      { ["n".repeat(201)]: z.string() },
      z.object({}),
      { a: multipart({}) },
    ])
      expect(() => multipart(wrong(parts)), JSON.stringify(parts)).toThrow(DeclarationError);
    for (const options of [
      {},
      { maxBytes: 0 },
      { maxBytes: 1.5 },
      { maxBytes: 1, types: "image" },
      { maxBytes: 1, types: ["te*t/x"] },
      { maxBytes: 1, types: [] },
      { maxBytes: 1, optional: 1 },
      { maxBytes: 1, max: 1 },
    ])
      expect(() => upload(wrong(options)), JSON.stringify(options)).toThrow(DeclarationError);
    for (const options of [{ maxBytes: 1 }, { maxBytes: 1, max: 0 }, { maxBytes: 1, max: 1, optional: true }])
      expect(() => uploads(wrong(options)), JSON.stringify(options)).toThrow(DeclarationError);
    expect(() => POST("/x", { body: wrong(upload({ maxBytes: 1 })) }, () => 1)).toThrow(
      "upload() is no body",
    );
    expect(() =>
      POST("/x", { body: wrong(z.object({ a: wrong(upload({ maxBytes: 1 })) })) }, () => 1),
    ).toThrow(DeclarationError);
    for (const given of [5, { folder: 5 }, { folder: "" }, { dir: "x" }])
      expect(() => createEngine({ uploads: wrong(given) })).toThrow(DeclarationError);
  });

  test("is in the document", async () => {
    const document = createEngine().withHandlers(add).openapi();
    await expectValid(document);
    const content = (of: object) =>
      Reflect.get(of, "paths")["/albums"].post.requestBody.content["multipart/form-data"];
    const binary = { type: "string", format: "binary" };
    expect(content(document)).toEqual({
      schema: {
        type: "object",
        properties: {
          title: { type: "string", maxLength: 100 },
          year: { type: "integer" },
          tags: { type: "array", items: { type: "string" } },
          photo: binary,
          cover: binary,
          pages: { type: "array", items: binary, maxItems: 3 },
        },
        required: ["title", "photo"],
        additionalProperties: false,
      },
      encoding: { photo: { contentType: "image/*" } },
    });
    const newer = createEngine({ openapi: "3.2" }).withHandlers(add).openapi();
    expect(content(newer).schema.properties.photo).toEqual({ contentMediaType: "image/*" });
    expect(content(newer).schema.properties.cover).toEqual({ contentMediaType: "application/octet-stream" });
  });
});

test("the client sends values and blobs, a form, and a form without files after it has learnt of it", async () => {
  const plain = POST(
    "/plain",
    { body: multipart({ a: z.string(), b: z.array(z.int()) }), output: z.unknown() },
    ({ body }) => body,
  );
  const api = createEngine({ uploads: { folder } }).withHandlers(add, plain);
  const client = createClient<typeof api>(await listening(api));
  const photo = new File([Buffer.alloc(80_000, "p")], "p.png", { type: "image/png" });
  const page = new Blob(["page"], { type: "text/plain" });
  const answer = await client.POST("/albums", {
    body: { title: "A", year: 1, tags: ["x"], photo, pages: [page, page] },
  });
  expect(answer).toMatchObject({
    ok: true,
    data: {
      title: "A",
      year: 1,
      tags: ["x"],
      files: [{ name: "p.png", size: 80_000 }, { name: "blob", size: 4 }, {}],
    },
  });
  const form = new FormData();
  form.set("title", "B");
  form.set("photo", photo);
  expect(await client.POST("/albums", { body: form })).toMatchObject({ data: { title: "B", tags: [] } });
  expect((await client.POST("/plain", { body: { a: "x", b: [1, 2] } })).data).toEqual({ a: "x", b: [1, 2] });
  expect((await client.POST("/plain", { body: { a: "x" } })).data).toEqual({ a: "x", b: [] });
  expect((await serveRequest(api, "POST", "/albums", form)).status).toBe(200);
  await expect(client.POST("/albums", { body: { title: "A", photo: page } })).rejects.toMatchObject({
    code: "UNSUPPORTED_MEDIA_TYPE",
  });
});
