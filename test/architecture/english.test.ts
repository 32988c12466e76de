/** The texts of errors and steps are plain English: phrases that were mended do not come back. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { sourceFiles } from "./imports.js";

const source = fileURLToPath(new URL("../../src", import.meta.url));

/** Phrases that need a second reading, with what to write. */
const phrases: readonly (readonly [RegExp, string])[] = [
  [/\b(?:is|are) declared and not there\b/, "is declared but does not exist"],
  [/\bnot declared so\b/, "is no longer declared"],
  [/\b(?:query|comment|default|type|name) is another\b/, "… changed"],
  [/\bto its end\b/, "did not finish"],
  [/\bbeside writers\b/, "while others write"],
  [/\bof one value fail\b/, "with the same value fail"],
  [/\bthat (?:is|are) not empty\b/, "a non-empty …"],
  [/\b(?:digits?|them) behind the point\b/, "after the point"],
  [/\b(?:are|get|need)\b.*\bfrom here on\b/, "from now on"],
  [/\bvalues anew\b/, "values again"],
  [/\bbehind (?:its words|the others)\b/, "after …"],
  [/ beside /, "with, together with, in addition to"],
  [/ behind [^`"]*\b/, "after, at"],
  [/ (?:anew|apart)\b/, "again, by itself"],
  [/ otherwise["`]$/, "… changed"],
  [/, for (?:it|they) (?:is|are)\b/, "because …, or a sentence of its own"],
  [/\bis of (?:a window|groups)\b/, "is a window function, needs groups"],
];

/** The string literals and templates of a file, without comments. */
function textsOf(code: string): string[] {
  const parts = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
  return [...code.matchAll(parts)].map(([part]) => part).filter((part) => !part.startsWith("/"));
}

const foundIn = (file: string, code: string) =>
  textsOf(code).flatMap((text) =>
    phrases
      .filter(([phrase]) => phrase.test(text))
      .map(([, better]) => `${file}: ${text.slice(0, 80)}: write ${better}`),
  );

test("no text of src has a phrase of the list", () => {
  const files = sourceFiles(source);
  const found = files.flatMap((name) => foundIn(name, readFileSync(join(source, name), "utf8")));
  expect(found).toEqual([]);
});

test("the gate finds a phrase in a text, and leaves comments alone", () => {
  const code = 'why("its query is another"); // its query is another\nconst ok = `the query changed`;';
  expect(foundIn("a.ts", code)).toEqual(['a.ts: "its query is another": write … changed']);
});
