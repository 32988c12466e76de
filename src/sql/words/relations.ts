/** Relations between tables as data: the results of `one` and `many`, and the fields that a relation compares. */
import { listed, quoted } from "../../core/errors.js";

/** One row of the table `To`, found by the fields `F` of this table. */
export interface One<
  out To extends string = string,
  out F extends string = string,
  out N extends null = never,
  out W extends string = never,
> {
  readonly kind: "one";
  /** The name of the target table's export in the module given to `repositories`. */
  readonly to: To;
  /** The field of this table that holds the key; a list if the key has several. */
  readonly field: F | readonly F[];
  /** The key of the target table, in the order of the fields; `undefined` is its primary key. */
  readonly key: string | readonly string[] | undefined;
  /** `null` if the row may be missing although the fields are not null. */
  readonly absent: N | undefined;
  /** The rules of the target table that are not in force. */
  readonly without: readonly W[] | undefined;
}

/** Rows of the table `To`, found by its fields `F`. */
export interface Many<out To extends string = string, out F extends string = string> {
  readonly kind: "many";
  /** The name of the target table's export in the module given to `repositories`. */
  readonly to: To;
  /** The field of the target table that holds our key; a list if the key has several. */
  readonly field: F | readonly F[];
  /** Our key, in the order of the fields; `undefined` is our primary key. */
  readonly key: string | readonly string[] | undefined;
  readonly through: undefined;
  /** The rules of the target table that are not in force. */
  readonly without: readonly string[] | undefined;
}

/** Rows of the table `To`, found through a table between: one for each of its rows that leads from us to them. */
export interface Through<out To extends string = string> {
  readonly kind: "many";
  /** The name of the target table's export in the module given to `repositories`. */
  readonly to: To;
  readonly field: undefined;
  readonly key: undefined;
  readonly through: Ways;
  /** The rules of the target table that are not in force. */
  readonly without: readonly string[] | undefined;
}

/** The relations of a table between two others. */
export interface Ways {
  /** The name of its export. */
  readonly table: string;
  /** Its relation to us, and that to the target; `undefined` is the only one. */
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** A relation of a table. */
export type Relation = One<string, string, null, string> | Many | Through;

/** The relations of a table by name. */
export type Relations = Readonly<Record<string, Relation>>;

/** The type of the relations of a table that declares none. */
export type NoRelations = Record<never, never>;

/** Two fields that are equal in related rows. */
export interface FieldPair {
  readonly mine: string;
  readonly theirs: string;
}

interface Keyed {
  readonly primaryKey: readonly string[];
}

/** A field or a list of fields as a list. */
export function asList(fields: string | readonly string[]): readonly string[] {
  return typeof fields === "string" ? [fields] : fields;
}

/** The key that a relation refers to: of the target table, or of this table if it is a `many`. */
export function referredKey(
  { kind, key }: One<string, string, null, string> | Many,
  table: Keyed,
  target: Keyed,
): readonly string[] {
  if (key !== undefined) return asList(key);
  return kind === "one" ? target.primaryKey : table.primaryKey;
}

/** The pairs of fields that a relation compares; `undefined` if it has not as many fields as the key. */
export function relatedFields(
  relation: One<string, string, null, string> | Many,
  table: Keyed,
  target: Keyed,
): readonly FieldPair[] | undefined {
  const fields = asList(relation.field);
  const key = referredKey(relation, table, target);
  if (fields.length !== key.length) return undefined;
  return fields.map((field, i) => {
    const held = key[i] ?? field;
    return relation.kind === "one" ? { mine: field, theirs: held } : { mine: held, theirs: field };
  });
}

interface RelatedTable extends Keyed {
  readonly name: string;
  readonly columns: object;
  readonly relations?: Relations;
}

/** A table between two others, and the pairs of fields on both sides of it. */
export interface Between<T> {
  readonly table: T;
  /** Our fields, and those of the table between. */
  readonly near: readonly FieldPair[];
  /** The fields of the table between, and those of the target. */
  readonly far: readonly FieldPair[];
}

/** The table that a relation leads through, or a sentence about what it lacks. */
export function betweenOf<T extends RelatedTable>(
  { through }: Through,
  table: T,
  target: T,
  tables: ReadonlyMap<string, T>,
): Between<T> | string {
  const between = tables.get(through.table);
  if (between === undefined)
    return `leads through ${quoted(through.table)}, which is not a table of the module; tables: ${listed(tables.keys())}`;
  const isOwn = table.columns === target.columns;
  if (isOwn && (through.from === undefined || through.to === undefined))
    return `leads to its own table through ${quoted(between.name)}: name both relations of that table, { from, to }`;
  const near = wayTo(table, through.from, "from", between, tables);
  if (typeof near === "string") return near;
  const far = wayTo(target, through.to, "to", between, tables);
  if (typeof far === "string") return far;
  if (near === far)
    return `leads through ${quoted(between.name)} and back: from and to must be two relations`;
  const [ours, theirs] = [relatedFields(near, between, table), relatedFields(far, between, target)];
  if (ours === undefined || theirs === undefined)
    return `leads through ${quoted(between.name)}, whose relations have not as many fields as the keys`;
  return {
    table: between,
    near: ours.map(({ mine, theirs: held }) => ({ mine: held, theirs: mine })),
    far: theirs,
  };
}

/** The `one` of a table between that leads to a table, or a sentence. */
function wayTo<T extends RelatedTable>(
  target: T,
  name: string | undefined,
  option: "from" | "to",
  between: T,
  tables: ReadonlyMap<string, T>,
): One<string, string, null, string> | string {
  const ways = new Map(
    Object.entries(between.relations ?? {}).flatMap(([one, relation]) =>
      relation.kind === "one" && tables.get(relation.to)?.columns === target.columns
        ? [[one, relation] as const]
        : [],
    ),
  );
  const to = `to table ${quoted(target.name)}`;
  const through = `leads through ${quoted(between.name)}`;
  if (ways.size === 0) return `${through}, which has no one(…) ${to}`;
  const [only] = ways.values();
  const found = name === undefined && ways.size === 1 ? only : ways.get(name ?? "");
  if (found !== undefined) return found;
  const known = `its relations ${to}: ${listed(ways.keys())}`;
  return name === undefined
    ? `${through}, which has several: name one by { ${option} }; ${known}`
    : `${through}, where ${quoted(name)} is no one(…) ${to}; ${known}`;
}
