/** The declarations of rowtype for a schema of the comparison. */
import { type AnyTable, column, type EnumType, enumType, table, view } from "rowtype";
import { z } from "zod";
import type { ColumnModel, Kit, Model } from "./model.js";

export function toRowtype({ enums, tables, views }: Model, kit: Kit): (AnyTable | EnumType)[] {
  const made = new Map<string, AnyTable>();
  const columnOf = (one: ColumnModel) => {
    const [word = "", size, places] = one.type.split(" ");
    const members = enums[word];
    const [first, ...others] = members ?? [];
    const plain =
      first !== undefined
        ? z.enum([first, ...others])
        : word === "int"
          ? z.int()
          : word === "bigint"
            ? z.bigint()
            : z.string();
    const type =
      members !== undefined
        ? {
            postgres: word,
            mariadb: `enum(${members.map((name) => `'${name}'`).join(",")})`,
            sqlite: "text",
          }[kit]
        : word === "varchar"
          ? kit === "sqlite"
            ? "text"
            : `varchar(${size})`
          : word === "numeric"
            ? kit === "sqlite"
              ? "numeric"
              : `${kit === "mariadb" ? "decimal" : "numeric"}(${size},${places})`
            : word === "int"
              ? "integer"
              : word;
    const said = typeof one.default === "object" ? one.default[kit] : one.default;
    const meta: object = {
      type,
      ...(said === undefined ? {} : { default: said }),
      ...(one.computed === undefined ? {} : { computed: one.computed, stored: one.stored ?? false }),
      ...(one.renamedFrom === undefined ? {} : { renamedFrom: one.renamedFrom }),
    };
    return column(one.nullable === true ? plain.nullable() : plain, meta);
  };
  const columnsOf = (columns: Readonly<Record<string, ColumnModel>>) =>
    z.object(Object.fromEntries(Object.entries(columns).map(([name, one]) => [name, columnOf(one)])));
  for (const [name, one] of Object.entries(tables))
    made.set(
      name,
      table(name, columnsOf(one.columns), {
        primaryKey: atLeastOne(one.primaryKey),
        unique: Object.values(one.keys).map(atLeastOne),
        checks: one.checks,
        indexes: Object.entries(one.indexes).map(([index, { columns = [], unique, where }]) => ({
          name: index,
          columns: atLeastOne(columns),
          ...(unique === undefined ? {} : { unique }),
          ...(where === undefined ? {} : { where }),
        })),
        foreignKeys: Object.entries(one.references).map(([key, { columns, table: target, onDelete }]) => ({
          name: key,
          columns: atLeastOne(columns),
          references: () => made.get(target) as AnyTable, // It stands before this one.
          target: ["id"],
          ...(onDelete === undefined ? {} : { onDelete }),
        })),
        ...(one.renamedFrom === undefined ? {} : { renamedFrom: one.renamedFrom }),
      }),
    );
  const seen = Object.entries(views).map(([name, { columns, as }]) => view(name, columnsOf(columns), { as }));
  const types =
    kit === "postgres" ? Object.entries(enums).map(([name, all]) => enumType(name, atLeastOne(all))) : [];
  return [...types, ...made.values(), ...seen] as (AnyTable | EnumType)[];
}

function atLeastOne(names: readonly string[]): [string, ...string[]] {
  const [first, ...others] = names;
  if (first === undefined) throw new Error("no column");
  return [first, ...others];
}
