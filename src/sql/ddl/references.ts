/** The targets of foreign keys, the text of foreign keys, and an order of tables in which the targets come first. */
import { listed, quoted } from "../../core/errors.js";
import type { AnyTable } from "../declare/declaration.js";
import { readReference } from "../declare/reference.js";
import { checkTable } from "../declare/table.js";
import { constraintsOf, type ReferenceConstraint } from "../dialect/grammar/constraints.js";
import type { DdlGrammar } from "../dialect/grammar/ddl-grammar.js";
import { columnName } from "../dialect/grammar/declared.js";
import type { Grammar } from "../dialect/grammar/grammar.js";
import { qualifiedName } from "../dialect/grammar/names.js";
import { DeclarationError, UnsupportedError } from "../words/errors.js";

type TableName = Pick<AnyTable, "name" | "namespace">;

/** The target of a foreign key, by names in the database. */
interface ReferenceTarget {
  readonly table: TableName;
  readonly columns: readonly string[];
}

/**
 * The target of a foreign key.
 * @throws {DeclarationError} if the target does not exist.
 */
function targetOf(table: AnyTable, { columns, references, target }: ReferenceConstraint): ReferenceTarget {
  const where = `the foreign key (${columns.join(", ")}) of table ${quoted(table.name)}`;
  if (typeof references === "string") {
    const said = readReference(references);
    // `table` has checked the text.
    if (said === undefined) throw new DeclarationError(`${where} refers to nothing`);
    return { table: said.target, columns: [said.column] };
  }
  const other: unknown = references();
  checkTable(other, `references of ${where}`);
  const key = target ?? other.primaryKey;
  for (const property of key)
    if (other.columns[property] === undefined)
      throw new DeclarationError(
        `${where} refers to ${quoted(property)}, which table ${quoted(other.name)} does not have; fields: ${listed(Object.keys(other.columns))}`,
      );
  if (key.length !== columns.length)
    throw new DeclarationError(
      `${where} refers to table ${quoted(other.name)}, whose primary key has ${key.length} columns: name as many as it has itself, by target`,
    );
  return { table: other, columns: key.map((property) => columnName(other, property)) };
}

/**
 * The constraint, as CREATE TABLE and ADD contain it.
 * @throws {UnsupportedError} for an action that the dialect lacks.
 */
export function writtenReference(table: AnyTable, reference: ReferenceConstraint, grammar: Grammar): string {
  const { quote, ddl } = grammar;
  const target = targetOf(table, reference);
  const name = ddl.qualifies.referenced ? qualifiedName(target.table, grammar) : quote(target.table.name);
  const words = (columns: readonly string[]) => columns.map(quote).join(", ");
  return [
    `CONSTRAINT ${quote(reference.name)} FOREIGN KEY (${words(reference.columns)})`,
    `REFERENCES ${name} (${words(target.columns)})`,
    ...actionOf("onDelete", reference, grammar),
    ...actionOf("onUpdate", reference, grammar),
    ...deferralOf(reference, grammar),
  ].join(" ");
}

function actionOf(
  event: keyof Pick<DdlGrammar, "onDelete" | "onUpdate">,
  reference: ReferenceConstraint,
  { dialect, ddl }: Grammar,
): string[] {
  const action = reference[event];
  // This is the default.
  if (action === "no action") return [];
  const clause = `ON ${event === "onDelete" ? "DELETE" : "UPDATE"} ${action.toUpperCase()}`;
  if (ddl[event].has(action)) return [clause];
  const others = [...ddl[event], "no action"];
  throw new UnsupportedError(dialect, clause, `${event} may be: ${others.join(", ")}`);
}

function deferralOf({ deferrable }: ReferenceConstraint, { dialect, ddl }: Grammar): string[] {
  if (deferrable === undefined) return [];
  if (ddl.defers) return [`DEFERRABLE ${deferrable.toUpperCase()}`];
  throw new UnsupportedError(dialect, "deferrable references", "leave deferrable out");
}

/** Tables in the order in which they are created. */
interface OrderedTables {
  readonly tables: readonly AnyTable[];
  /** References to tables that come later: they are added when both tables exist. */
  readonly ahead: readonly { readonly table: AnyTable; readonly reference: ReferenceConstraint }[];
}

/** The tables in an order in which referenced tables come first, unless they refer to each other. */
export function inOrder(tables: readonly AnyTable[], grammar: Grammar): OrderedTables {
  const byName = new Map(tables.map((table) => [fullName(table), table]));
  const ordered = new Set<AnyTable>();
  const visiting = new Set<AnyTable>();
  const ahead: { table: AnyTable; reference: ReferenceConstraint }[] = [];
  const visit = (table: AnyTable): void => {
    if (ordered.has(table)) return;
    visiting.add(table);
    for (const reference of constraintsOf(table, grammar).references) {
      const target = byName.get(fullName(targetOf(table, reference).table));
      if (target === undefined || target === table) continue;
      if (visiting.has(target) && !ordered.has(target)) ahead.push({ table, reference });
      else visit(target);
    }
    ordered.add(table);
  };
  for (const table of tables) visit(table);
  return { tables: [...ordered], ahead };
}

function fullName({ name, namespace }: TableName): string {
  return JSON.stringify([namespace, name]);
}
