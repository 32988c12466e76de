/**
 * Measures the cost of a completion and of the errors after an edit: a language service of TypeScript 5.9 over the
 * whole program, as in an editor. Every library gets the same edits, in turns: it completes the columns of a table, and
 * reports a column that there is not.
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

  /** Adds a line to a file of queries, where the given text stands for the column. */
  const edit = (column) => {
    const t = (7 * ++edits) % TABLES;
    const name = join(library.folder, `q${t}.ts`);
    const file = files.get(name);
    const [before, after] = library.completion(t).split("|");
    const text = `${file.text}${before}${column}${after};\n`;
    files.set(name, { text, version: file.version + 1 });
    return { t, name, file, position: file.text.length + before.length, line: before + column + after };
  };
  const timed = (work) => {
    const start = process.cpuUsage();
    const result = work();
    const { user, system } = process.cpuUsage(start);
    return { result, time: user + system };
  };
  return {
    /** Returns CPU microseconds, as `errors` does. */
    completion() {
      const { t, name, position, line } = edit("");
      const { result, time } = timed(() => service.getCompletionsAtPosition(name, position, undefined));
      if (!result?.entries.some((entry) => entry.name.includes(`teamId${t}`)))
        throw new Error(`${library.name} offers no columns in ${line}`);
      return time;
    },
    /** NaN where the library reports nothing. */
    errors() {
      const { name, file } = edit("missing");
      const { result, time } = timed(() => service.getSemanticDiagnostics(name));
      const isReported = result.some(({ start = 0 }) => start >= file.text.length);
      // The next edits of the file would report it again.
      files.set(name, { text: file.text, version: file.version + 2 });
      return isReported ? time : Number.NaN;
    },
  };
}

/** The median CPU microseconds of a `completion` or of the `errors` after an edit, by library. */
export function editCost(measured, kind) {
  const open = measured.map((library) => ({ library, service: openService(library), samples: [] }));
  // The first request reads every file.
  for (const { service } of open) service[kind]();
  for (let round = 0; round < ROUNDS; round++)
    for (const { service, samples } of open) samples.push(service[kind]());
  return new Map(
    open.map(({ library, samples }) => [library, samples.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]]),
  );
}
