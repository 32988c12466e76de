/**
 * Measures a completion after an edit in a joined query beside one over a single table: a language service of
 * TypeScript 5.9 over 100 related tables and 200 queries, as in an editor.
 */
import { join } from "node:path";
import ts from "typescript59";
import { eight, imports, mixOf, tablesOf } from "./relation-type-cost.mjs";
import { compilerOptions } from "./type-cost.mjs";

const ROUNDS = 21;
const folder = join(import.meta.dirname, "..", ".generated", "completion");

const starts = {
  one: (t) => [`db.T${t}.query().where("|", "=", "n")`, `name${t}`],
  joined: (t) => [`db.T${t}.query().join("next").where("|", "=", "n")`, `next.name${(t + 1) % 100}`],
};

/** The median CPU time of a completion in a joined query, ÷ that over one table. */
export function joinedCompletion() {
  const { options } = ts.convertCompilerOptionsFromJson(compilerOptions, folder);
  const files = new Map(
    Object.entries({ ...tablesOf(), ...mixOf(eight) }).map(([name, text]) => [
      join(folder, name),
      { text, version: 0 },
    ]),
  );
  const read = (name) => files.get(name)?.text ?? ts.sys.readFile(name);
  const host = {
    getCompilationSettings: () => options,
    getScriptFileNames: () => [...files.keys()],
    getScriptVersion: (name) => String(files.get(name)?.version ?? 0),
    getScriptSnapshot: (name) => {
      const text = read(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => files.has(name) || ts.sys.fileExists(name),
    readFile: read,
    readDirectory: ts.sys.readDirectory,
    directoryExists: (name) => name === folder || ts.sys.directoryExists(name),
    getDirectories: ts.sys.getDirectories,
    realpath: ts.sys.realpath,
  };
  const service = ts.createLanguageService(host, ts.createDocumentRegistry());
  const samples = { one: [], joined: [] };
  for (let round = 0; round <= ROUNDS; round++)
    for (const [name, of] of Object.entries(starts)) {
      const [line, offered] = of((7 * round) % 100);
      const file = join(folder, `q${round}.ts`);
      const start = `${imports}export const w = `;
      files.set(file, { text: `${start}${line.replace("|", "")};\n`, version: files.get(file).version + 1 });
      const before = process.cpuUsage();
      const entries =
        service.getCompletionsAtPosition(file, start.length + line.indexOf("|"), undefined)?.entries ?? [];
      const { user, system } = process.cpuUsage(before);
      if (!entries.some((entry) => entry.name === offered)) throw new Error(`${line} offers no ${offered}`);
      // The first request reads every file.
      if (round > 0) samples[name].push(user + system);
    }
  const median = (times) => times.sort((a, b) => a - b)[ROUNDS >> 1];
  return median(samples.joined) / median(samples.one);
}
