/** The statements that create and drop tables, from the declarations. */

import { listed, quoted } from "../../core/errors.js";
import type { AnyDeclared, AnyTable } from "../declare/declaration.js";
import { isEnumType } from "../declare/enum-type.js";
import type { Grammar } from "../dialect/grammar/grammar.js";
import { checkSupported, qualifiedName } from "../dialect/grammar/names.js";
import { grammars } from "../dialect/grammars.js";
import type { Dialect } from "../words/dialect.js";
import { DeclarationError } from "../words/errors.js";
import { createComments, createTable } from "./create-table.js";
import { checkDeclared, createEnum, createView, sorted, viewsInOrder } from "./declared.js";
import { IndexNames } from "./index-names.js";
import { createIndexes } from "./indexes.js";
import { inOrder, writtenReference } from "./references.js";

/**
 * Returns the statements that create a table with its checks and keys, and then its comments and indexes, for example
 * for a migration; or a view, or an enum type. They fail if it exists; `createTables` of a database does not. An
 * external table has none, nor has an enum type if the dialect has no such types.
 * @throws {DeclarationError | UnsupportedError} if the dialect cannot create the table.
 * @example
 * import { ddl } from "rowtype";
 * for (const statement of ddl(User, "postgres")) console.log(`${statement};`);
 */
export function ddl(table: AnyDeclared, dialect: Dialect): string[] {
  const grammar = grammars.get(dialect);
  if (grammar === undefined)
    throw new DeclarationError(`unknown dialect ${quoted(dialect)}; dialects: ${listed(grammars.keys())}`);
  checkDeclared(table, "ddl");
  if (isEnumType(table)) return createEnum(table, grammar);
  if (table.external) return [];
  if (table.view !== undefined) return [createView(table, grammar), ...createComments(table, grammar)];
  new IndexNames().take(table, grammar);
  const { create, more, indexes } = statementsOf(table, grammar, NONE);
  return [create, ...more, ...indexes];
}

/**
 * The statements that create missing enum types, tables in the order of their references, and views.
 * @param names the names that earlier calls on the database have used.
 */
export function createTableStatements(
  declared: readonly AnyDeclared[],
  grammar: Grammar,
  names: IndexNames,
): string[] {
  const { enums, tables, views } = sorted(declared, "createTables");
  const { unlessExists, refersAhead } = grammar.ddl;
  const ordered = inOrder(tables, grammar);
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
  return [
    ...enums.flatMap((type) => createEnum(type, grammar)).map((create) => unlessExists(create)),
    ...created,
    ...added,
    ...viewsInOrder(views, grammar).map((view) =>
      unlessExists(createView(view, grammar), ...createComments(view, grammar)),
    ),
  ];
}

/** How tables are dropped. */
interface Drops {
  readonly statements: readonly string[];
  /** Whether the tables refer to each other, and only a transaction can drop them all. */
  readonly together: boolean;
}

/** The statements that drop existing views, tables in the reverse order of their references, and enum types. */
export function dropTableStatements(
  declared: readonly AnyDeclared[],
  grammar: Grammar,
  names: IndexNames,
): Drops {
  const { enums, tables, views } = sorted(declared, "dropTables");
  const { ifExists, dropReference, enums: hasEnums } = grammar.ddl;
  const drop = (kind: "TABLE" | "VIEW" | "TYPE", all: readonly Pick<AnyTable, "name" | "namespace">[]) =>
    [...all].reverse().map((one) => ifExists(`DROP ${kind} ${qualifiedName(one, grammar)}`));
  const { tables: ordered, ahead } = inOrder(tables, grammar);
  for (const table of ordered) names.release(table, grammar);
  const freed =
    dropReference === undefined
      ? []
      : ahead.map(({ table, reference }) =>
          dropReference(qualifiedName(table, grammar), grammar.quote(reference.name)),
        );
  const dropped = [...freed, ...drop("TABLE", ordered), ...drop("TYPE", hasEnums ? enums : [])];
  return {
    statements: [...drop("VIEW", viewsInOrder(views, grammar)), ...dropped],
    together: dropReference === undefined && ahead.length > 0,
  };
}

const NONE: ReadonlySet<string> = new Set();

interface Statements {
  readonly create: string;
  /** The statements that comment on the table and its columns. */
  readonly more: readonly string[];
  readonly indexes: readonly string[];
}

function statementsOf(table: AnyTable, grammar: Grammar, ahead: ReadonlySet<string>): Statements {
  checkSupported(table, grammar);
  return {
    create: createTable(table, grammar, ahead),
    more: createComments(table, grammar),
    indexes: createIndexes(table, grammar),
  };
}
