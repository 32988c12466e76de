/** An editor session: a file in the repository's folder, seen through the language service as editors use it. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

// What several editors of a test file read, they parse once.
const documents = ts.createDocumentRegistry();
const snapshots = new Map<string, ts.IScriptSnapshot | undefined>();

let opened = 0;

function snapshotOf(name: string): ts.IScriptSnapshot | undefined {
  if (!snapshots.has(name)) {
    const text = ts.sys.readFile(name);
    snapshots.set(name, text === undefined ? undefined : ts.ScriptSnapshot.fromString(text));
  }
  return snapshots.get(name);
}

/** What an editor shows for a text; `/*|*​/` marks the place of the cursor. */
export interface Editor {
  /** Names offered at the cursor. */
  completions(text: string): string[];
  /** The text of the hover on the last identifier before the cursor. */
  hover(text: string): string;
  /** What the hover says of it: its documentation. */
  documentation(text: string): string;
  /** The errors of the whole text. */
  errors(text: string): string[];
}

/** Opens an editor session on files that begin with `prelude`. */
export function openEditor(prelude: string): Editor {
  // Their own texts must not be taken for one another's.
  const file = join(root, "type-tests", `editor-session-${++opened}.ts`);
  let version = 0;
  let content = prelude;
  const options: ts.CompilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    target: ts.ScriptTarget.ES2023,
    lib: ["lib.es2023.d.ts"],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: ["node"],
    skipLibCheck: true,
    noEmit: true,
  };
  const host: ts.LanguageServiceHost = {
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: (name) => (name === file ? String(version) : "1"),
    getScriptSnapshot: (name) => (name === file ? ts.ScriptSnapshot.fromString(content) : snapshotOf(name)),
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  };
  const service = ts.createLanguageService(host, documents);

  const show = (text: string): number => {
    const cursor = text.indexOf("/*|*/");
    content = `${prelude}\n${text.replace("/*|*/", "")}`;
    version++;
    return prelude.length + 1 + cursor;
  };

  const quickInfo = (text: string) => service.getQuickInfoAtPosition(file, show(text) - 1);

  return {
    completions(text) {
      const found = service.getCompletionsAtPosition(file, show(text), {});
      return found?.entries.map((entry) => entry.name) ?? [];
    },
    hover(text) {
      return ts.displayPartsToString(quickInfo(text)?.displayParts);
    },
    documentation(text) {
      return ts.displayPartsToString(quickInfo(text)?.documentation);
    },
    errors(text) {
      show(text);
      const found = [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)];
      return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
    },
  };
}
