/**
 * Diagrams of tables as text: DBML and Mermaid. They are independent of a dialect, so types are those of the
 * values.
 */

import type { AnyDeclared, AnyTable, ColumnInfo, IndexInfo } from "../declare/declaration.js";
import { columnName } from "../dialect/grammar/declared.js";
import { typeNameOf } from "../kind/kinds.js";
import { drawnTables, linksOf } from "./links.js";

/**
 * Returns the tables as DBML (https://dbml.dbdiagram.io/docs), with their references and relations. References and
 * relations to other tables are left out, because DBML does not allow them.
 * @param tables tables, or a module of them: relations name its exports. Among tables, a relation leads to the table of
 * that name.
 * @example
 * import { toDbml } from "rowtype";
 * console.log(toDbml(User, Team));
 */
export function toDbml(...tables: readonly AnyDeclared[]): string;
export function toDbml(module: object): string;
export function toDbml(...given: readonly object[]): string {
  const drawn = drawnTables(given, "toDbml");
  const { tables, enums } = drawn;
  const types = enums.map(
    (type) =>
      `Enum ${tableName(type, dbmlName)} {\n${type.values.map((value) => `  ${dbmlName(value)}`).join("\n")}\n}`,
  );
  const blocks = tables.map((table) => {
    const columns = Object.values(table.columns).map((column) => `  ${dbmlColumn(table, column)}`);
    const keys = table.keys
      .filter((key) => key.length > 1)
      .map(
        (key) =>
          `    (${key.map((one) => dbmlName(columnName(table, one))).join(", ")}) [${key === table.primaryKey || same(key, table.primaryKey) ? "pk" : "unique"}]`,
      );
    const indexes = Object.values(table.columns)
      .filter(({ index }) => index !== undefined && index !== false)
      .map(
        ({ name, index }) =>
          `    ${dbmlName(name)}${typeof index === "string" ? ` [name: ${dbmlText(index)}]` : ""}`,
      );
    const inner = [...keys, ...indexes, ...table.indexes.flatMap((index) => dbmlIndex(table, index))];
    const block = inner.length === 0 ? [] : ["", "  indexes {", ...inner, "  }"];
    const note = table.comment === undefined ? [] : ["", `  Note: ${dbmlText(table.comment)}`];
    return [`Table ${tableName(table, dbmlName)} {`, ...columns, ...block, ...note, "}"].join("\n");
  });
  const shown = new Set(tables.map((table) => tableName(table, dbmlName)));
  const ends = (columns: readonly string[]) =>
    columns.length === 1 ? columns.map(dbmlName).join("") : `(${columns.map(dbmlName).join(", ")})`;
  const references = linksOf(drawn).flatMap((link) => {
    const { table, columns, target, targetColumns, isOne } = link;
    const to = tableName(target, dbmlName);
    if (!shown.has(to)) return [];
    const end = `${tableName(table, dbmlName)}.${ends(columns.map(({ name }) => name))}`;
    const actions = [
      ...(link.onDelete === undefined ? [] : [`delete: ${link.onDelete}`]),
      ...(link.onUpdate === undefined ? [] : [`update: ${link.onUpdate}`]),
    ];
    const settings = actions.length === 0 ? "" : ` [${actions.join(", ")}]`;
    return [`Ref: ${end} ${isOne ? "-" : ">"} ${to}.${ends(targetColumns)}${settings}`];
  });
  return `${[...types, ...blocks, ...references].join("\n\n")}\n`;
}

/**
 * Returns the tables as a Mermaid entity relationship diagram
 * (https://mermaid.js.org/syntax/entityRelationshipDiagram.html), with their references and relations. Characters that
 * a Mermaid name cannot have become `_`.
 * @param tables as `toDbml` takes them.
 * @example
 * import { toMermaid } from "rowtype";
 * console.log(toMermaid(User, Team));
 */
