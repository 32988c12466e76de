/**
 * The indexes of tables and their names. A server silently skips `CREATE INDEX IF NOT EXISTS` if another index
 * has the name, so equal names are detected here, before anything is sent.
 */
import { createHash } from "node:crypto";
import { quoted } from "../../core/errors.js";
import type { AnyTable, ColumnInfo } from "../declare/declaration.js";
import { generatedIndexName } from "../declare/index-name.js";
import type { Grammar } from "../dialect/grammar.js";
import { qualifiedName } from "../dialect/names.js";
import { DeclarationError } from "../words/errors.js";

/** The owner of an index name: a column with an index, or the table, for the index of a key. */
interface Owner {
  readonly table: string;
  readonly column: string | undefined;
  readonly words: string;
}

/** The index names that a database has used. */
export class IndexNames {
  readonly #owners = new Map<string, Owner>();

  /**
   * Registers the names of a table's indexes.
   * @throws {DeclarationError} if another owner has a name.
   */
  take(table: AnyTable, grammar: Grammar): void {
    const called = quoted(table.name);
    const own = qualifiedName(table, grammar);
    for (const { name, column } of grammar.ddl.namesTaken(table))
      this.#give(name, { table: own, column, words: `table ${called} and its keys` }, table, grammar);
    for (const { name, column } of indexesOf(table, grammar)) {
      const words = `column ${quoted(column.property)} of table ${called}`;
      this.#give(name, { table: own, column: column.name, words }, table, grammar);
    }
  }

  /** Removes the names of a dropped table. */
  release(table: AnyTable, grammar: Grammar): void {
    const own = qualifiedName(table, grammar);
    for (const [name, owner] of this.#owners) if (owner.table === own) this.#owners.delete(name);
  }

  #give(name: string, owner: Owner, table: AnyTable, { foldsNames, ddl }: Grammar): void {
    const scope = ddl.indexNamesOf === "table" ? owner.table : (table.namespace ?? "");
    const key = `${scope}\0${foldsNames ? name.toLowerCase() : name}`;
    const before = this.#owners.get(key);
    if (before !== undefined && (before.table !== owner.table || before.column !== owner.column))
      throw new DeclarationError(
        `the name ${quoted(name)} is used by ${before.words} and by ${owner.words}: give each index its own name`,
      );
    this.#owners.set(key, owner);
  }
}

/** The statements that create the indexes of a table. */
export function createIndexes(table: AnyTable, grammar: Grammar): string[] {
  const { quote } = grammar;
  const { index: inSchema, indexed } = grammar.ddl.qualifies;
  const schema = table.namespace === undefined || !inSchema ? "" : `${quote(table.namespace)}.`;
  const on = indexed ? qualifiedName(table, grammar) : quote(table.name);
  return indexesOf(table, grammar).map(({ name, column }) => {
    if (Buffer.byteLength(name) > grammar.maxNameBytes)
      throw new DeclarationError(
        `the index name ${quoted(name)} has more than ${grammar.maxNameBytes} bytes`,
      );
    if (!grammar.quotesInNames && name.includes('"'))
      throw new DeclarationError(`the index name ${quoted(name)} has a double quote`);
    return `CREATE INDEX ${schema}${quote(name)} ON ${on} (${quote(column.name)})`;
  });
}

function indexesOf(
  table: AnyTable,
  grammar: Grammar,
): readonly { readonly name: string; readonly column: ColumnInfo }[] {
  return Object.values(table.columns).flatMap((column) => {
    const { index = false, property } = column;
    if (index === false) return [];
    // A key has its own index, and some servers refuse a second one on the same columns.
    if (table.keys.some((key) => key.length === 1 && key[0] === property)) return [];
    return [{ name: index === true ? indexName(table, column, grammar) : index, column }];
  });
}

// If the name is too long, a hash of the whole name replaces its end.
function indexName(table: AnyTable, column: ColumnInfo, { maxNameBytes }: Grammar): string {
  const name = generatedIndexName(table.name, column.name);
  if (Buffer.byteLength(name) <= maxNameBytes) return name;
  const end = `_${createHash("sha256").update(name).digest("hex").slice(0, 8)}_idx`;
  let begin = "";
  for (const character of name) {
    if (Buffer.byteLength(begin + character + end) > maxNameBytes) break;
    begin += character;
  }
  return begin + end;
}
