/**
 * Measures the cost of a completion and of the errors after an edit: a language service over the whole program, as in an
 * editor. Every library gets the same edits, in turns: it completes the columns of a table, and reports a column that
 * there is not. What the compiler counts for them is the same on every machine; CPU times compare within one run only.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import { compilerOptions } from "./type-cost.mjs";
import { libraries, sourcesOf, TABLES } from "./type-sources.mjs";

const ROUNDS = 7;

const require = createRequire(import.meta.url);

function openService(library, compiler = "typescript59") {
  const ts = require(compiler);
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

  // Every request has a checker of its own: what has been counted is what was asked of it.
  const countsOf = () => {
    const program = service.getProgram();
    return {
      instantiations: program.getInstantiationCount(),
      types: program.getTypeCount(),
      symbols: program.getSymbolCount(),
    };
  };
  const counted = (request) => {
    const before = countsOf();
    request();
    const after = countsOf();
    return Object.fromEntries(Object.entries(after).map(([name, count]) => [name, count - before[name]]));
  };

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
  const completed = ({ t, name, position, line }) => {
    const found = service.getCompletionsAtPosition(name, position, undefined);
    if (!found?.entries.some((entry) => entry.name.includes(`teamId${t}`)))
      throw new Error(`${library.name} offers no columns in ${line}`);
  };
  const isReported = ({ name, file }) =>
    service.getSemanticDiagnostics(name).some(({ start = 0 }) => start >= file.text.length);
  // The next edits of the file would report it again.
  const undo = ({ name, file }) => files.set(name, { text: file.text, version: file.version + 2 });
  return {
    /** Returns CPU microseconds, as `errors` does. */
    completion() {
      const edited = edit("");
      return timed(() => completed(edited)).time;
    },
    /** NaN where the library reports nothing. */
    errors() {
      const edited = edit("missing");
      const { result, time } = timed(() => isReported(edited));
      undo(edited);
      return result ? time : Number.NaN;
    },
    /** What one completion and the errors of one file cost, each asked of a checker that was asked nothing before. */
    counts() {
      const toComplete = edit("");
      const completion = counted(() => completed(toComplete));
      undo(toComplete);
      const misspelt = edit("missing");
      const errors = counted(() => {
        if (!isReported(misspelt)) throw new Error(`${library.name} reports no missing column`);
      });
      undo(misspelt);
      return { completion, errors };
    },
  };
}

/** What a compiler counts in an editor: see `type-completion.d.mts`. */
export function editorCounts(name, compiler) {
  return openService(
    libraries.find((library) => library.name === name),
    compiler,
  ).counts();
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
