/** A client made from our document by a generator from npm: its types compile, and its client calls the server. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { generateApi } from "swagger-typescript-api";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import {
  bytes,
  createEngine,
  DELETE,
  type Engine,
  file,
  form,
  GET,
  type Identity,
  multipart,
  POST,
  text,
  upload,
} from "../../src/http/index.js";
import { completeEngine } from "./complete-engine.js";
import { listening } from "./serve.js";
import { expectValid } from "./validate-document.js";

const compiler = fileURLToPath(new URL("../../node_modules/typescript7/bin/tsc", import.meta.url));

/** How somebody uses it: what is right compiles, what is wrong does not. */
const consumer = `
import { Api, type NewUser, type Shape, type User } from "./api.ts";

export async function use(baseUrl: string) {
  const api = new Api<string>({ baseUrl, securityWorker: (key) => ({ headers: { "X-API-Key": key ?? "" } }) });
  const refused = async <E>(call: Promise<unknown>): Promise<E> => call.then(() => { throw new Error("not refused"); }, ({ error }) => error);

  const { data: user } = await api.users.getUsersById({ id: 1, fields: ["a", "b"], verbose: true });
  const born: string | null = user.born;
  const balance: string = user.balance;
  const role: "admin" | "member" = user.role;
  const tags: string[] = user.tags;
  // @ts-expect-error a user has no such field
  user.hash;
  // @ts-expect-error the path parameter is a number
  api.users.getUsersById({ id: "1" });

  const missing = await refused(api.users.getUsersById({ id: 7 }));
  const { id: _, plan: __, ...rest } = user;
  // The plan has a default: requests may leave it out.
  const body: NewUser = rest;
  const unauthorized = await refused(api.users.postUsers(body));
  api.setSecurityData("admin");
  const { data: created, headers } = await api.users.postUsers(body, { secure: true });
  const outOfStock = await refused(api.users.postUsers({ ...body, email: "out@example.org" }, { secure: true }));
  const invalid = await refused(api.users.postUsers({ ...body, email: "no address" }, { secure: true }));
  const removed = await api.users.removeUser({ id: "1" }, { secure: true });

  const tree = { name: "a", children: [{ name: "b", children: [] }] };
  const { data: category } = await api.categories.putCategories(tree);
  const circle: Shape = { kind: "circle", r: 1 };
  // @ts-expect-error a circle has no side
  const square: Shape = { kind: "circle", side: 1 };
  const { data: shape } = await api.shape.patchShape(circle);
  const { data: old } = await api.old.postOld({ n: 5 }, { name: "ab", at: "2024-02-29T00:00:00.000Z", big: "7" });
  const { data: me } = await api.me.getMe();
  const { data: times } = await api.times.postTimes({ at: 60 });
  const pair: [number, string] = times.pair;
  const everything: User[] = [user, created];
  return {
    user, born, balance, role, tags, missing, unauthorized, created, rate: headers.get("x-rate"), outOfStock, invalid,
    removed: removed.status, category, shape, old, me, pair, at: times.at, count: everything.length, square,
  };
}
`;

/** What somebody writes against the parts that generators read in ways of their own. */
const consumerOfForms = `
import { Api } from "./api.ts";

export async function use(baseUrl: string) {
  const api = new Api({ baseUrl });
  const { data: many } = await api.users.getUsersByIds([1, 2, 3]);
  const { data: one } = await api.users.deleteUsersByUserId(7);
  const { data: without } = await api.jobs.postJobs();
  const { data: with3 } = await api.jobs.postJobs({ priority: 3 });
  const { data: some } = await api.search.getSearch({ ids: [1], tag: ["a", "b"] });
  const { data: text } = await api.search.getSearch({ ids: [1, 2], tag: "a" });
  // @ts-expect-error at least one id is asked for
  const missing = await api.search.getSearch({ tag: "a" }).then(() => 200, ({ status }) => status);
  return { many, one, without, with3, some, text, missing };
}
`;

function engineOfForms() {
  return createEngine().withHandlers(
    GET(
      "/users/{ids}",
      { path: { ids: z.array(z.int()) }, output: z.array(z.int()) },
      ({ params }) => params.path.ids,
    ),
    DELETE(
      "/users/{userId}",
      { path: { userId: z.int() }, output: z.int() },
      ({ params }) => params.path.userId,
    ),
    POST(
      "/jobs",
      { body: z.object({ priority: z.int() }).optional(), output: z.int() },
      ({ body }) => body?.priority ?? 0,
    ),
    GET(
      "/search",
      {
        query: { ids: z.array(z.int()).min(1), tag: z.union([z.string(), z.array(z.string())]) },
        output: z.unknown(),
      },
      ({ params }) => params.query,
    ),
  );
}

/** Bodies that are no JSON. */
const consumerOfBodies = `
import { Api, ContentType } from "./api.ts";

export async function use(baseUrl: string) {
  const api = new Api({ baseUrl });
  const file = new File(["the photo"], "p.png", { type: "image/png" });
  const { data: album } = await api.albums.postAlbums({ title: "A", year: 5, photo: file });
  const { data: signed } = await api.sign.postSign({ name: "Ann & Bob", age: 7 });
  // It writes what is no text as JSON, unless it is a form.
  const { data: sized } = await api.bytes.postBytes("12345", { type: ContentType.Text });
  const { data: said } = await api.text.postText("hello");
  const page = await api.files.getFiles({ format: "text" });
  // @ts-expect-error a photo is a file
  const missing = await api.albums.postAlbums({ title: "A" }).then(() => 200, ({ status }) => status);
  return { album, signed, sized, said, page: page.data, missing };
}
`;

