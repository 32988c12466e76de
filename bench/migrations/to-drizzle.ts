/** The declarations of Drizzle for a schema of the comparison: the source of a module, as its command line reads it. */
import type { ColumnModel, Kit, Model, TableModel } from "./model.js";

const words = {
  postgres: ["pg", "pg-core"],
  mariadb: ["mysql", "mysql-core"],
  sqlite: ["sqlite", "sqlite-core"],
};

export function toDrizzle({ enums, tables, views }: Model, kit: Kit): string {
  const [prefix, core] = words[kit];
  const lines = [
    `const d = require("drizzle-orm/${core}");`,
    `const { sql } = require("drizzle-orm");`,
    "const types = {}, tables = {};",
  ];
  if (kit === "postgres")
    for (const [name, members] of Object.entries(enums))
      lines.push(`exports.${name} = types.${name} = d.pgEnum("${name}", ${JSON.stringify(members)});`);
  const columns = (all: Readonly<Record<string, ColumnModel>>, key: readonly string[]) =>
    Object.entries(all)
      .map(([name, one]) => `  ${name}: ${columnOf(name, one, key, enums, kit)},`)
      .join("\n");
  for (const [name, one] of Object.entries(tables)) {
    const key = one.primaryKey.length === 1 ? one.primaryKey : [];
    lines.push(
      `exports.${name} = tables.${name} = d.${prefix}Table("${name}", {\n${columns(one.columns, key)}\n}, (t) => [\n${extrasOf(one, kit)}\n]);`,
    );
  }
  for (const [name, one] of Object.entries(views))
    lines.push(
      `exports.${name} = d.${prefix}View("${name}", {\n${columns(one.columns, [])}\n}).as(sql\`${one.as}\`);`,
    );
  return `${lines.join("\n")}\n`;
}

function columnOf(
  name: string,
  one: ColumnModel,
  key: readonly string[],
  enums: Model["enums"],
  kit: Kit,
): string {
  const [word = "", size, places] = one.type.split(" ");
  const members = enums[word];
  const said = JSON.stringify(name);
  const isText = word === "text" || word === "varchar" || members !== undefined;
  const type =
    kit === "sqlite"
      ? isText
        ? `d.text(${said})`
        : word === "numeric"
          ? `d.numeric(${said})`
          : `d.integer(${said})`
      : members !== undefined
        ? kit === "postgres"
          ? `types.${word}(${said})`
          : `d.mysqlEnum(${said}, ${JSON.stringify(members)})`
        : word === "varchar"
          ? `d.varchar(${said}, { length: ${size} })`
          : word === "numeric"
            ? `d.${kit === "mariadb" ? "decimal" : "numeric"}(${said}, { precision: ${size}, scale: ${places} })`
            : word === "int"
              ? `d.${kit === "mariadb" ? "int" : "integer"}(${said})`
              : word === "bigint"
                ? `d.bigint(${said}, { mode: "number" })`
                : `d.text(${said})`;
  const value = typeof one.default === "object" ? one.default[kit] : one.default;
  const mode = kit === "postgres" ? "" : `, { mode: "${one.stored === true ? "stored" : "virtual"}" }`;
  return [
    type,
    key.includes(name) ? ".primaryKey()" : "",
    one.nullable === true || key.includes(name) ? "" : ".notNull()",
    value === undefined ? "" : /^\d+$/.test(value) ? `.default(${value})` : `.default(sql\`${value}\`)`,
    one.computed === undefined ? "" : `.generatedAlwaysAs(sql\`${one.computed}\`${mode})`,
  ].join("");
}

function extrasOf({ primaryKey, keys, checks, indexes, references }: TableModel, kit: Kit): string {
  const list = (names: readonly string[], of = "t") => names.map((name) => `${of}.${name}`).join(", ");
  const extras = [
    ...(primaryKey.length > 1 ? [`d.primaryKey({ columns: [${list(primaryKey)}] })`] : []),
    ...Object.entries(keys).map(([name, columns]) => `d.unique("${name}").on(${list(columns)})`),
    ...Object.entries(checks).map(([name, text]) => `d.check("${name}", sql\`${text}\`)`),
    ...Object.entries(indexes).map(
      ([name, { columns = [], unique, where }]) =>
        `d.${unique === true ? "uniqueIndex" : "index"}("${name}").on(${list(columns)})` +
        (where === undefined ? "" : `.where(sql\`${where}\`)`),
    ),
    ...Object.entries(references).map(
      ([name, { columns, table, onDelete }]) =>
        `d.foreignKey({ name: "${name}", columns: [${list(columns)}], foreignColumns: [tables.${table}.id] })` +
        (onDelete === undefined ? "" : `.onDelete("${onDelete}")`),
    ),
  ];
  // The databases that have an index over a part of the rows say so themselves.
  return extras.map((one) => `  ${kit === "mariadb" ? one.replace(/\.where\(.*\)$/, "") : one},`).join("\n");
}