export function toMermaid(...tables: readonly AnyDeclared[]): string;
export function toMermaid(module: object): string;
export function toMermaid(...given: readonly object[]): string {
  const drawn = drawnTables(given, "toMermaid");
  const { tables } = drawn;
  const lines = ["erDiagram"];
  for (const table of tables) {
    lines.push(`  ${mermaidName(table.name)} {`);
    for (const column of Object.values(table.columns)) {
      const marks = [
        ...(table.primaryKey.includes(column.property) ? ["PK"] : []),
        ...(isReference(table, column) ? ["FK"] : []),
        ...(column.unique ? ["UK"] : []),
      ];
      const type = typeNameOf(column.storage).replace("[]", "_list");
      const notes = [...(column.nullable ? ["nullable"] : []), ...mermaidText(column.comment)];
      const note = notes.length === 0 ? "" : ` "${notes.join(", ")}"`;
      lines.push(
        `    ${mermaidName(type)} ${mermaidName(column.name)}${marks.length > 0 ? ` ${marks.join(", ")}` : ""}${note}`,
      );
    }
    lines.push("  }");
  }
  for (const { table, columns, target, isOne, relations } of linksOf(drawn)) {
    // One target has zero or more rows; the other side has one row, or zero or one if a column is nullable.
    const ends = `${columns.some(({ nullable }) => nullable) ? "|o" : "||"}--o${isOne ? "|" : "{"}`;
    const label =
      relations.length === 0
        ? mermaidName(columns.map(({ name }) => name).join("_"))
        : `"${relations.join(", ")}"`;
    lines.push(`  ${mermaidName(target.name)} ${ends} ${mermaidName(table.name)} : ${label}`);
  }
  return `${lines.join("\n")}\n`;
}

function dbmlColumn(table: AnyTable, column: ColumnInfo): string {
  const isKey = table.primaryKey.length === 1 && table.primaryKey[0] === column.property;
  const settings = [
    ...(isKey ? ["pk"] : []),
    ...(column.generated === false ? [] : ["increment"]),
    ...(column.unique ? ["unique"] : []),
    column.nullable ? "null" : "not null",
    ...(typeof column.default === "string" ? [`default: \`${inBackticks(column.default)}\``] : []),
    ...(column.comment === undefined ? [] : [`note: ${dbmlText(column.comment)}`]),
  ];
  const given = typeof column.type === "string" ? column.type : typeNameOf(column.storage);
  const type = /^[A-Za-z_]\w*(\(\d+(,\d+)*\))?(\[\])?$/.test(given) ? given : dbmlName(given);
  return `${dbmlName(column.name)} ${type} [${settings.join(", ")}]`;
}

// An index whose expression is written for some dialects only is left out.
function dbmlIndex(table: AnyTable, { name, columns, expression, unique }: IndexInfo): string[] {
  if (typeof expression === "object") return [];
  const of =
    expression === undefined
      ? columns.map(({ property }) => dbmlName(columnName(table, property))).join(", ")
      : `\`${inBackticks(expression)}\``;
  const settings = [
    ...(unique ? ["unique"] : []),
    ...(name === undefined ? [] : [`name: ${dbmlText(name)}`]),
  ];
  return [`    (${of})${settings.length === 0 ? "" : ` [${settings.join(", ")}]`}`];
}

function inBackticks(text: string): string {
  return text.replace(/[`\n\r]/g, (char) => (char === "`" ? "'" : " "));
}

function isReference(table: AnyTable, { property, references }: ColumnInfo): boolean {
  return references !== undefined || table.foreignKeys.some(({ columns }) => columns.includes(property));
}

// A text of Mermaid ends at the next quote, whatever precedes it.
function mermaidText(text: string | undefined): string[] {
  return text === undefined ? [] : [text.replace(/["\n\r]/g, (char) => (char === '"' ? "'" : " "))];
}

function tableName(
  { name, namespace }: Pick<AnyTable, "name" | "namespace">,
  quote: (name: string) => string,
): string {
  return namespace === undefined ? quote(name) : `${quote(namespace)}.${quote(name)}`;
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((one, i) => one === b[i]);
}

// In DBML a backslash in a name or text escapes as in JavaScript; neither may contain a line break.
const escapes: ReadonlyMap<string, string> = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
]);

function escaped(text: string): string {
  return text.replace(/[\\"'\n\r]/g, (char) => escapes.get(char) ?? `\\${char}`);
}

function dbmlName(name: string): string {
  return `"${escaped(name)}"`;
}

function dbmlText(text: string): string {
  return `'${escaped(text)}'`;
}

function mermaidName(name: string): string {
  const plain = name.replace(/\W/gu, "_");
  return /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`;
}
