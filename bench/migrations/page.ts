/** The page of the comparison. */
import type { Edit } from "./edits.js";
import type { Outcome } from "./flows.js";
import type { Kit } from "./model.js";

/** What came of an edit: by rowtype, by Drizzle's files, by its `push`, and by `push --force` where that one asked. */
export interface Line {
  readonly kit: Kit;
  readonly edit: Edit;
  readonly outcomes: readonly Outcome[];
}

const NAMES = { postgres: "PostgreSQL", mariadb: "MariaDB", sqlite: "SQLite" };

export function pageOf(lines: readonly Line[], [kit = "", orm = ""]: readonly string[]): string {
  const kits = [...new Set(lines.map((line) => line.kit))];
  const titles = new Set(lines.map(({ edit }) => edit.title));
  return `# Fifty edits, by rowtype and by drizzle-kit

Written by \`npm run bench migrations\`, which installs ${kit.replace("@", " ")} with ${orm.replace("@", " ")} into a temporary folder and runs ${titles.size} edits of one schema with rows in it on ${kits
    .map((kit) => NAMES[kit])
    .join(", ")
    .replace(
      /, (?=[^,]*$)/,
      " and ",
    )}. Both tools get the same schema, and neither has a terminal, as in a pipeline. drizzle-kit writes files (\`generate\`, \`migrate\`) or changes the database at once (\`push\`).${kits.includes("mariadb") ? " It has no dialect for MariaDB: there its files for MySQL are applied, and its `push` ends without a message." : ""} On SQLite only the edits of a view have one, because \`push\` fails where a view is, after it dropped a table.

- **by name**: rowtype refused the step because it loses data, drops what is not declared, or blocks; it was done once \`allow\` named it.
- **asks**: a question for a terminal; nothing was done. Drizzle's \`generate\` then exits with 0. What \`push --force\` did stands behind the arrow. rowtype is told a rename in the declaration, and drizzle-kit asks for it.
- **is not so**: it was reported as done, and the structure is not what the same tool gives a new database.
- **fails**: an error. Where the rows do not allow the edit (*), that is the right answer.
- **again**: a second run finds something to do.
- **rows lost**, **values lost**: of tables and columns that stay.

## Sums

| | | edits | done | by name | asks | is not so | fails, not by the rows | rows lost in | second run not silent |
|---|---|---|---|---|---|---|---|---|---|
${kits.flatMap((one) => sums(lines.filter((line) => line.kit === one))).join("\n")}

${kits.map((one) => table(lines.filter((line) => line.kit === one))).join("\n\n")}
`;
}

const WAYS = ["rowtype", "drizzle-kit, files", "drizzle-kit push", "drizzle-kit push --force"];

function sums(lines: readonly Line[]): string[] {
  const [first] = lines;
  return WAYS.flatMap((way, i) => {
    const all = lines.flatMap(({ edit, outcomes }) => {
      // Where nothing was asked, the switch changes nothing.
      const outcome = outcomes[i] ?? (i === 3 ? outcomes[2] : undefined);
      return outcome === undefined ? [] : [{ edit, outcome }];
    });
    if (first === undefined || all.length === 0) return [];
    const count = (test: (one: (typeof all)[number]) => boolean) => all.filter(test).length || "–";
    const came = (what: Outcome["came"]) => count(({ outcome }) => outcome.came === what);
    const failed = count(({ edit, outcome }) => outcome.came === "fails" && edit.impossible !== true);
    const lost = count(
      ({ edit, outcome }) => outcome.loss.rows > 0 || (outcome.loss.values > 0 && edit.losesBy !== true),
    );
    const again = count(({ outcome }) => outcome.silent === false);
    return [
      `| ${NAMES[first.kit]} | ${way} | ${all.length} | ${came("done")} | ${came("refused")} | ${came("asks")} | ${came("wrong")} | ${failed} | ${lost} | ${again} |`,
    ];
  });
}

function table(lines: readonly Line[]): string {
  const [first] = lines;
  if (first === undefined) return "";
  const hasPush = lines.some(({ outcomes }) => outcomes.length > 2);
  const rows = lines.map(({ edit, outcomes: [own, files, push, forced] }) => {
    const cells = [own, files, ...(hasPush ? [push] : [])].map((one) => (one === undefined ? "" : cell(one)));
    if (forced !== undefined) cells.push(`${cells.pop()} → ${cell(forced)}`);
    return `| ${edit.title}${edit.impossible === true ? " *" : ""} | ${cells.join(" | ")} |`;
  });
  const head = hasPush
    ? "| edit | rowtype | drizzle-kit, files | drizzle-kit push |\n|---|---|---|---|"
    : "| edit | rowtype | drizzle-kit, files |\n|---|---|---|";
  return `## ${NAMES[first.kit]}\n\n${head}\n${rows.join("\n")}`;
}

const WORDS = { done: "done", refused: "by name", asks: "asks", wrong: "is not so", fails: "fails" };

function cell({ came, half, loss, silent }: Outcome): string {
  return [
    WORDS[came],
    ...(half ? ["half done"] : []),
    ...(loss.rows > 0 ? [`**${loss.rows} rows lost**`] : []),
    ...(loss.values > 0 ? [`${loss.values} values lost`] : []),
    ...(silent === false ? ["again"] : []),
  ].join(", ");
}
