/**
 * The parts that a table loses although nobody has declared them: an index, a key, a reference or a check that no
 * declaration has changed, and that is on no dropped column. Somebody may have made it by hand, and is asked first.
 */
import type { TextDialect } from "../text/dialect.js";
import { mentions, type Renames } from "../text/expressions.js";
import type {
  CatalogCheck,
  CatalogColumn,
  CatalogForeignKey,
  CatalogIndex,
  CatalogKey,
  CatalogTable,
} from "../words/catalog.js";
import type { Risk } from "../words/step.js";

/** A part of a table that may be dropped. */
export type Part = CatalogKey | CatalogForeignKey | CatalogCheck | CatalogIndex;

/** The text of a step for a dropped part. */
export interface Going {
  readonly risks: readonly Risk[];
  /** After DROP …: another database may not have it. */
  readonly ifExists: string;
  readonly why: string;
}

/** A part that is dropped because its declaration differs, or that nobody has declared. */
export function goingOf(part: Part, { undeclared }: { readonly undeclared: ReadonlySet<Part> }): Going {
  return undeclared.has(part)
    ? {
        risks: ["undeclared"],
        ifExists: "IF EXISTS ",
        why: "it is not declared: declare it, or allow the step",
      }
    : { risks: [], ifExists: "", why: "it is no longer declared" };
}

/** The dropped and the added parts. */
interface Change<T> {
  readonly drop: readonly T[];
  readonly add: readonly T[];
}

/** A table and its declaration, as far as it decides what is declared. */
interface Compared {
  readonly actual: CatalogTable;
  readonly declared: { readonly catalog: CatalogTable };
  readonly renames: Renames;
  readonly dropped: readonly CatalogColumn[];
  readonly primaryKey: Change<CatalogKey>;
  readonly keys: Change<CatalogKey>;
  readonly foreignKeys: Change<CatalogForeignKey>;
  readonly checks: Change<CatalogCheck>;
  readonly indexes: Change<CatalogIndex>;
}

/**
 * The dropped parts that no declaration names.
 * @param nameOf names as the dialect distinguishes them.
 */
export function undeclaredParts(
  delta: Compared,
  dialect: TextDialect,
  nameOf: (name: string) => string,
): ReadonlySet<Part> {
  const { actual, declared, dropped, renames } = delta;
  const lost = new Set(dropped.map(({ name }) => name));
  const before = actual.columns.map(({ name }) => name);
  const now = declared.catalog.columns.map(({ name }) => name);
  // A key and a unique index make the same demand on rows.
  const groups: readonly (readonly Change<Part>[])[] = [
    [delta.primaryKey, delta.keys, delta.indexes],
    [delta.foreignKeys],
    [delta.checks],
  ];
  const undeclared = groups.flatMap((group) => {
    const going = group
      .flatMap(({ drop }) => drop)
      .map((part) => ({ part, columns: columnsOf(part, before, dialect) }))
      .filter(({ columns }) => !columns.some((name) => lost.has(name)))
      .map(({ part, columns }) => ({
        part,
        name: part.name === null ? null : nameOf(part.name),
        about: textOf(columns.map((name) => nameOf(renames.get(name) ?? name))),
      }));
    const coming = group
      .flatMap(({ add }) => add)
      .map((part) => ({
        name: part.name === null ? null : nameOf(part.name),
        about: textOf(columnsOf(part, now, dialect).map(nameOf)),
      }));
    // Each declaration changes one part: the one with its name, or else one on its columns.
    const take = (is: (one: (typeof coming)[number]) => boolean) => {
      const at = coming.findIndex(is);
      if (at >= 0) coming.splice(at, 1);
      return at >= 0;
    };
    return going
      .filter(({ name }) => name === null || !take((one) => one.name === name))
      .filter(({ about }) => !take((one) => one.about === about))
      .map(({ part }) => part);
  });
  return new Set(undeclared);
}

function textOf(columns: readonly string[]): string {
  return JSON.stringify([...columns].sort());
}

/** Those of the given columns that a part is on or names. */
function columnsOf(part: Part, names: readonly string[], dialect: TextDialect): readonly string[] {
  const own = "columns" in part ? part.columns : [];
  const said = own.map((column) => (typeof column === "string" ? column : column[0]));
  const texts = ["expression" in part ? part.expression : null, "where" in part ? part.where : null];
  return names.filter(
    (name) =>
      said.includes(name) || texts.some((text) => text !== null && mentions(text, new Set([name]), dialect)),
  );
}
