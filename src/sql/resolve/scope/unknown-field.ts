/** The message for a name that is not a field if there are relations: what to write, and which table to join. */
import { listed, quoted } from "../../../core/errors.js";
import type { AnyTable } from "../../declare/declaration.js";
import type { Layout } from "./resolved.js";
import { mayName, type Visible } from "./view.js";

/** The tables of a scope, and those that relations may lead to. */
interface Tables {
  readonly own: Layout;
  readonly joined: ReadonlyMap<string, { readonly name: string; readonly layout: Layout }>;
  readonly tables: ReadonlyMap<string, AnyTable> | undefined;
  readonly isOfClient: boolean;
  /** The names that may be used of the own table, or of a joined one. */
  visibleOf(joined: string | undefined): Visible;
}

/** The message; undefined if the own table is the only one in reach. */
export function unknownAmong(name: unknown, scope: Tables): string | undefined {
  if (typeof name !== "string") return undefined;
  const hint = hintOf(name, scope);
  const { own, joined } = scope;
  if (joined.size === 0 && hint === undefined) return undefined;
  const dot = name.indexOf(".");
  const part = dot < 0 ? undefined : name.slice(0, dot);
  const table = part === undefined ? own.table : joined.get(part)?.layout.table;
  const what = `unknown field ${quoted(name)}`;
  // A client's schema does not show the names of tables. A client knows a table by the name of its join.
  const { isOfClient } = scope;
  const whose = isOfClient ? (part === undefined ? "" : ` of ${quoted(part)}`) : ` of ${quoted(table?.name)}`;
  const fields =
    table === undefined
      ? ""
      : `; fields${whose}: ${listed(scope.visibleOf(part)?.fields ?? Object.keys(table.columns))}`;
  const tables = isOfClient ? joinsIn(joined) : `; tables: ${listed([own.table.name, ...joined.keys()])}`;
  return `${what}${hint === undefined ? "" : `: ${hint}`}${hint === undefined ? fields : ""}${tables}`;
}

function joinsIn(joined: Tables["joined"]): string {
  return joined.size === 0 ? "" : `; joins: ${listed(joined.keys())}`;
}

/** The steps that are necessary before a field of a relation can be named. */
function joinFirst(path: string, scope: Tables): string {
  return scope.isOfClient ? `add { "relation": ${quoted(path)} } to joins` : `join(${quoted(path)}) first`;
}

function hintOf(name: string, scope: Tables): string | undefined {
  const { joined } = scope;
  const dot = name.indexOf(".");
  const ofOwn = relatedTo(undefined, scope);
  if (dot < 0) {
    for (const { name: part, layout } of joined.values())
      if (layout.fields.has(name) && mayName(scope.visibleOf(part), name))
        return `write ${quoted(`${part}.${name}`)}`;
    for (const [relation, target, visible] of ofOwn)
      if (Object.hasOwn(target.columns, name) && mayName(visible, name))
        return `${joinFirst(relation, scope)}, and write ${quoted(`${relation}.${name}`)}`;
    return undefined;
  }
  const [part, field] = [name.slice(0, dot), name.slice(dot + 1)];
  if (joined.has(part)) return undefined;
  const ofJoined = [...joined.keys()].flatMap((base) =>
    relatedTo(base, scope).map(([relation, ...of]) => [`${base}.${relation}`, relation, ...of] as const),
  );
  const all = [...ofOwn.map(([relation, ...of]) => [relation, relation, ...of] as const), ...ofJoined];
  for (const [path, relation, target, visible] of all)
    if (
      relation === part &&
      (field === "*" || (Object.hasOwn(target.columns, field) && mayName(visible, field)))
    )
      return joinFirst(path, scope);
  return undefined;
}

type Related = readonly [relation: string, target: AnyTable, visible: Visible];

/** The targets of the relations of the own table, or of a joined one, as far as they may be named. */
function relatedTo(name: string | undefined, scope: Tables): readonly Related[] {
  const { own, joined, tables } = scope;
  const table = name === undefined ? own.table : joined.get(name)?.layout.table;
  if (tables === undefined || table === undefined) return [];
  const visible = scope.visibleOf(name);
  return Object.entries(table.relations ?? {}).flatMap(([relation, { to }]): readonly Related[] => {
    const target = tables.get(to);
    const further = visible?.relations.get(relation);
    return target === undefined || (visible !== undefined && further === undefined)
      ? []
      : [[relation, target, further]];
  });
}
