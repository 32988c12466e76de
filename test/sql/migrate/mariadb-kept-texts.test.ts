/**
 * Texts of MariaDB whose members, collation or character set change: a step that is not marked as losing data keeps every
 * text, or fails and leaves the rows.
 */
import * as fc from "fast-check";
import { column, table } from "rowtype";
import { diff } from "rowtype/migrate";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { patience, rounds } from "../../rounds.js";
import { type Lent, servers } from "../../servers.js";

const MEMBERS = ["a", "b", "c", "it's", "é"];
const typeOfMembers = (members: readonly string[]) =>
  `enum(${members.map((one) => `'${one.replaceAll("'", "''")}'`).join(",")})`;
const TEXTS = ["varchar(4)", "varchar(90)", "char(4)"].flatMap((type) =>
  ["utf8mb4_bin", "utf8mb4_general_ci", "latin1_bin"].map(
    (collation) => `${type} CHARACTER SET ${collation.split("_")[0]} COLLATE ${collation}`,
  ),
);
const memberTypes = fc.shuffledSubarray(MEMBERS, { minLength: 1 }).map(typeOfMembers);
const pairs = fc.oneof(
  fc.tuple(memberTypes, memberTypes),
  fc.tuple(fc.constantFrom(...TEXTS), fc.constantFrom(...TEXTS)),
);
const VALUES = [...MEMBERS, "A", "日本", "x ", "longer text"];

const declared = (type: string, unique: boolean) =>
  table(
    "texts",
    z.object({ id: column(z.int(), { primaryKey: true }), t: column(z.string(), { type, unique }) }),
  );

for (const server of servers.filter(({ dialect }) => dialect === "mariadb"))
  describe.skipIf(!server.available)("texts of a changed type on mariadb", () => {
    let lent: Lent;
    beforeAll(async () => {
      lent = await server.lend();
    });
    afterAll(() => lent.close());

    const count = rounds({ small: 25, full: 2_000 });
    test(
      "stay, where no step is marked as losing data",
      async () => {
        const property = fc.asyncProperty(pairs, fc.boolean(), async ([from, to], unique) => {
          const before = declared(from, unique);
          const rows = lent.db.repository(before);
          await lent.db.createTables(before);
          try {
            // Not every type takes every value.
            for (const [id, t] of VALUES.entries())
              await rows
                .insert()
                .exec({ id, t })
                .catch(() => {});
            const read = () => lent.run("SELECT id, CONVERT(t USING utf8mb4) AS t FROM texts ORDER BY id");
            const held = await read();
            const { steps } = await diff([declared(to, unique)], lent.db, { types: "exact" });
            if (steps.some(({ risks }) => risks.includes("loses-data"))) return;
            for (const { sql, risks } of steps)
              for (const statement of sql)
                await lent.run(statement).catch((error: unknown) => {
                  if (!risks.includes("may-fail")) throw error;
                });
            expect(await read(), `${from} → ${to}`).toEqual(held);
          } finally {
            await lent.db.dropTables(before);
          }
        });
        await fc.assert(property, { numRuns: count, endOnFailure: true });
      },
      patience(60_000, 1_000, count),
    );
  });
