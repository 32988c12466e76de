/** A file that `pull` wrote, run as it is: what it declares, and its tables as what they were made of, for edits. */

import type { AnyDeclared, AnyTable } from "rowtype";
import * as rowtype from "rowtype";
import type { Catalog } from "rowtype/migrate";
import { recording } from "rowtype/testing";
import ts from "typescript";
import type { z } from "zod";
import * as zod from "zod";

/** A table of a file, as it was given to `table`. */
export interface Parts {
  readonly name: string;
  readonly shape: Readonly<Record<string, z.ZodType>>;
  readonly options: Readonly<Record<string, unknown>>;
}

/** A column of a file, as it was given to `column`. */
export interface ColumnParts {
  readonly schema: z.ZodType;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** A file that was run. */
export interface PulledFile {
  /** What it exports now, in its order. */
  declared(): AnyDeclared[];
  /** What it exports now under a constant. */
  get(constant: string): AnyDeclared | undefined;
  /** What each table was made of, by its constant. */
  readonly parts: ReadonlyMap<string, Parts>;
  columnParts(schema: z.ZodType): ColumnParts;
  /** Makes a column that `columnParts` knows. */
  column(parts: ColumnParts): z.ZodType;
  /** Makes one of its tables anew, or another one; references to it lead to the new one. */
  replace(constant: string, parts: Parts): AnyTable;
}

/** What a file declares, compiled and run. The file may name the globals. */
export function declared(source: string, globals: Readonly<Record<string, unknown>> = {}): AnyDeclared[] {
  const exports = exportsOf(source, rowtype, globals);
  // The relations of a file fit its tables.
  recording("postgres").repositories(exports);
  return declaredIn(exports);
}

/** What is compared of a catalog: not the names of constraints. */
export function said({ tables, views, enums }: Catalog): unknown {
  const text = (list: readonly object[]) => list.map((one) => JSON.stringify({ ...one, name: null })).sort();
  const said = tables.map(({ keys, foreignKeys, checks, primaryKey, ...rest }) => ({
    ...rest,
    primaryKey: primaryKey?.columns,
    keys: text(keys),
    foreignKeys: text(foreignKeys),
    checks: text(checks),
  }));
  return [said, views, enums];
}

function declaredIn(exports: Readonly<Record<string, AnyDeclared>>): AnyDeclared[] {
  return Object.values(exports).filter((one) => typeof one === "object");
}

function exportsOf(
  source: string,
  rowtype: object,
  globals: Readonly<Record<string, unknown>> = {},
): Record<string, AnyDeclared> {
  const { outputText, diagnostics } = ts.transpileModule(source, {
    compilerOptions: { module: ts.ModuleKind.CommonJS },
    reportDiagnostics: true,
  });
  if (diagnostics?.length !== 0) throw new Error(JSON.stringify(diagnostics?.map((one) => one.messageText)));
  const exports: Record<string, AnyDeclared> = {};
  const modules: Readonly<Record<string, object>> = { rowtype, zod };
  const run = new Function("exports", "require", ...Object.keys(globals), outputText);
  run(exports, (name: string) => modules[name], ...Object.values(globals));
  return exports;
}

/** Compiles and runs a file. */
export function runPulled(source: string): PulledFile {
  const tables = new Map<unknown, Parts>();
  const columns = new Map<z.ZodType, ColumnParts>();
  const parts = new Map<string, Parts>();
  const table = (name: string, object: z.ZodObject, options: Parts["options"] = {}) => {
    const made = rowtype.table(name, object, options as object);
    // A file declares with Zod 4 alone.
    tables.set(made, { name, shape: object.shape as Parts["shape"], options });
    return made;
  };
  const column = ({ schema, meta }: ColumnParts): z.ZodType => {
    // What a file says was checked by its types.
    const made = rowtype.column(schema, meta as object) as z.ZodType;
    columns.set(made, { schema, meta });
    return made;
  };
  const exports = exportsOf(source, {
    ...rowtype,
    table,
    column: (schema: z.ZodType, meta: object) => column({ schema, meta: { ...meta } }),
  });
  for (const [constant, one] of Object.entries(exports)) {
    const of = tables.get(one);
    if (of !== undefined) parts.set(constant, of);
  }
  return {
    parts,
    column,
    declared: () => declaredIn(exports),
    get: (constant) => exports[constant],
    columnParts: (schema) => columns.get(schema) ?? { schema, meta: {} },
    replace: (constant, next) => {
      const made: AnyTable = rowtype.table(next.name, zod.z.object(next.shape), next.options as object);
      exports[constant] = made;
      parts.set(constant, next);
      return made;
    },
  };
}
