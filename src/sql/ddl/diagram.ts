/** Diagrams of tables as text: DBML and Mermaid. They know no dialect, so types are those of the values. */

import type { AnyTable, ColumnInfo, Storage } from "../declare/declaration.js";
import { readReference } from "../declare/reference.js";
import { checkTables } from "../declare/table.js";

/**
 * The tables as DBML (https://dbml.dbdiagram.io/docs). A reference to a table that is not among them is left out:
 * DBML takes none.
 * @example
 * import { toDbml } from "rowtype";
 * console.log(toDbml(User, Team));
 */
export function toDbml(...tables: readonly AnyTable[]): string {
  checkTables(tables, "toDbml");
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
    const inner = [...keys, ...indexes];
    const block = inner.length === 0 ? [] : ["", "  indexes {", ...inner, "  }"];
    return [`Table ${tableName(table, dbmlName)} {`, ...columns, ...block, "}"].join("\n");
  });
  const shown = new Set(tables.map((table) => tableName(table, dbmlName)));
  const references = tables.flatMap((table) =>
    referencesOf(table).flatMap(({ column, target, targetColumn }) => {
      const to = tableName(target, dbmlName);
      if (!shown.has(to)) return [];
      return [
        `Ref: ${tableName(table, dbmlName)}.${dbmlName(column.name)} > ${to}.${dbmlName(targetColumn)}`,
      ];
    }),
  );
  return `${[...blocks, ...references].join("\n\n")}\n`;
}

/**
 * The tables as a Mermaid entity relationship diagram (https://mermaid.js.org/syntax/entityRelationshipDiagram.html).
 * What Mermaid's names cannot hold becomes `_`.
 * @example
 * import { toMermaid } from "rowtype";
 * console.log(toMermaid(User, Team));
 */
export function toMermaid(...tables: readonly AnyTable[]): string {
  checkTables(tables, "toMermaid");
  const lines = ["erDiagram"];
  for (const table of tables) {
    lines.push(`  ${mermaidName(table.name)} {`);
    for (const column of Object.values(table.columns)) {
      const marks = [
        ...(table.primaryKey.includes(column.property) ? ["PK"] : []),
        ...(column.references === undefined ? [] : ["FK"]),
        ...(column.unique ? ["UK"] : []),
      ];
      const type = typeName(column.storage).replace("[]", "_list");
      const note = column.nullable ? ' "nullable"' : "";
      lines.push(
        `    ${mermaidName(type)} ${mermaidName(column.name)}${marks.length > 0 ? ` ${marks.join(", ")}` : ""}${note}`,
      );
    }
    lines.push("  }");
  }
  for (const table of tables)
    for (const { column, target } of referencesOf(table)) {
      // One target has none or many; the other side has one, or none where the column may be null.
      const one = column.nullable ? "|o" : "||";
      lines.push(
        `  ${mermaidName(target.name)} ${one}--o{ ${mermaidName(table.name)} : ${mermaidName(column.name)}`,
      );
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
    ...(typeof column.default === "string"
      ? [`default: \`${column.default.replace(/[`\n\r]/g, (char) => (char === "`" ? "'" : " "))}\``]
      : []),
  ];
  const given = typeof column.type === "string" ? column.type : typeName(column.storage);
  const type = /^[A-Za-z_]\w*(\(\d+(,\d+)*\))?(\[\])?$/.test(given) ? given : dbmlName(given);
  return `${dbmlName(column.name)} ${type} [${settings.join(", ")}]`;
}

interface ReferenceOf {
  readonly column: ColumnInfo;
  readonly target: Pick<AnyTable, "name" | "namespace">;
  readonly targetColumn: string;
}

function referencesOf(table: AnyTable): ReferenceOf[] {
  return Object.values(table.columns).flatMap((column): ReferenceOf[] => {
    const { references } = column;
    if (references === undefined) return [];
    if (typeof references === "string") {
      const said = readReference(references);
      return said === undefined ? [] : [{ column, target: said.target, targetColumn: said.column }];
    }
    const target = references();
    const [key] = target.primaryKey;
    return [{ column, target, targetColumn: key === undefined ? "id" : columnName(target, key) }];
  });
}

function typeName(storage: Storage): string {
  if (storage.kind === "array") return `${typeName(storage.item ?? { kind: "text" })}[]`;
  if (storage.kind === "vector") return `vector(${storage.dimensions})`;
  if (storage.kind === "number") return storage.integer === true ? "integer" : "number";
  return storage.kind === "date" ? "timestamp" : storage.kind;
}

function columnName(table: AnyTable, property: string): string {
  return table.columns[property]?.name ?? property;
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

// In names and in text of DBML a backslash escapes as it does in JavaScript; a line ends neither.
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
