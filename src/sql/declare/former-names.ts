/**
 * Former names, of columns and of tables by one rule. The names in a database show whether a rename was done, so
 * former names for which they could never show it are refused in the declaration.
 */
import { quoted } from "../../core/errors.js";
import { DeclarationError } from "../words/errors.js";
import type { ColumnInfo } from "./declaration.js";

/** A column or a table with its former names, newest first. */
export interface Renamed {
  readonly name: string;
  readonly renamedFrom: readonly string[];
}

/** The words for a list of them in errors. */
export interface Naming<T extends Renamed> {
  readonly what: "column" | "table";
  /** One of them in an error: `column "a" of table "t"`. */
  readonly about: (one: T) => string;
  /** Names as a dialect distinguishes them; a declaration distinguishes the exact spelling. */
  readonly nameOf: (name: string) => string;
}

/** The columns of a table. */
export function columnNaming(table: string, nameOf: (name: string) => string = asIs): Naming<ColumnInfo> {
  const about = ({ property }: ColumnInfo) => `column ${quoted(property)} of table ${quoted(table)}`;
  return { what: "column", about, nameOf };
}

/** Tables of one SQL schema. */
export function tableNaming(nameOf: (name: string) => string): Naming<Renamed> {
  return { what: "table", about: ({ name }) => `table ${quoted(name)}`, nameOf };
}

/**
 * A former name is followed if nothing has it now, or if its holder is itself renamed: a to b, b to c.
 * @throws {DeclarationError} for a former name of two, for one that is the new name of another, and for a circle.
 */
export function checkFormerNames<T extends Renamed>(
  list: readonly T[],
  { what, about, nameOf }: Naming<T>,
): void {
  const byName = new Map(list.map((one) => [nameOf(one.name), one]));
  const takers = new Map<string, T>();
  for (const one of list)
    for (const former of one.renamedFrom) {
      const where = `${about(one)} was renamed from ${quoted(former)}, which`;
      const owner = byName.get(nameOf(former));
      if (former === one.name) throw new DeclarationError(`${where} is its own name`);
      // Where case does not count, another spelling is the same name.
      if (owner === one) continue;
      if (takers.has(nameOf(former))) throw new DeclarationError(`${where} another was too`);
      takers.set(nameOf(former), one);
      if (owner !== undefined && owner.renamedFrom.length === 0)
        throw new DeclarationError(
          `${where} is a ${what} now: do it in two migrations; first rename, then take renamedFrom out and declare the new ${what}`,
        );
    }
  for (const one of list) {
    let at = takers.get(nameOf(one.name));
    for (let i = 0; i < list.length && at !== undefined && at !== one; i++) at = takers.get(nameOf(at.name));
    if (at === one)
      throw new DeclarationError(
        `${about(one)} is renamed in a circle, and no database tells whether names were exchanged: do it in two migrations, the first to a name that nothing has`,
      );
  }
}

function asIs(name: string): string {
  return name;
}
