/** A file that `pull` wrote, run as it is: what it declares, and its tables as what they were made of, for edits. */

import type { AnyDeclared, AnyTable } from "rowtype";
import * as rowtype from "rowtype";
import ts from "typescript";
import type { z } from "zod";
import * as zod from "zod";

/** A table of a file, as it was given to `table`. */
export interface Parts {
  readonly name: string;
  readonly shape: Readonly<Record<string, z.ZodType>>;
  readonly options: Readonly<Record<string, unknown>>;
}

/** A file that was run. */
export interface PulledFile {
  /** What it exports now, in its order. */
  declared(): AnyDeclared[];
  /** What each table was made of, by its constant. */
  readonly parts: ReadonlyMap<string, Parts>;
  /** Makes one of its tables anew; references to it lead to the new one. */
  replace(constant: string, parts: Parts): AnyTable;
  /** Takes back what the last `replace` did. */
  restore(constant: string, parts: Parts, made: AnyDeclared): void;
}

/** Compiles and runs a file. */
export function runPulled(source: string): PulledFile {
  const { outputText } = ts.transpileModule(source, { compilerOptions: { module: ts.ModuleKind.CommonJS } });
  const exports: Record<string, AnyDeclared> = {};
  const made = new Map<unknown, Parts>();
  const parts = new Map<string, Parts>();
  const make = (name: string, object: z.ZodObject, options: Parts["options"] = {}) => {
    // As a file does it whose types are known.
    const table = rowtype.table(name, object, options as object);
    made.set(table, { name, shape: object.shape as Parts["shape"], options });
    return table;
  };
  const modules: Readonly<Record<string, object>> = { rowtype: { ...rowtype, table: make }, zod };
  new Function("exports", "require", outputText)(exports, (name: string) => modules[name]);
  for (const [constant, one] of Object.entries(exports)) {
    const of = made.get(one);
    if (of !== undefined) parts.set(constant, of);
  }
  return {
    parts,
    declared: () => Object.values(exports).filter((one) => typeof one === "object"),
    replace: (constant, next) => {
      const table: AnyTable = rowtype.table(next.name, zod.z.object(next.shape), next.options as object);
      exports[constant] = table;
      parts.set(constant, next);
      return table;
    },
    restore: (constant, former, table) => {
      exports[constant] = table;
      parts.set(constant, former);
    },
  };
}
