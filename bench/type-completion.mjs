/**
 * Measures the cost of a completion after an edit: a language service of TypeScript 5.9 over the whole program,
 * as in an editor. Every library gets the same edit, in turns, and completes the columns of a table.
 */
import { join } from "node:path";
import ts from "typescript59";
import { compilerOptions } from "./type-cost.mjs";
import { sourcesOf, TABLES } from "./type-sources.mjs";

const ROUNDS = 7;

function openService(library) {
  const { tables, queries } = sourcesOf(library);
  const { options } = ts.convertCompilerOptionsFromJson(compilerOptions, library.folder);
  const files = new Map(
    Object.entries({ ...tables, ...queries }).map(([name, text]) => [
      join(library.folder, name),
      { text, version: 0 },
    ]),
  );
  const host = {
    getCompilationSettings: () => options,
    getScriptFileNames: () => [...files.keys()],
    getScriptVersion: (name) => String(files.get(name)?.version ?? 0),
    getScriptSnapshot: (name) => {
      const text = files.get(name)?.text ?? ts.sys.readFile(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => library.folder,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => files.has(name) || ts.sys.fileExists(name),
    readFile: (name) => files.get(name)?.text ?? ts.sys.readFile(name),
    readDirectory: ts.sys.readDirectory,
    directoryExists: (name) => name === library.folder || ts.sys.directoryExists(name),
    getDirectories: ts.sys.getDirectories,
    realpath: ts.sys.realpath,
  };
  const service = ts.createLanguageService(host, ts.createDocumentRegistry());
  let edits = 0;

  /** Adds a line to a file of queries and completes the columns there; returns CPU microseconds. */
  return () => {
    const t = (7 * ++edits) % TABLES;
    const name = join(library.folder, `q${t}.ts`);
    const file = files.get(name);
    const [before, after] = library.completion(t).split("|");
    const position = file.text.length + before.length;
    files.set(name, { text: `${file.text}${before}${after};\n`, version: file.version + 1 });
    const start = process.cpuUsage();
    const entries = service.getCompletionsAtPosition(name, position, undefined)?.entries ?? [];
    const { user, system } = process.cpuUsage(start);
    if (!entries.some((entry) => entry.name.includes(`teamId${t}`)))
      throw new Error(`${library.name} offers no columns at ${before}|${after}`);
    return user + system;
  };
}

/** The median CPU microseconds of a completion by library. */
export function completionCost(measured) {
  const open = measured.map((library) => ({ library, complete: openService(library), samples: [] }));
  // The first request reads every file.
  for (const { complete } of open) complete();
  for (let round = 0; round < ROUNDS; round++)
    for (const { complete, samples } of open) samples.push(complete());
  return new Map(
    open.map(({ library, samples }) => [library, samples.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]]),
  );
}
