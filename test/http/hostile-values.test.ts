/** Values that clients send to the handlers of the guide: whatever they are, none of them is a failure. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { column, many, one, table } from "rowtype";
import {
  Conflict,
  createEngine,
  DELETE,
  defineError,
  extractor,
  GET,
  HostLoopback,
  identity,
  NotFound,
  PATCH,
  POST,
  PUT,
  UnprocessableEntity,
} from "rowtype/http";
import { mapSqlErrors } from "rowtype/http/sql";
import { serveRequest } from "rowtype/http/testing";
import type { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { texts, values } from "../hostile-values.js";
import { type Lent, servers, titleOf } from "../servers.js";

const Person = table(
  "hostile_people",
  z.object({
    id: column(z.int(), { primaryKey: true, generated: true }),
    email: column(z.email(), { unique: true }),
    name: z.string().min(1).max(100),
    age: z.int().nullable(),
    balance: z.bigint().nullable(),
    score: z.number().nullable(),
    createdAt: column(z.date(), { name: "created_at", default: "CURRENT_TIMESTAMP" }),
  }),
);

for (const server of servers.filter(({ name }) => name !== "h2"))
  describe.skipIf(!server.available)(`the handlers of the guide on ${titleOf(server)}`, () => {
    let lent: Lent;
    let ask: (method: string, path: string, body?: unknown) => Promise<{ status: number; text: string }>;
    const failures: unknown[] = [];
    let cursor = "";

    beforeAll(async () => {
      lent = await server.lend();
      const db = lent.db as unknown as ReturnType<typeof sqlite>;
      await db.createTables(Person);
      const people = db.repository(Person);
      for (const name of ["Ann", "Bob", "Cy"])
        await people.insert().exec({ name, email: `${name}@example.org` });

      const path = { id: z.int().min(1) };
      const pages = people
        .query()
        .whereOptional("name", "ICONTAINS", "text")
        .whereOptional("age", ">", "age")
        .orderBy("name", "asc")
        .orderBy("id", "asc")
        .page(2);
      const byId = people.select().where("id", "=", "id");
      const change = people.modify().where("id", "=", "id");
      const gone = people.remove().where("id", "=", "id");
      const { query } = people.specs({ maxLimit: 5 });
      const engine = createEngine({ onError: (error) => failures.push(error) })
        .withErrorMapper(mapSqlErrors)
        .withHandlers(
          GET(
            "/people",
            {
              query: {
                text: z.string().optional(),
                age: z.number().optional(),
                after: z.string().optional(),
              },
              output: z.object({ rows: z.array(Person.schema), next: z.string().nullable() }),
            },
            ({
              params: {
                query: { after, ...filter },
              },
            }) => pages.exec(filter, after === undefined ? {} : { after }),
          ),
          GET(
            "/people/{id}",
            { path, output: Person.schema, errors: [NotFound] },
            async ({ params }) => (await byId.execOrNull(params.path)) ?? NotFound,
          ),
          POST(
            "/people",
            { status: 201, body: Person.insertSchema, output: Person.schema, errors: [Conflict] },
            ({ body }) => people.insert().exec(body),
          ),
          PATCH(
            "/people/{id}",
            { path, body: Person.updateSchema, output: Person.schema, errors: [NotFound, Conflict] },
            ({ params, body }) => change.execPatch(body, params.path),
          ),
          DELETE("/people/{id}", { path, status: 204, errors: [NotFound] }, async ({ params }) =>
            (await gone.exec(params.path)) === 0 ? NotFound : undefined,
          ),
          POST(
            "/search",
            {
              body: query.extend({ params: z.record(z.string(), z.unknown()) }),
              output: z.array(Person.schema.partial()),
            },
            ({ body: { params, ...spec } }) => people.queryFromSpec(spec).exec(params),
          ),
        );
      ask = async (method, url, body) => {
        const { status, text } = await serveRequest(engine, method, url, body);
        return { status, text: text() };
      };
      cursor = (JSON.parse((await ask("GET", "/people")).text) as { next: string }).next;
    });
    afterAll(() => lent.close());

    const expectTaken = (status: number, what: unknown) => {
      expect([what, status, failures.splice(0)]).toEqual([what, status, []]);
      expect(status, JSON.stringify(what)).toBeLessThan(500);
    };

    test.each(["text", "age", "after"])("the query parameter %s", async (name) => {
      for (const value of texts) {
        const { status } = await ask("GET", `/people?${name}=${encodeURIComponent(value)}`);
        expectTaken(status, [name, value]);
      }
    });

    test("a cursor that is cut, longer, or of another order names its parameter", async () => {
      expect((await ask("GET", `/people?after=${cursor}`)).status).toBe(200);
      for (const after of ["x", cursor.slice(1), cursor.slice(0, -1), `${cursor}A`, cursor.toUpperCase()])
        expect(await ask("GET", `/people?after=${after}`)).toEqual({
          status: 422,
          text: JSON.stringify({
            code: "VALIDATION_FAILED",
            message: "validation failed",
            details: { fields: [{ field: "after", message: "not a value that is taken here" }] },
          }),
        });
    });

    test.each(["GET", "PATCH", "DELETE"])("the id in the path of %s", async (method) => {
      for (const value of texts.filter((text) => text !== "")) {
        const body = method === "PATCH" ? { age: 1 } : undefined;
        const { status } = await ask(method, `/people/${encodeURIComponent(value)}`, body);
        expectTaken(status, [method, value]);
      }
    });

    test.each(["email", "name", "age", "balance", "score", "createdAt", "id"])(
      "the field %s of bodies",
      async (field) => {
        for (const [i, value] of values.entries()) {
          const fine = { email: `${field}${i}@example.org`, name: "n" };
          expectTaken((await ask("POST", "/people", { ...fine, [field]: value })).status, [field, value]);
          expectTaken((await ask("PATCH", "/people/2", { [field]: value })).status, [field, value]);
        }
      },
    );

    test.each(["id", "email", "age", "balance", "score", "createdAt"])(
      "the value of a spec's parameter: %s",
      async (field) => {
        const where = [{ field, operator: ">=", param: "p" }];
        for (const value of values)
          expectTaken((await ask("POST", "/search", { where, params: { p: value } })).status, [field, value]);
      },
    );
  });

describe("the handlers of the guide's other pages", () => {
  const failures: unknown[] = [];
  let folder = "";
  let url = "";
  let stop: () => Promise<unknown>;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "rowtype-hostile-"));
    writeFileSync(join(folder, "ab12"), "a report");
    // Errors: an order of what is in stock, with errors of its own.
    const OutOfStock = defineError({
      code: "OUT_OF_STOCK",
      status: 409,
      message: "out of stock",
      details: z.object({ left: z.int() }),
    });
    const Order = z.object({ sku: z.string().min(1), qty: z.int().min(1) });
    const stock = new Map([["pen", 3]]);
    const order = POST(
      "/orders",
      { body: Order, output: Order, errors: [NotFound, OutOfStock] },
      ({ body }) => {
        const left = stock.get(body.sku);
        if (left === undefined) return NotFound.withDetails({ resource: "sku" });
        if (left < body.qty) throw OutOfStock.withDetails({ left });
        return body;
      },
    );
    // Files: a name in the path, and a body that is only counted.
    const download = GET(
      "/files/{id}",
      { path: { id: z.string().regex(/^[0-9a-f]+$/) }, errors: [NotFound] },
      ({ params, response }) => response.attachment("report.txt").sendFile(params.path.id, { root: folder }),
    );
    const measure = PUT("/measure", { output: z.int() }, async ({ request }) => {
      let bytes = 0;
      for await (const chunk of request) bytes += chunk.length;
      return bytes;
    });
    // Identity: a key in a header.
    const keys = new Map([["k-ann", identity({ id: "ann", tenantId: "1", scopes: ["reports"] })]]);
    const byKey = extractor((request) => keys.get(request.get("x-api-key") ?? "") ?? null, {
      name: "apiKey",
      scheme: { type: "apiKey", in: "header", name: "X-API-Key" },
    });
    const me = GET("/me", { authentication: true, output: z.string() }, ({ identity: { id } }) => id);
    // The client's page: a whole number in the path.
    const person = GET(
      "/people/{id}",
      { path: { id: z.int() }, output: z.object({ id: z.int() }), errors: [NotFound] },
      ({ params }) => (params.path.id === 1 ? { id: 1 } : NotFound.withDetails({ resource: "person" })),
    );
    const engine = createEngine({ onError: (error) => failures.push(error) })
      .withAuthenticator(byKey)
      .withHandlers(order, download, measure, me, person);
    ({ url } = await engine.start(HostLoopback, 0));
    stop = () => engine.shutdown();
  });
  afterAll(async () => {
    await stop();
    rmSync(folder, { recursive: true });
  });

  const asked = async (path: string, init: RequestInit = {}) => {
    const { status } = await fetch(`${url}${path}`, init);
    expect([path, init.body, status, failures.splice(0)]).toEqual([path, init.body, status, []]);
    expect(status, `${path} ${String(init.body)}`).toBeLessThan(500);
    return status;
  };
  const json = (body: unknown) => ({
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

  test.each(["sku", "qty"])("the field %s of an order", async (field) => {
    expect(await asked("/orders", json({ sku: "pen", qty: 1 }))).toBe(200);
    for (const value of values) await asked("/orders", json({ sku: "pen", qty: 1, [field]: value }));
    for (const value of values) await asked("/orders", json(value));
  });

  test.each(["files", "people"])("the id in the path of %s", async (folderName) => {
    const good = folderName === "files" ? "ab12" : "1";
    expect(await asked(`/${folderName}/${good}`)).toBe(200);
    const paths = ["../package.json", "..%2f..%2fpackage.json", "ab12%00", "f".repeat(300), "."];
    for (const value of [...texts.filter((text) => text !== "").map(encodeURIComponent), ...paths])
      expect(await asked(`/${folderName}/${value}`)).not.toBe(200);
  });

  test("a body that is only counted, and a key in a header", async () => {
    for (const value of texts) expect(await asked("/measure", { method: "PUT", body: value })).toBe(200);
    const sent = texts.filter((text) => /^[\x20-\x7e]*$/.test(text));
    for (const value of sent) expect(await asked("/me", { headers: { "x-api-key": value } })).toBe(401);
    expect(await asked("/me", { headers: { "x-api-key": "k-ann" } })).toBe(200);
  });
});

describe("what becomes a failed validation", () => {
  const refused = table("refused", z.object({ id: column(z.int(), { primaryKey: true }) }), {
    relations: { all: many("refused", "id"), one: one("refused", "id") },
  });

  test("is what a client can send: without parameters and body it is the program's fault", async () => {
    const { sqlite: open } = await import("rowtype/sqlite");
    const byId = open().repository(refused).select().where("id", "=", "id").dynamic();
    const wrong = () => byId.exec({ id: "x" });
    const failures: unknown[] = [];
    const engine = createEngine({ onError: (error) => failures.push(error) })
      .withErrorMapper(mapSqlErrors)
      .withHandlers(
        GET("/nothing", { errors: [UnprocessableEntity] }, wrong),
        GET("/query", { query: { id: z.string().optional() } }, wrong),
        POST("/body", { body: z.unknown() }, wrong),
      );
    expect((await serveRequest(engine, "GET", "/nothing")).status).toBe(500);
    expect(failures).toHaveLength(1);
    expect((await serveRequest(engine, "GET", "/query")).status).toBe(422);
    expect((await serveRequest(engine, "POST", "/body", {})).status).toBe(422);
    expect(failures).toHaveLength(1);
  });
});
