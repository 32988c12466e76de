/**
 * A process that is killed while it works: told a database file, a journal mode and a first round, it stores round
 * after round, each in a batch or in a transaction, and writes the number of each that it was told is stored.
 */
import { writeSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { column, table } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { z } from "zod";

const [file, journal, first] = process.argv.slice(2);
const handle = new Sqlite(file);
handle.pragma(`journal_mode = ${journal}`);
const db = sqlite(handle);
const Account = table("accounts", z.object({ id: column(z.int(), { primaryKey: true }), amount: z.int() }));
const Item = table(
  "items",
  z.object({ id: column(z.int(), { primaryKey: true, generated: true }), round: z.int() }),
);
const add = db.repository(Item).insert();
const move = db.repository(Account).modify().setExpr("amount", "+", "by").where("id", "=", "id");

const bySavepoints = (round) =>
  db.transaction(async (tx) => {
    await move.exec({ id: 1, by: -1 }, { tx });
    await tx.transaction(async (inner) => {
      const add = inner.repository(Item).insert();
      for (let i = 0; i < 10; i++) await add.exec({ round });
    });
    await new Promise(setImmediate);
    await move.exec({ id: 2, by: 1 }, { tx });
  });

const say = (word) => writeSync(1, `${word}\n`);
say("ready");
for (let round = Number(first); ; round++) {
  if (round % 2 === 0) await add.execBatch(Array.from({ length: 10 }, () => ({ round })));
  else await bySavepoints(round);
  say(round);
}
