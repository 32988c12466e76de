/**
 * Plants faults in types and asks the type tests. A fault changes the declarations of one file; these are made anew from
 * its text alone, as `isolatedDeclarations` allows, and stand in the place of those in `dist`. The compiler keeps what it
 * has read of all other files, and the type tests are asked until one complains, first those that saw faults of the same
 * file: about a second for each fault.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { exactTypeTests } from "../../scripts/exact-type-tests.mjs";
import { faulty, type Planted, root } from "./faults.js";

/** What the type tests say of a fault. */
export interface Verdict {
  /** The first complaint of the type tests; none if they do not see it. */
  readonly seen: string | undefined;
  /** Why it is no fault: nothing changes, or the declarations are an error without any test. */
  readonly broken: string | undefined;
}

/** The type tests, and a compiler that remembers. */
export class Judge {
  readonly #options: ts.CompilerOptions;
  readonly #host: ts.CompilerHost;
  /** Texts that stand in the place of those on the disk: the exact type tests, and what is planted. */
  readonly #texts = new Map<string, string>();
  readonly #read = new Map<string, ts.SourceFile | undefined>();
  readonly #tests: readonly string[];
  readonly #program: ts.Program;
  /** How many faults each of the type tests has seen, by the file that they were in. */
  readonly #sights = new Map<string, Map<string, number>>();

  constructor() {
    const { config } = ts.readConfigFile(join(root, "tsconfig.typetests.json"), ts.sys.readFile);
    this.#options = ts.convertCompilerOptionsFromJson(config.compilerOptions, root).options;
    for (const [file, text] of exactTypeTests(root)) this.#texts.set(join(root, "type-tests", file), text);
    const files = [...this.#texts.keys()];
    const disk = ts.createCompilerHost(this.#options);
    this.#host = {
      ...disk,
      fileExists: (path) => this.#texts.has(path) || disk.fileExists(path),
      readFile: (path) => this.#texts.get(path) ?? disk.readFile(path),
      getSourceFile: (path, options) => {
        if (!this.#read.has(path)) this.#read.set(path, this.#parse(path, options));
        return this.#read.get(path);
      },
    };
    this.#tests = files.filter((path) => path.endsWith(".test-d.ts"));
    this.#program = ts.createProgram(files, this.#options, this.#host);
  }

  /** What the type tests say of the sources as they are. */
  untouched(): string | undefined {
    return complaint(this.#program, this.#tests);
  }

  /** What they say of a fault. */
  judge(fault: Planted): Verdict {
    const source = readFileSync(join(root, "src", fault.file), "utf8");
    const planted = declarations(fault.file, faulty(fault));
    if (planted === declarations(fault.file, source))
      return { seen: undefined, broken: "the declarations stay as they are" };
    const path = join(root, "dist", fault.file.replace(/\.ts$/, ".d.ts"));
    const before = this.#read.get(path);
    this.#texts.set(path, planted);
    this.#read.delete(path);
    try {
      const program = ts.createProgram(
        this.#program.getRootFileNames(),
        this.#options,
        this.#host,
        this.#program,
      );
      const broken = complaint(program, [path]);
      const seen = broken === undefined ? this.#seen(program, fault.file) : undefined;
      return { seen, broken };
    } finally {
      this.#texts.delete(path);
      this.#read.set(path, before);
    }
  }

  #seen(program: ts.Program, file: string): string | undefined {
    const sights = this.#sights.get(file) ?? new Map<string, number>();
    this.#sights.set(file, sights);
    const seenBy = (path: string) => sights.get(path) ?? 0;
    for (const path of [...this.#tests].sort((a, b) => seenBy(b) - seenBy(a))) {
      const said = complaint(program, [path]);
      if (said === undefined) continue;
      sights.set(path, seenBy(path) + 1);
      return said;
    }
    return undefined;
  }

  #parse(path: string, options: ts.ScriptTarget | ts.CreateSourceFileOptions): ts.SourceFile | undefined {
    const text = this.#host.readFile(path);
    return text === undefined ? undefined : ts.createSourceFile(path, text, options);
  }
}

/** The first error in some files of a program. */
function complaint(program: ts.Program, paths: readonly string[]): string | undefined {
  for (const path of paths) {
    const file = program.getSourceFile(path);
    const [first] = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    if (first === undefined) continue;
    const text = ts.flattenDiagnosticMessageText(first.messageText, " ");
    const line = first.file?.getLineAndCharacterOfPosition(first.start ?? 0).line ?? 0;
    return `${path.slice(root.length)}:${line + 1} ${text.slice(0, 300)}`;
  }
  return undefined;
}

function declarations(file: string, text: string): string {
  return ts.transpileDeclaration(text, {
    fileName: file,
    compilerOptions: {
      declaration: true,
      isolatedDeclarations: true,
      strict: true,
      exactOptionalPropertyTypes: true,
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.NodeNext,
    },
  }).outputText;
}
