/**
 * The texts that the grammar of Oracle has accepted, as hashes: to parse them takes longer than all else that the tests
 * do. Any other text is parsed. `ROWTYPE_GRAMMAR=all` has every text parsed, and `ROWTYPE_GRAMMAR=write npm test` writes
 * the list anew. It belongs to one version of the grammar: with another it is empty.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const file = new URL("accepted-texts.txt", import.meta.url);
const require = createRequire(import.meta.url);

/** The packages that give the verdicts. The exports of one hide its version, so the file is found by its code. */
const judges = ["@griffithswaite/ts-plsql-parser", "antlr4"].map((name) => {
  const path = require.resolve(name);
  const folder = path.slice(0, path.lastIndexOf(`/${name}/`) + name.length + 2);
  const { version } = JSON.parse(readFileSync(`${folder}package.json`, "utf8")) as { version: string };
  return `${name}@${version}`;
});
const heading = judges.join(" ");

const asked = process.env["ROWTYPE_GRAMMAR"] ?? "";
if (!["", "all", "write"].includes(asked))
  throw new TypeError(`ROWTYPE_GRAMMAR is "all" or "write", not ${JSON.stringify(asked)}`);

/** Whether the list is to be written. */
export const writesList: boolean = asked === "write";

const accepted: ReadonlySet<string> = asked === "" ? read() : new Set();

/** Whether the grammar has accepted this text before. */
export function isAccepted(text: string): boolean {
  return accepted.has(hashOf(text));
}

/** Writes the list: these texts, and no others. */
export function writeAccepted(texts: readonly string[]): void {
  const hashes = [...new Set(texts.map(hashOf))].sort();
  writeFileSync(file, `${[heading, ...hashes].join("\n")}\n`);
}

function read(): ReadonlySet<string> {
  const [written, ...hashes] = readFileSync(file, "utf8").trimEnd().split("\n");
  return new Set(written === heading ? hashes : []);
}

/** 72 bits: of many thousand texts no two share them. */
function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 12);
}
