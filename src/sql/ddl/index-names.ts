/**
 * The names that the tables of a database have used. A server silently skips `CREATE INDEX IF NOT EXISTS` if another
 * index has the name, so equal names are detected here, before anything is sent.
 */
import { quoted } from "../../core/errors.js";
import type { AnyTable } from "../declare/declaration.js";
import { constraintsOf } from "../dialect/grammar/constraints.js";
import type { NamedPart } from "../dialect/grammar/ddl-grammar.js";
import type { Grammar } from "../dialect/grammar/grammar.js";
import { comparedName, qualifiedName } from "../dialect/grammar/names.js";
import { DeclarationError } from "../words/errors.js";

/** The owner of a name. */
interface Owner {
  readonly table: string;
  readonly part: NamedPart;
  /** Distinguishes it from others of its table. */
  readonly of: string;
  readonly words: string;
}

/** The names of indexes and constraints that a database has used. */
export class IndexNames {
  readonly #owners = new Map<string, Owner>();

  /**
   * Registers the names of a table's constraints and indexes.
   * @throws {DeclarationError} if another owner has a name, or if the dialect has no such names.
   */
  take(table: AnyTable, grammar: Grammar): void {
    for (const { name, owner, isGiven } of partsOf(table, grammar)) {
      if (isGiven) checkGiven(name, grammar);
      grammar.ddl.nameSpaces.forEach(({ of, parts }, i) => {
        if (!parts.includes(owner.part)) return;
        const scope = of === "table" ? owner.table : (table.namespace ?? "");
        this.#give(name, owner, `${i}\0${scope}\0${comparedName(grammar)(name)}`);
      });
    }
  }

  /** Removes the names of a dropped table. */
  release(table: AnyTable, grammar: Grammar): void {
    const own = qualifiedName(table, grammar);
    for (const [name, owner] of this.#owners) if (owner.table === own) this.#owners.delete(name);
  }

  #give(name: string, owner: Owner, key: string): void {
    const before = this.#owners.get(key);
    const isOther =
      before !== undefined &&
      (before.table !== owner.table || before.part !== owner.part || before.of !== owner.of);
    if (isOther)
      throw new DeclarationError(
        `the name ${quoted(name)} is used by ${before.words} and by ${owner.words}: give each its own name`,
      );
    this.#owners.set(key, owner);
  }
}

interface NamedOwner {
  readonly name: string;
  readonly owner: Owner;
  readonly isGiven: boolean;
}

function partsOf(table: AnyTable, grammar: Grammar): NamedOwner[] {
  const { primaryKey, keys, references, checks, indexes } = constraintsOf(table, grammar);
  const own = qualifiedName(table, grammar);
  const called = quoted(table.name);
  const part = (kind: NamedPart, name: string, of: readonly string[], words: string, isGiven = false) => ({
    name,
    owner: { table: own, part: kind, of: of.join("\0"), words },
    isGiven,
  });
  const keyWords = `table ${called} and its keys`;
  return [
    part("table", table.name, [], keyWords),
    ...(primaryKey === undefined ? [] : [part("primary key", primaryKey.name, primaryKey.columns, keyWords)]),
    ...keys.map(({ name, columns }) => part("key", name, columns, keyWords)),
    ...references.map(({ name, columns, isGiven }) =>
      part("foreign key", name, columns, `a foreign key of table ${called}`, isGiven),
    ),
    ...checks.map(({ name, condition, isGiven }) =>
      part("check", name, [condition], `a check of table ${called}`, isGiven),
    ),
    ...indexes.map(({ name, columns, expression, isGiven }) => {
      const of = expression === undefined ? columns.map((one) => one.name) : [expression];
      return part("index", name, of, `an index of ${quoted(of.join(", "))} of table ${called}`, isGiven);
    }),
  ];
}

function checkGiven(name: string, { maxNameBytes, quotesInNames }: Grammar): void {
  if (Buffer.byteLength(name) > maxNameBytes)
    throw new DeclarationError(`the name ${quoted(name)} has more than ${maxNameBytes} bytes`);
  if (!quotesInNames && name.includes('"'))
    throw new DeclarationError(`the name ${quoted(name)} has a double quote`);
}
