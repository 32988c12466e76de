/**
 * What TypeScript 5.9, 6.0 and 7.0 say of the mistakes of a person who comes from another library: at the place that is
 * wrong, in one line of at most 160 characters, with the names that there are. The guide shows what 7.0 says:
 * `ROWTYPE_WRITE_DOCS=1` writes it anew.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { COMPILERS, errorsOf, type Said, type Version } from "./compilers.js";
import { type Mistake, mistakes, prelude } from "./mistakes.js";

const versions = Object.keys(COMPILERS) as readonly Version[];

// A line for each mistake, in a block of its own.
const firstLine = prelude.split("\n").length;
const before = "{ ";
const program = `${prelude}${mistakes.map(({ code }) => `${before}${code.replace("«", "")} }`).join("\n")}\n`;

/** The names of types that no user has written or imported. */
const INTERNAL = /\b(Fitting\w*|Leaf|Builders|Derived|Model<|Joined|Absent)|\[\w+\]/;
const MOST = 160;

// What stands on the page before the rows.
const TABLE = "| written | TypeScript 7 says |\n|---|---|\n";

/** What is wrong with the message of a mistake; nothing, if it is good. */
function faultsOf({ code, names }: Mistake, said: readonly Said[]): readonly string[] {
  const [error, ...others] = said;
  if (error === undefined) return ["there is no error"];
  const lines = error.message.split("\n");
  const [first = ""] = lines;
  const column = before.length + code.indexOf("«") + 1;
  // The sentence of a method that may not be called yet stands in the second line.
  const read = first === "This expression is not callable." ? lines.slice(0, 2).join("\n") : first;
  const faults = [
    others.length > 0 && `there are ${others.length + 1} errors`,
    error.column !== column && `it stands in column ${error.column}, not ${column}`,
    read.length > MOST && `it has ${read.length} characters`,
    INTERNAL.test(read) && "it names an internal type",
    ...names.map((name) => !read.includes(name) && `it does not say ${name}`),
  ];
  return faults.filter((fault) => fault !== false);
}

const said = new Map<Version, readonly (readonly Said[])[]>();
beforeAll(async () => {
  await Promise.all(
    versions.map(async (version) => {
      const errors = await errorsOf(version, program);
      expect(errors.filter(({ line }) => line < firstLine)).toEqual([]);
      said.set(
        version,
        mistakes.map((_, i) => errors.filter(({ line }) => line === firstLine + i)),
      );
    }),
  );
}, 120_000);

describe.each(versions)("TypeScript %s says", (version) => {
  const faults = (at: number) => faultsOf(mistakes[at] as Mistake, said.get(version)?.[at] ?? []);
  const good = mistakes.flatMap(({ what, open }, at) => (open === undefined ? [[what, at] as const] : []));

  test.each(good)("what is wrong: %s", (_, at) => {
    expect(faults(at)).toEqual([]);
  });
});

test("what is open is not cured unnoticed", () => {
  const cured = mistakes.filter(
    (mistake, at) =>
      mistake.open !== undefined &&
      versions.every((version) => faultsOf(mistake, said.get(version)?.[at] ?? []).length === 0),
  );
  expect(cured.map(({ what }) => what)).toEqual([]);
});

test("there are forty mistakes at least, each once", () => {
  expect(new Set(mistakes.map(({ code }) => code)).size).toBe(mistakes.length);
  expect(mistakes.length).toBeGreaterThanOrEqual(40);
});

test("the guide shows what the newest says", () => {
  const file = new URL("../../../docs/guide/types.md", import.meta.url);
  const page = readFileSync(file, "utf8");
  const start = page.indexOf(TABLE) + TABLE.length;
  const end = page.indexOf("\n\n", start);
  const newest = versions.at(-1) as Version;
  const cell = (text: string) => `\`${text.replaceAll("|", "\\|")}\``;
  const rows = mistakes.flatMap(({ code, open }, at) => {
    const [error] = said.get(newest)?.[at] ?? [];
    // Of what is not called yet the second line has the sentence.
    const [first = "", second = ""] = error?.message.split("\n") ?? [];
    const shown = first === "This expression is not callable." ? `${first} ${second.trim()}` : first;
    return open === undefined ? [`| ${cell(code.replace("«", ""))} | ${cell(shown)} |`] : [];
  });
  const table = rows.join("\n");
  if (process.env["ROWTYPE_WRITE_DOCS"] === "1")
    writeFileSync(file, page.slice(0, start) + table + page.slice(end));
  else expect(page.slice(start, end)).toBe(table);
});
