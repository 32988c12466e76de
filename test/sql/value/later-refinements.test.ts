/** Refinements that give a promise, inside schemas of every kind: a body waits for them, a table refuses them. */
import Sqlite from "better-sqlite3";
import { column, json, table } from "rowtype";
import { createEngine, POST } from "rowtype/http";
import { sqlite } from "rowtype/sqlite";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ask, listening, send } from "../../http/serve.js";
import { sqlErrorOf } from "../../kit/thrown.js";

const later = () => z.string().refine(async (text) => text !== "bad", "is bad");

const kinds = {
  "a text": { schema: later(), of: (text: string) => text },
  "a union that begins with it": { schema: z.union([later(), z.int()]), of: (text: string) => text },
  "a union that ends with it": { schema: z.union([z.int(), later()]), of: (text: string) => text },
  "a union with a date": { schema: z.union([z.date(), later()]), of: (text: string) => text },
  "an intersection": { schema: z.intersection(later(), z.string()), of: (text: string) => text },
  "a list of a union": { schema: z.array(z.union([later(), z.int()])), of: (text: string) => [text] },
  "a discriminated union": {
    schema: z.discriminatedUnion("k", [
      z.object({ k: z.literal("a"), v: later() }),
      z.object({ k: z.literal("b"), at: z.date() }),
    ]),
    of: (text: string) => ({ k: "a" as const, v: text }),
  },
};
type Kind = keyof typeof kinds;
// The names of the table are its keys.
const names = Object.keys(kinds) as Kind[];

describe("a refinement that gives a promise", () => {
  test.each(names)("is awaited in a body: %s", async (name) => {
    const { schema, of } = kinds[name];
    const api = createEngine().withHandlers(POST("/in", { body: schema }, () => "taken"));
    const url = await listening(api);
    expect(await ask(`${url}/in`, send("POST", of("good")))).toMatchObject({ status: 200, json: "taken" });
    expect(await ask(`${url}/in`, send("POST", of("bad")))).toMatchObject({
      status: 422,
      json: { code: "VALIDATION_FAILED" },
    });
  });

  test.each(names.flatMap((name) => ["good", "bad"].map((text) => [name, text] as const)))(
    "is refused by a JSON column: %s, %s",
    async (name, text) => {
      const { schema, of } = kinds[name];
      const Held = table("held", z.object({ id: column(z.int(), { primaryKey: true }), v: json(schema) }));
      const handle = new Sqlite(":memory:");
      const db = sqlite(handle);
      await db.createTables(Held);
      const held = db.repository(Held);
      // One type for the values of all kinds.
      const v = of(text) as never;
      expect(await sqlErrorOf(held.insert().exec({ id: 1, v }))).toMatchObject({ code: "DECLARATION" });
      expect(await sqlErrorOf(held.insert().execBatch([{ id: 1, v }]))).toMatchObject({
        code: "DECLARATION",
      });
      expect(await held.count().exec()).toBe(0);
      handle.prepare("INSERT INTO held VALUES (1, ?)").run(JSON.stringify(of("good")));
      const change = held.modify().set("v", "to").where("id", "=", "id");
      expect(await sqlErrorOf(change.exec({ to: v, id: 1 }))).toMatchObject({ code: "DECLARATION" });
      expect(handle.prepare("SELECT v FROM held").pluck().get()).toBe(JSON.stringify(of("good")));
      expect(await sqlErrorOf(held.query().exec())).toMatchObject({ code: "DECODE_FAILED" });
      handle.close();
    },
  );
});
