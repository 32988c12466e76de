/** All faults, and the text of a file with one of them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ofBuilders } from "./builders.js";
import { ofExpressions } from "./expressions.js";
import type { Fault, Faults } from "./fault.js";
import { ofHttp } from "./http.js";
import { ofTables } from "./tables.js";

export const root: string = fileURLToPath(new URL("../../", import.meta.url));

/** A fault and the file of `src` that it is in. */
export interface Planted extends Fault {
  readonly file: string;
}

/** Every fault. */
export const faults: readonly Planted[] = [ofTables, ofBuilders, ofExpressions, ofHttp].flatMap(
  (list: Faults) => Object.entries(list).flatMap(([file, own]) => own.map((fault) => ({ ...fault, file }))),
);

/** The text of a file with its fault. @throws where what the fault replaces does not stand there exactly once */
export function faulty({ file, text, put, breaks }: Planted): string {
  const source = readFileSync(join(root, "src", file), "utf8");
  const [before, after, ...more] = source.split(text);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(
      `src/${file} has the text of a fault ${after === undefined ? "not at all" : "several times"}, once is needed (${breaks}):\n${text}`,
    );
  return before + put + after;
}
