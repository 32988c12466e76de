/** Reads which file imports what, and holds it against a table of what each floor may import. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import ts from "typescript";

/** Files by path from `src`, with what each imports: other files by the same path, packages by name. */
export type Graph = ReadonlyMap<string, readonly Import[]>;

export interface Import {
  readonly target: string;
  readonly isPackage: boolean;
  readonly typeOnly: boolean;
}

/** What the files of a folder may import: folders of `src`, and packages. */
export interface Floor {
  /** A folder, or a door beside the folders. */
  readonly below: string;
  readonly mayImport: readonly string[];
  /** Folders of which only types may be imported. */
  readonly typesFrom?: readonly string[];
  readonly packages?: readonly string[];
  /** Packages of which only types may be imported. */
  readonly typesOf?: readonly string[];
}

/** The paths of the TypeScript files below a folder. */
export function sourceFiles(source: string): string[] {
  return readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
}

/** Reads the imports and re-exports of every file below a folder. */
export function readGraph(source: string): Graph {
  return new Map(sourceFiles(source).map((name) => [normalize(name), importsOf(join(source, name), source)]));
}

/** Every import that the table does not allow, as a sentence each. The most specific floor of a file counts. */
export function violations(graph: Graph, floors: readonly Floor[]): string[] {
  return [...graph].flatMap(([file, imports]) => {
    const floor = floorOf(file, floors);
    if (floor === undefined) return [`${file} stands on no floor`];
    return imports
      .filter((one) => !allows(floor, file, one, floors))
      .map(
        ({ target, typeOnly }) =>
          `${file} imports ${target}${typeOnly ? " (types)" : ""}, which ${floor.below} may not`,
      );
  });
}

/** The cycles of imports, types included; each as the files in order. */
export function cycles(graph: Graph): string[][] {
  const found: string[][] = [];
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]): void => {
    const at = trail.indexOf(file);
    if (at >= 0) found.push([...trail.slice(at), file]);
    if (at >= 0 || done.has(file)) return;
    for (const { target, isPackage } of graph.get(file) ?? [])
      if (!isPackage) visit(target, [...trail, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return found;
}

function allows(
  floor: Floor,
  file: string,
  { target, isPackage, typeOnly }: Import,
  floors: readonly Floor[],
): boolean {
  if (isPackage) {
    if (target.startsWith("node:") || floor.packages?.includes(target)) return true;
    return typeOnly && floor.typesOf?.includes(target) === true;
  }
  const isOf = (folders: readonly string[] = []) =>
    folders.some((folder) => target === folder || floorOf(target, floors)?.below === folder);
  return (
    floorOf(target, floors) === floorOf(file, floors) ||
    isOf(floor.mayImport) ||
    (typeOnly && isOf(floor.typesFrom))
  );
}

/** The cycles of folders by imports of values; each as the folders in order. */
export function folderCycles(graph: Graph): string[][] {
  const folders = new Map<string, { target: string; isPackage: false; typeOnly: false }[]>();
  for (const [file, imports] of graph)
    for (const { target, isPackage, typeOnly } of imports) {
      const [from, to] = [dirname(file), dirname(target)];
      if (isPackage || typeOnly || from === to) continue;
      folders.set(from, [...(folders.get(from) ?? []), { target: to, isPackage: false, typeOnly: false }]);
    }
  return cycles(folders);
}

function floorOf(file: string, floors: readonly Floor[]): Floor | undefined {
  return floors
    .filter(({ below }) => file === below || file.startsWith(`${below}/`))
    .sort((a, b) => b.below.length - a.below.length)[0];
}

function importsOf(path: string, source: string): Import[] {
  const { statements } = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest);
  return statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const specifier = statement.moduleSpecifier;
    if (specifier === undefined || !ts.isStringLiteral(specifier)) return [];
    const isPackage = !specifier.text.startsWith(".");
    const target = isPackage
      ? specifier.text
      : relative(source, join(dirname(path), specifier.text)).replace(/\.js$/, ".ts");
    return [{ target, isPackage, typeOnly: isTypeOnly(statement) }];
  });
}

function isTypeOnly(statement: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(statement)) return statement.isTypeOnly;
  return statement.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
}
