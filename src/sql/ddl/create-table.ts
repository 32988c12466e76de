/** The text of CREATE TABLE: columns, then the constraints, each with its name. */
import { quoted } from "../../core/errors.js";
import type { AnyReadable, AnyTable, ColumnInfo } from "../declare/declaration.js";
import { saysCollation } from "../dialect/grammar/collation.js";
import { constraintsOf, type KeyConstraint, type TableConstraints } from "../dialect/grammar/constraints.js";
import { indexingOf, textFor } from "../dialect/grammar/declared.js";
import type { Grammar } from "../dialect/grammar/grammar.js";
import { qualifiedName } from "../dialect/grammar/names.js";
import { columnType } from "../dialect/grammar/value-codec.js";
import { DeclarationError, UnsupportedError } from "../words/errors.js";
import { writtenReference } from "./references.js";

/**
 * The statement that creates a table.
 * @param ahead the names of references that are added later, because their targets do not exist yet.
 */
export function createTable(table: AnyTable, grammar: Grammar, ahead: ReadonlySet<string>): string {
  const { quote, ddl } = grammar;
  const constraints = constraintsOf(table, grammar);
  const { primaryKey, keys, references, checks } = constraints;
  const columns = Object.values(table.columns);
  const keyLine = ({ name, columns: of }: KeyConstraint, words: "PRIMARY KEY" | "UNIQUE") =>
    `CONSTRAINT ${quote(name)} ${words} (${of.map(quote).join(", ")})`;
  const identity = columns.some(
    (column) => column.generated !== false && table.primaryKey.includes(column.property),
  );
  const isInColumn = identity && ddl.identityIsKey && table.primaryKey.length === 1;
  const lines = [
    ...columns.map(
      (column) => `${quote(column.name)} ${columnDefinition(table, column, constraints, grammar)}`,
    ),
    ...(primaryKey === undefined || isInColumn ? [] : [keyLine(primaryKey, "PRIMARY KEY")]),
    ...keys.map((key) => keyLine(key, "UNIQUE")),
    ...checks.map(({ name, condition }) => `CONSTRAINT ${quote(name)} CHECK (${condition})`),
    ...references
      .filter(({ name }) => !ahead.has(name))
      .map((reference) => writtenReference(table, reference, grammar)),
  ];
  const inside =
    ddl.comments === "in the table" && table.comment !== undefined
      ? ` COMMENT ${comment(table.comment)}`
      : "";
  return `CREATE TABLE ${qualifiedName(table, grammar)} (\n  ${lines.join(",\n  ")}\n)${inside}`;
}

/** The statements that comment on a table and its columns, if CREATE TABLE does not contain the comments. */
export function createComments(table: AnyReadable, grammar: Grammar): string[] {
  const { quote, ddl } = grammar;
  if (ddl.comments !== "statements") return [];
  const name = qualifiedName(table, grammar);
  const what = table.view === undefined ? "TABLE" : ddl.commentedView;
  const ofTable =
    table.comment === undefined ? [] : [`COMMENT ON ${what} ${name} IS ${ddl.text(table.comment)}`];
  const ofColumns = Object.values(table.columns).flatMap((column) =>
    column.comment === undefined
      ? []
      : [`COMMENT ON COLUMN ${name}.${quote(column.name)} IS ${ddl.text(column.comment)}`],
  );
  return [...ofTable, ...ofColumns];
}

// MariaDB takes only a plain literal here. In it a backslash escapes by default.
function comment(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}

function columnDefinition(
  table: AnyTable,
  column: ColumnInfo,
  { primaryKey }: TableConstraints,
  grammar: Grammar,
): string {
  const { dialect, ddl, quote } = grammar;
  const { storage } = column;
  // A declared type that cannot hold the values of the schema is replaced.
  const declared = textFor(column.type, dialect);
  const kept = storage.decimal === true ? ddl.decimal : undefined;
  const given = column.generated !== false && ddl.identityIsKey ? undefined : (kept ?? declared);
  const type = given ?? columnType(storage, indexingOf(table, column, dialect), grammar);
  const parts = [saysCollation(column.constraints ?? "") ? type : ddl.byCodePoint(type, storage)];
  if (column.generated !== false) {
    const isKey = table.primaryKey.length === 1 && table.primaryKey[0] === column.property;
    if (ddl.identityIsKey && !isKey)
      throw new DeclarationError(
        `generated column ${quoted(column.property)} must be the primary key on ${dialect}`,
      );
    if (ddl.identityIsKey && primaryKey !== undefined) parts.push(`CONSTRAINT ${quote(primaryKey.name)}`);
    parts.push(ddl.identity(column.generated === true));
  }
  const computed = computedBy(table, column, grammar);
  if (computed !== undefined) parts.push(computed);
  // The default comes before the constraints, because some servers do not accept it after them.
  const expression = textFor(column.default, dialect);
  if (expression !== undefined) parts.push(`DEFAULT ${ddl.defaultExpression(expression, storage)}`);
  if (!column.nullable && (computed === undefined || ddl.computedNotNull)) parts.push("NOT NULL");
  if (ddl.comments === "in the table" && column.comment !== undefined)
    parts.push(`COMMENT ${comment(column.comment)}`);
  if (column.constraints !== undefined) parts.push(column.constraints);
  return parts.join(" ");
}

function computedBy(table: AnyTable, column: ColumnInfo, { dialect, ddl }: Grammar): string | undefined {
  if (column.computed === undefined) return undefined;
  const expression = textFor(column.computed, dialect);
  if (expression === undefined)
    throw new DeclarationError(`column ${quoted(column.property)} has no "computed" for ${dialect}`);
  const names = Object.values(table.columns).map(({ name }) => name);
  const clause = ddl.computed(ddl.checkExpression(expression, names), column.stored);
  if (clause === undefined)
    throw new UnsupportedError(dialect, "computed columns that are stored", "leave stored out");
  return clause;
}
