/**
 * The same fifty edits of a schema with rows in it by rowtype and by drizzle-kit, on PostgreSQL, MariaDB and SQLite: was
 * a question asked, were rows lost, does a second run find nothing to do? Run by `npm run bench migrations`, which
 * installs drizzle-kit into a temporary folder; `ROWTYPE_WRITE_DOCS=1` writes docs/migrations-compared.md.
 * `--on=sqlite` and `--edit=TEXT` choose some of them, `--print` shows what the tools said. It takes an hour: with
 * `--keep=FILE` what was found stands in a file, and a run on one database takes from there what it does not run.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { installDrizzle } from "./migrations/drizzle-kit.js";
import { edits } from "./migrations/edits.js";
import { byDrizzleFiles, byDrizzlePush, byRowtype, type Outcome } from "./migrations/flows.js";
import { base, type Kit, modelFor } from "./migrations/model.js";
import { type Line, pageOf } from "./migrations/page.js";

const PEERS = ["drizzle-kit@0.31.11", "drizzle-orm@0.45.4", "pg@8", "mysql2@3"];

const { values } = parseArgs({
  options: {
    on: { type: "string" },
    edit: { type: "string" },
    keep: { type: "string" },
    print: { type: "boolean", default: false },
  },
});
const kits: readonly Kit[] = ["postgres", "mariadb", "sqlite"];
const drizzle = installDrizzle(PEERS);
const lines: Line[] = [];
const read: readonly Line[] =
  values.keep !== undefined && existsSync(values.keep) ? JSON.parse(readFileSync(values.keep, "utf8")) : [];
// What an edit is, the list says that is here now.
const kept = read.flatMap((line) => {
  const edit = edits.find(({ title }) => title === line.edit.title);
  return edit === undefined ? [] : [{ ...line, edit }];
});
try {
  for (const kit of kits.filter((one) => values.on === undefined || one === values.on))
    for (const edit of edits) {
      if (!edit.on.includes(kit) || !edit.title.includes(values.edit ?? "")) continue;
      const { title } = edit;
      const given = { ...edit, base: modelFor(base, kit, title), model: modelFor(edit.model, kit, title) };
      const outcomes: Outcome[] = [];
      // Its `push` reads no catalog of MariaDB: it ends with exit code 1 and no message.
      const ways = [
        byRowtype,
        byDrizzleFiles(drizzle),
        ...(kit === "mariadb" ? [] : [byDrizzlePush(drizzle)]),
      ];
      for (const way of ways) outcomes.push(await way(given, kit));
      // What asks can be told to go on: by a switch that allows everything.
      if (outcomes[2]?.came === "asks") outcomes.push(await byDrizzlePush(drizzle, "--force")(given, kit));
      lines.push({ kit, edit, outcomes });
      console.log(
        `${kit}: ${edit.title}: ${outcomes.map(({ came, half, loss, silent }) => `${came}${half ? " half" : ""} -${loss.rows} rows -${loss.values} values${silent === false ? " not silent" : ""}`).join(" | ")}`,
      );
      if (values.print) for (const { said } of outcomes) console.log(said);
    }
} finally {
  drizzle.remove();
}
const found = kits.flatMap((kit) => {
  const own = lines.filter((line) => line.kit === kit);
  return own.length > 0 ? own : kept.filter((line) => line.kit === kit);
});
if (values.keep !== undefined) writeFileSync(values.keep, JSON.stringify(found));
const page = pageOf(found, PEERS.slice(0, 2));
if (process.env["ROWTYPE_WRITE_DOCS"] === "1")
  writeFileSync(new URL("../docs/migrations-compared.md", import.meta.url), page);
else console.log(page);