function engineOfBodies() {
  const Album = multipart({
    title: z.string(),
    year: z.int().optional(),
    photo: upload({ maxBytes: 1_000, types: ["image/*"] }),
  });
  return createEngine().withHandlers(
    POST(
      "/albums",
      { body: Album, output: z.string() },
      async ({ body: { title, year, photo } }) => `${title} ${year} ${photo.name} ${await photo.text()}`,
    ),
    POST(
      "/sign",
      { body: form({ name: z.string(), age: z.int() }), output: z.string() },
      ({ body }) => `${body.name} ${body.age}`,
    ),
    POST(
      "/bytes",
      { body: bytes(["application/octet-stream", "text/plain"]), output: z.int() },
      ({ body }) => body.length,
    ),
    POST("/text", { body: text(), output: z.string() }, ({ body }) => body),
    GET("/files", { output: file({ types: ["text/plain"] }) }, () => ({
      root: fileURLToPath(new URL(".", import.meta.url)),
      path: "gate.ts",
      type: "text/plain",
    })),
  );
}

describe("a generated client", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "rowtype-client-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Generates a client of an engine, compiles a program that uses it, and gives its function. */
  async function generated(
    engine: Engine<Identity, unknown>,
    name: string,
    program: string,
    extractRequestParams: boolean,
  ) {
    const document = JSON.parse(JSON.stringify(engine.openapi()));
    await expectValid(document);
    const { files } = await generateApi({
      ...{ spec: document, output: false, silent: true, generateClient: true, fileName: "api.ts" },
      extractRequestParams,
    });
    const own = join(folder, name);
    mkdirSync(own);
    writeFileSync(join(own, "api.ts"), files[0]?.fileContent ?? "");
    writeFileSync(join(own, "consumer.ts"), program);
    const compilerOptions = {
      ...{ strict: true, noEmit: true, allowImportingTsExtensions: true, types: [] },
      ...{ target: "ES2023", module: "NodeNext", lib: ["ES2023", "DOM", "DOM.Iterable"] },
    };
    writeFileSync(join(own, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["consumer.ts"] }));
    const { stdout } = spawnSync(process.execPath, [compiler, "-p", own], { encoding: "utf8" });
    expect(stdout).toBe("");

    writeFileSync(join(own, "package.json"), '{"type":"module"}');
    for (const name of ["api", "consumer"]) {
      const text = ts.sys.readFile(join(own, `${name}.ts`)) ?? "";
      const { outputText } = ts.transpileModule(text.replace("./api.ts", "./api.js"), {
        compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 },
      });
      writeFileSync(join(own, `${name}.js`), outputText);
    }
    const { use } = await import(/* @vite-ignore */ pathToFileURL(join(own, "consumer.js")).href);
    // A program above.
    return use as (baseUrl: string) => Promise<unknown>;
  }

  test("compiles, refuses what the server would refuse, and calls the running server", async () => {
    const engine = completeEngine();
    const use = await generated(engine, "complete", consumer, true);
    expect(await use(`${await listening(engine)}/v1`)).toMatchObject({
      user: { id: 1, plan: "a+b", avatar: "AQID", scores: { chess: 50 } },
      born: "2000-02-29T00:00:00.000Z",
      balance: "9007199254740993",
      role: "admin",
      tags: ["a"],
      missing: { code: "NOT_FOUND", details: { resource: "user" } },
      unauthorized: { code: "UNAUTHORIZED" },
      created: { id: 2, plan: "free", email: "ann@example.org" },
      rate: "1",
      outOfStock: { code: "OUT_OF_STOCK", details: { since: "1970-01-01T00:00:00.000Z" } },
      invalid: { code: "VALIDATION_FAILED", details: { fields: [{ field: "email" }] } },
      removed: 204,
      category: { name: "a", children: [{ name: "b", children: [] }] },
      shape: { kind: "circle", r: 1 },
      old: { name: "ab", at: "2024-02-29T00:00:00.000Z", big: "7" },
      me: { id: "admin" },
      pair: [1, "one"],
      at: 60,
      count: 2,
    });
  });

  test("sends lists in paths and queries, and no body where none is needed, to the paths of one item", async () => {
    const engine = engineOfForms();
    const use = await generated(engine, "forms", consumerOfForms, false);
    expect(await use(await listening(engine))).toEqual({
      many: [1, 2, 3],
      one: 7,
      without: 0,
      with3: 3,
      some: { ids: [1], tag: ["a", "b"] },
      text: { ids: [1, 2], tag: "a" },
      missing: 422,
    });
  });

  test("sends forms, files, bytes and text", async () => {
    const engine = engineOfBodies();
    const use = await generated(engine, "bodies", consumerOfBodies, false);
    expect(await use(await listening(engine))).toEqual({
      album: "A 5 p.png the photo",
      signed: "Ann & Bob 7",
      sized: 5,
      said: "hello",
      page: readFileSync(new URL("gate.ts", import.meta.url), "utf8"),
      missing: 422,
    });
  });
});
