/** Several writers of one version: one wins and the others are told, in the process and over HTTP. */
import { column, table } from "rowtype";
import { Conflict, createEngine, HostLoopback, PreconditionFailed, PUT } from "rowtype/http";
import { mapSqlErrors } from "rowtype/http/sql";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Lent, servers } from "../../servers.js";

const Note = table(
  "written_notes",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    text: z.string(),
    n: z.int(),
    version: column(z.int(), { auto: "version" }),
  }),
);

const WRITERS = 8;

for (const server of servers.filter(({ name }) => ["sqlite", "postgres", "mariadb"].includes(name)))
  describe.skipIf(!server.available)(`writers of one version on ${server.name}`, () => {
    let lent: Lent;
    const notes = () => lent.db.repository(Note);
    let last = 0;
    const fresh = () => notes().insert().exec({ id: ++last, text: "new", n: 0 });
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(Note);
    });
    afterAll(() => lent.close());

    const write = () => notes().modify().set("text", "text").where("id", "=", "id");
    const remove = () => notes().remove().where("id", "=", "id");

    test.each<[string, (id: number, by: number) => Promise<unknown>]>([
      ["exec", (id, by) => write().exec({ id, text: `by ${by}`, version: 1 })],
      ["execBatch", (id, by) => write().execBatch([{ id, text: `by ${by}`, version: 1 }])],
      ["execEach", (id, by) => write().execEach([{ id, text: `by ${by}`, version: 1 }])],
      [
        "execPatch",
        (id, by) =>
          notes()
            .modify()
            .where("id", "=", "id")
            .execPatch({ text: `by ${by}` }, { id, version: 1 }),
      ],
      [
        "a transaction",
        (id, by) =>
          lent.db.transaction((tx) =>
            tx
              .repository(Note)
              .modify()
              .set("text", "text")
              .where("id", "=", "id")
              .exec({ id, text: `by ${by}`, version: 1 }),
          ),
      ],
    ])("one of eight wins by %s, and the others are STALE_VERSION", async (_, change) => {
      const { id } = await fresh();
      const ends = await Promise.allSettled(Array.from({ length: WRITERS }, (_, by) => change(id, by)));
      const won = ends.flatMap(({ status }, by) => (status === "fulfilled" ? [by] : []));
      expect(won).toHaveLength(1);
      for (const end of ends)
        if (end.status === "rejected")
          expect(end.reason).toMatchObject({ code: "STALE_VERSION", table: "written_notes" });
      expect(await notes().select().where("id", "=", "id").exec({ id })).toMatchObject({
        text: `by ${won[0]}`,
        version: 2,
      });
    });

    test("a change and a removal at once: the loser is told that the row is stale or gone", async () => {
      for (let round = 0; round < 20; round++) {
        const { id } = await fresh();
        const ends = await Promise.allSettled([
          write().exec({ id, text: "changed", version: 1 }),
          remove().exec({ id, version: 1 }),
        ]);
        const codes = ends.map((end) => (end.status === "fulfilled" ? "won" : end.reason.code));
        expect([
          ["won", "STALE_VERSION"],
          ["NO_ROWS", "won"],
        ]).toContainEqual(codes);
      }
    });

    test.each([
      { declared: [PreconditionFailed], status: 412 },
      { declared: [Conflict], status: 409 },
      { declared: [Conflict, PreconditionFailed], status: 412 },
    ])("over HTTP one of eight is stored, and the others are a $status", async ({ declared, status }) => {
      const put = PUT(
        "/notes/{id}",
        {
          path: { id: z.int() },
          body: z.object({ text: z.string(), version: z.int() }),
          output: Note.schema,
          errors: declared,
        },
        ({ body, params }) => write().exec({ ...body, id: params.path.id }),
      );
      const engine = createEngine().withErrorMapper(mapSqlErrors).withHandlers(put);
      const { url } = await engine.start(HostLoopback, 0);
      const { id } = await fresh();
      const answers = await Promise.all(
        Array.from({ length: WRITERS }, (_, by) =>
          fetch(`${url}/notes/${id}`, {
            method: "PUT",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ text: `by ${by}`, version: 1 }),
          }),
        ),
      );
      await Promise.all(answers.map((answer) => answer.text()));
      await engine.shutdown();
      const found = answers.map((answer) => answer.status).sort();
      expect(found).toEqual([200, ...Array.from({ length: WRITERS - 1 }, () => status)]);
      const winner = answers.findIndex((answer) => answer.status === 200);
      expect(await notes().select().where("id", "=", "id").exec({ id })).toMatchObject({
        text: `by ${winner}`,
        version: 2,
      });
    });
  });
