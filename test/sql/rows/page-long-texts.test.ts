/**
 * Pages in the order of long values that begin alike, of which MariaDB orders the beginning only: each row comes once,
 * or the page says that it cannot go on.
 */
import { column, SqlError, table } from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Lent, servers } from "../../servers.js";

const Note = table(
  "long_notes",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    text: z.string(),
    short: column(z.string(), { type: "varchar(2000)" }),
    bytes: z.instanceof(Uint8Array),
  }),
);
const fields = ["text", "short", "bytes"] as const;
const LENGTHS = [0, 100, 253, 254, 255, 256, 300, 511, 1_018, 1_019, 1_020, 1_024, 1_100];
const ENDS = [3, 1, 5, 2, 4, 0];

for (const server of servers.filter(({ dialect }) => dialect !== "oracle"))
  describe.skipIf(!server.available)(`pages of long values on ${server.name}`, () => {
    let lent: Lent;
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(Note);
    });
    afterAll(() => lent.close());

    /** The ends of the values, by pages of two, until one says that it cannot go on. */
    async function paged(field: (typeof fields)[number]): Promise<{ ids: number[]; code?: string }> {
      const pages = lent.db
        .repository(Note)
        .query()
        .fields("id")
        .orderBy(field, "asc")
        .orderBy("id", "asc")
        .page(2);
      const ids: number[] = [];
      for (let after: string | undefined; ; ) {
        const page = await pages.exec(after === undefined ? {} : { after }).catch((error: unknown) => error);
        if (page instanceof SqlError) return { ids, code: page.code };
        const { rows, next } = page as Awaited<ReturnType<typeof pages.exec>>;
        ids.push(...rows.map(({ id }) => id));
        if (next === null) return { ids };
        after = next;
      }
    }

    for (const character of ["p", "é", "漢", "🙂"])
      test(`that begin with many of ${character}: each row once, or UNSUPPORTED`, async () => {
        const refused: string[] = [];
        for (const length of LENGTHS.filter((one) => one * character.length <= 1_990)) {
          const values = ENDS.map((end) => character.repeat(length) + end);
          await lent.run("DELETE FROM long_notes");
          const rows = values.map((text, id) => ({
            id,
            text,
            short: text,
            bytes: new Uint8Array(Buffer.from(text)),
          }));
          await lent.db.repository(Note).insert().execBatch(rows);
          for (const field of fields) {
            const { ids, code } = await paged(field);
            const label = `${field} of ${length}`;
            if (code === undefined)
              expect([label, ids.map((id) => ENDS[id])]).toEqual([label, [0, 1, 2, 3, 4, 5]]);
            else {
              expect([label, code, ids]).toEqual([label, "UNSUPPORTED", []]);
              refused.push(label);
            }
          }
        }
        if (server.dialect === "mariadb") {
          expect(refused).toContain("text of 300");
          expect(refused).not.toContain("text of 254");
        } else expect(refused).toEqual([]);
      });
  });
