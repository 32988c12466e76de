/** The statements that create and drop tables, from the declarations. */

import { listed, quoted } from "../../core/errors.js";
import type { AnyTable } from "../declare/declaration.js";
import { checkTable, checkTables } from "../declare/table.js";
import type { Grammar } from "../dialect/grammar.js";
import { grammars } from "../dialect/grammars.js";
import { qualifiedName, tableFault } from "../dialect/names.js";
import type { Dialect } from "../words/dialect.js";
import { DeclarationError, UnsupportedError } from "../words/errors.js";
import { createComments, createTable } from "./create-table.js";
import { IndexNames } from "./index-names.js";
import { createIndexes } from "./indexes.js";
import { inOrder, writtenReference } from "./references.js";

/**
 * Returns the statements that create a table with its checks and keys, and then its comments and indexes, for example
 * for a migration. They fail if the table exists; `createTables` of a database does not. Of an external table there
 * are none.
 * @throws {DeclarationError | UnsupportedError} if the dialect cannot create the table.
 * @example
 * import { ddl } from "rowtype";
 * for (const statement of ddl(User, "postgres")) console.log(`${statement};`);
 */
export function ddl(table: AnyTable, dialect: Dialect): string[] {
  const grammar = grammars.get(dialect);
  if (grammar === undefined)
    throw new DeclarationError(`unknown dialect ${quoted(dialect)}; dialects: ${listed(grammars.keys())}`);
  checkTable(table, "ddl");
  if (table.external) return [];
  new IndexNames().take(table, grammar);
  const { create, more, indexes } = statementsOf(table, grammar, NONE);
  return [create, ...more, ...indexes];
}

/**
 * The statements that create missing tables, in the order of their references.
 * @param names the names that earlier calls on the database have used.
 */
export function createTableStatements(
  tables: readonly AnyTable[],
  grammar: Grammar,
  names: IndexNames,
): string[] {
  checkTables(tables, "createTables");
  const { unlessExists, refersAhead } = grammar.ddl;
  const ordered = inOrder(ours(tables), grammar);
  for (const table of ordered.tables) names.take(table, grammar);
  const ahead = refersAhead ? [] : ordered.ahead;
  const created = ordered.tables.flatMap((table) => {
    const later = ahead.flatMap((one) => (one.table === table ? [one.reference.name] : []));
    const { create, more, indexes } = statementsOf(table, grammar, new Set(later));
    return [unlessExists(create, ...more), ...indexes.map((index) => unlessExists(index))];
  });
  const added = ahead.map(({ table, reference }) => {
    const constraint = writtenReference(table, reference, grammar);
    return unlessExists(`ALTER TABLE ${qualifiedName(table, grammar)} ADD ${constraint}`);
  });
  return [...created, ...added];
}

/** How tables are dropped. */
export interface Drops {
  readonly statements: readonly string[];
  /** Whether the tables refer to each other, and only a transaction can drop them all. */
  readonly together: boolean;
}

/** The statements that drop existing tables, in the reverse order of their references. */
export function dropTableStatements(tables: readonly AnyTable[], grammar: Grammar, names: IndexNames): Drops {
  checkTables(tables, "dropTables");
  const { ifExists, dropReference } = grammar.ddl;
  const { tables: ordered, ahead } = inOrder(ours(tables), grammar);
  for (const table of ordered) names.release(table, grammar);
  const freed =
    dropReference === undefined
      ? []
      : ahead.map(({ table, reference }) =>
          dropReference(qualifiedName(table, grammar), grammar.quote(reference.name)),
        );
  const dropped = [...ordered]
    .reverse()
    .map((table) => ifExists(`DROP TABLE ${qualifiedName(table, grammar)}`));
  return { statements: [...freed, ...dropped], together: dropReference === undefined && ahead.length > 0 };
}

const NONE: ReadonlySet<string> = new Set();

function ours(tables: readonly AnyTable[]): AnyTable[] {
  return tables.filter(({ external }) => !external);
}

interface Statements {
  readonly create: string;
  /** What is said of a table when it is created. */
  readonly more: readonly string[];
  readonly indexes: readonly string[];
}

function statementsOf(table: AnyTable, grammar: Grammar, ahead: ReadonlySet<string>): Statements {
  const fault = tableFault(table, grammar);
  if (fault !== undefined) throw new UnsupportedError(grammar.dialect, fault.feature, fault.hint);
  return {
    create: createTable(table, grammar, ahead),
    more: createComments(table, grammar),
    indexes: createIndexes(table, grammar),
  };
}
