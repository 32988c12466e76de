/**
 * docs/source-files.md has a line for each file of the folders that docs/architecture.md does not list file by file: the
 * first sentence of the comment that the file begins with. `ROWTYPE_WRITE_DOCS=1` writes it anew.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { sourceFiles } from "./imports.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const path = join(root, "docs/source-files.md");

const folders: readonly (readonly [folder: string, title: string])[] = [
  ["sql/render", "resolved statements → text"],
  ["sql/exec", "a text and its values → rows"],
  ["sql/specs", "what a client may send"],
  ["sql/drivers", "one room for each client"],
  ["http/pipeline", "the steps of a request"],
  ["http/input", "what a request brings"],
  ["http/client", "the client"],
  ["openapi", "OpenAPI types and their codec"],
];

/** The first sentence of the comment at the head of a text. */
function sentenceOf(text: string): string {
  const [, comment = ""] = /^\/\*\*([\s\S]*?)\*\//.exec(text) ?? [];
  const [sentence = ""] = comment
    .replace(/\s*\n \* ?/g, " ")
    .trim()
    .split(/(?<=\.)\s/, 1);
  return sentence.replace(/[.:]$/, "").replaceAll("|", "\\|");
}

function tableOf(folder: string): string {
  const base = join(root, "src", folder);
  const lines = sourceFiles(base)
    .sort()
    .map((file) => `| \`${file}\` | ${sentenceOf(readFileSync(join(base, file), "utf8"))} |`);
  return ["| file | what it holds |", "|---|---|", ...lines].join("\n");
}

const page = `${[
  "# Source files",
  "For contributors: every file of eight folders in one line. [How rowtype is built](architecture.md) names the folders, follows a query and a request through them, and lists \\`resolve\\` and \\`migrate\\` file by file.",
  ...folders.map(([folder, title]) => `## \`${folder}\`: ${title}\n\n${tableOf(folder)}`),
].join("\n\n")}\n`.replaceAll("\\`", "`");

test("the page has a line for each file, which says what the file itself says", () => {
  if (process.env["ROWTYPE_WRITE_DOCS"] === "1") writeFileSync(path, page);
  expect(readFileSync(path, "utf8")).toBe(page);
});

test("every sentence says something of its own", () => {
  const sentences = [...page.matchAll(/^\| `[^`]+` \| (.*) \|$/gm)].map(([, sentence = ""]) => sentence);
  expect(sentences.length).toBeGreaterThan(150);
  expect(sentences.filter((sentence) => sentence.length < 10)).toEqual([]);
  expect(sentences.filter((sentence, i) => sentences.indexOf(sentence) !== i)).toEqual([]);
});
