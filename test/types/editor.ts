/** An editor session: a file in the repository's folder, seen through the language service as editors use it. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

// What several editors of a test file read, they parse once.
const documents = ts.createDocumentRegistry();
const snapshots = new Map<string, ts.IScriptSnapshot | undefined>();

const CURSOR = "/*|*/";
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
  /** Opens texts together, each in a block of its own: what is then asked of them is answered by one program. */
  open(texts: readonly string[]): void;
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

  const places = new Map<string, number>();
  let together = prelude;

  const change = (next: string) => {
    if (next === content) return;
    content = next;
    version++;
  };

  /** Shows a text and returns where it begins. */
  const show = (text: string): number => {
    const place = places.get(text);
    change(place === undefined ? `${prelude}\n${text.replace(CURSOR, "")}` : together);
    return place ?? prelude.length + 1;
  };

  const cursor = (text: string): number => show(text) + text.indexOf(CURSOR);
  const quickInfo = (text: string) => service.getQuickInfoAtPosition(file, cursor(text) - 1);

  return {
    open(texts) {
      for (const text of texts) {
        together += "\n{ ";
        places.set(text, together.length);
        together += `${text.replace(CURSOR, "")}\n}`;
      }
    },
    completions(text) {
      const found = service.getCompletionsAtPosition(file, cursor(text), {});
      return found?.entries.map((entry) => entry.name) ?? [];
    },
    hover(text) {
      return ts.displayPartsToString(quickInfo(text)?.displayParts);
    },
    documentation(text) {
      return ts.displayPartsToString(quickInfo(text)?.documentation);
    },
    errors(text) {
      const start = show(text);
      const isInside = (place = 0) => !places.has(text) || (place >= start && place <= start + text.length);
      return [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)]
        .filter((found) => isInside(found.start))
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
    },
  };
}
