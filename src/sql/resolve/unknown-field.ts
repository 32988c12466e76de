/** The message for a name that is no field where relations lead to other tables: what to write, and what to join. */
import { listed, quoted } from "../../core/errors.js";
import type { AnyTable } from "../declare/declaration.js";
import type { Layout } from "./resolved.js";

/** The tables of a scope, and those that relations may lead to. */
interface Tables {
  readonly own: Layout;
  readonly joined: ReadonlyMap<string, { readonly name: string; readonly layout: Layout }>;
  readonly tables: ReadonlyMap<string, AnyTable> | undefined;
}

/** The message; undefined where nothing but the own table is in sight. */
export function unknownAmong(name: unknown, scope: Tables): string | undefined {
  if (typeof name !== "string") return undefined;
  const hint = hintOf(name, scope);
  const { own, joined } = scope;
  if (joined.size === 0 && hint === undefined) return undefined;
  const dot = name.indexOf(".");
  const table = dot < 0 ? own.table : joined.get(name.slice(0, dot))?.layout.table;
  const what = `unknown field ${quoted(name)}`;
  const fields =
    table === undefined ? "" : `; fields of ${quoted(table.name)}: ${listed(Object.keys(table.columns))}`;
  const tables = `; tables: ${listed([own.table.name, ...joined.keys()])}`;
  return `${what}${hint === undefined ? "" : `: ${hint}`}${hint === undefined ? fields : ""}${tables}`;
}

function hintOf(name: string, { own, joined, tables }: Tables): string | undefined {
  const dot = name.indexOf(".");
  if (dot < 0) {
    for (const { name: part, layout } of joined.values())
      if (layout.fields.has(name)) return `write ${quoted(`${part}.${name}`)}`;
    for (const [relation, target] of relatedTo(own.table, tables))
      if (Object.hasOwn(target.columns, name))
        return `join(${quoted(relation)}) first, and write ${quoted(`${relation}.${name}`)}`;
    return undefined;
  }
  const [part, field] = [name.slice(0, dot), name.slice(dot + 1)];
  if (joined.has(part)) return undefined;
  const bases: readonly (readonly [string, AnyTable])[] = [
    ["", own.table],
    ...[...joined.values()].map(({ name: base, layout }) => [`${base}.`, layout.table] as const),
  ];
  for (const [base, table] of bases)
    for (const [relation, target] of relatedTo(table, tables))
      if (relation === part && (field === "*" || Object.hasOwn(target.columns, field)))
        return `join(${quoted(base + relation)}) first`;
  return undefined;
}

function relatedTo(
  table: AnyTable,
  tables: Tables["tables"],
): readonly (readonly [relation: string, target: AnyTable])[] {
  if (tables === undefined) return [];
  return Object.entries(table.relations ?? {}).flatMap(([relation, { to }]) => {
    const one = tables.get(to);
    return one === undefined ? [] : [[relation, one] as const];
  });
}
