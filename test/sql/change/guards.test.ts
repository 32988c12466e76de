/**
 * A server checks the rows of a change by itself where a last column can say what could not be decoded: whatever the type
 * of a column is, a change gives the rows that a query reads, or it rejects and has changed nothing.
 */
import type { Database } from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { guardedTable, hearing, withOwnFaults } from "../../kit/guarded.js";
import { sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, servers } from "../../servers.js";

/** The dialects whose servers do. */
const dialects: readonly string[] = ["postgres", "mariadb"];

for (const server of servers) {
  if (!dialects.includes(server.dialect)) continue;
  describe.skipIf(!server.available)(`changes that the server checks on ${server.name}`, () => {
    const isMariadb = server.dialect === "mariadb";
    let lent: Lent;
    let db: Database<"postgres">;
    let name = "";
    let tables = 0;
    const sent: string[] = [];
    beforeAll(async () => {
      lent = await server.lend();
      db = hearing(lent, isMariadb ? "mariadb" : "postgres", sent);
    });
    afterAll(() => lent.close());

    const declared = (kind: string, isNullable: boolean) => guardedTable(name, kind, isNullable);
    // A server that keeps statements prepared refuses them when the types of a table change.
    const create = async (type: string) => {
      name = `guarded_${++tables}`;
      await lent.run(`CREATE TABLE ${name} (id bigint PRIMARY KEY, v ${type} NULL)`);
    };
    const store = (id: number, literal: string) => lent.run(`INSERT INTO ${name} VALUES (${id}, ${literal})`);
    const count = () => db.repository(declared("text", true)).count().exec();

    const usual: Readonly<Record<string, unknown>> = {
      text: "x",
      enum: "it's",
      int: -9007199254740991,
      number: 1.5,
      bigint: 9223372036854775807n,
      boolean: false,
      date: new Date("2026-01-02T03:04:05.678Z"),
      bytes: new Uint8Array([0, 255]),
      ...(isMariadb ? {} : { "decimal of two digits": "-1.25", "decimal of none": "7" }),
    };
    test.each(Object.keys(usual))("%s in a column that rowtype makes: one statement", async (kind) => {
      name = `guarded_${++tables}`;
      const own = declared(kind, true);
      await db.createTables(own);
      const repository = db.repository(own);
      const changes: Readonly<Record<string, () => Promise<unknown>>> = {
        upsert: () =>
          repository
            .insert()
            .onConflict("id")
            .doUpdate()
            .exec({ id: 1, v: usual[kind] } as never),
        ...(isMariadb
          ? {}
          : {
              update: () =>
                repository.modify().set("id", "to").where("id", "=", "id").execMany({ to: 2, id: 1 }),
            }),
        removal: () => repository.remove().where("id", ">", "id").execMany({ id: 0 }),
      };
      for (const value of [usual[kind], null])
        for (const [name, change] of Object.entries(changes)) {
          if (value === null && name === "upsert")
            await repository.insert().execBatch([{ id: 1, v: null }] as never);
          else {
            sent.length = 0;
            await change();
            expect(sent, name).toEqual([expect.stringContaining(isMariadb ? "IF(" : "CASE WHEN")]);
          }
        }
    });

    test("what could not be said once is not said again", async () => {
      await create(isMariadb ? "decimal(12,0)" : "numeric");
      await store(1, "5");
      const repository = db.repository(declared(isMariadb ? "text" : "int", true));
      const change = repository.remove().where("id", "=", "id");
      const attempts: string[][] = [];
      for (let i = 0; i < 3; i++) {
        sent.length = 0;
        expect(await change.execMany({ id: 1 })).toHaveLength(1);
        attempts.push([...sent]);
        await store(1, "5");
      }
      expect(attempts.map((texts) => texts.length)).toEqual([2, 1, 1]);
    });

    test("a later row of an upsert that a trigger spoils is not stored", async () => {
      await create("bigint");
      const spoilt = "9007199254740993";
      for (const sql of isMariadb
        ? [
            `CREATE TRIGGER spoils BEFORE INSERT ON ${name} FOR EACH ROW SET NEW.v = IF(NEW.id > 1, ${spoilt}, NEW.v)`,
          ]
        : [
            `CREATE FUNCTION spoilt() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.v = ${spoilt}; RETURN NEW; END $$`,
            `CREATE TRIGGER spoils BEFORE INSERT ON ${name} FOR EACH ROW WHEN (NEW.id > 1) EXECUTE FUNCTION spoilt()`,
          ])
        await lent.run(sql);
      const insert = db.repository(declared("int", false)).insert().onConflict("id").doUpdate();
      expect(await insert.exec({ id: 1, v: 5 } as never)).toMatchObject({ id: 1, v: 5 });
      for (let i = 0; i < 2; i++)
        expect(await sqlErrorOf(insert.exec({ id: 2, v: 5 } as never))).toMatchObject({
          code: "DECODE_FAILED",
        });
      expect(await count()).toBe(1);
    });

    test("a guard is known by what a driver says of its errors", async () => {
      await create(isMariadb ? "decimal(12,0)" : "numeric");
      await store(1, "5");
      const kind = isMariadb ? "text" : "int";
      const own = withOwnFaults(lent, isMariadb ? "mariadb" : "postgres").repository(declared(kind, true));
      expect(await own.remove().where("id", "=", "id").execMany({ id: 1 })).toHaveLength(1);
      expect(await count()).toBe(0);
    });

    test("inside a transaction the text has no guard", async () => {
      await create("integer");
      await store(1, "5");
      sent.length = 0;
      const error = await sqlErrorOf(
        db.transaction(async (tx) => {
          await tx.repository(declared("boolean", false)).remove().where("id", "=", "id").execMany({ id: 1 });
        }),
      );
      expect(error).toMatchObject({ code: "DECODE_FAILED" });
      expect(sent).toEqual(["a transaction"]);
      expect(await count()).toBe(1);
    });

    test("a failure of another kind is not taken for one of the guard", async () => {
      await create("text");
      await lent.run(`INSERT INTO ${name} VALUES (1, 'x'), (2, 'y')`);
      const modify = db.repository(declared("text", true)).modify().set("id", "to").where("id", "=", "id");
      sent.length = 0;
      expect(await sqlErrorOf(modify.execMany({ to: 2, id: 1 }))).toMatchObject({ code: "UNIQUE_VIOLATION" });
      if (!isMariadb) expect(sent).toHaveLength(1);
    });
  });
}
