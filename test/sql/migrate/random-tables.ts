/**
 * Random declarations and random edits of them, for the properties of `diff`: what is declared is plain data, so that an
 * edit is a change of data and a failure can be read.
 */
import * as fc from "fast-check";
import { type AnyTable, type AnyView, column, type Dialect, json, table, view } from "rowtype";
import { z } from "zod";

/** A column as data. */
export interface ColumnModel {
  /** Stays when the column is renamed: which column it is. */
  readonly id: number;
  readonly name: string;
  readonly kind: ColumnKind;
  readonly nullable: boolean;
  readonly hasDefault: boolean;
  readonly unique: boolean;
  readonly index: boolean;
  readonly check: boolean;
  readonly comment: string | undefined;
  readonly renamedFrom: readonly string[];
  /** The table that it refers to, by number. */
  readonly refers: number | undefined;
}

export type ColumnKind = keyof typeof KINDS;

/** A table as data; its key is a column of its own, `id`. */
export interface TableModel {
  readonly id: number;
  readonly name: string;
  readonly key: "generated" | "byDefault" | "plain" | "text";
  readonly columns: readonly ColumnModel[];
  readonly pairIsUnique: boolean;
  /** An index of its first columns, the last in descending order, and one of a part of the rows where there are such. */
  readonly hasIndexes: boolean;
  readonly hasCheck: boolean;
  /** Views of all its columns, of the first one, and of that view. */
  readonly views: "none" | "all" | "first" | "both";
  readonly comment: string | undefined;
  readonly renamedFrom: readonly string[];
}

export type SchemaModel = readonly TableModel[];

interface KindOf {
  readonly schema: () => z.ZodType;
  readonly type?: string;
  readonly default: string;
  readonly check?: (name: string) => string;
  readonly values: readonly unknown[];
  /** Types that an index or a key takes on every dialect. */
  readonly isIndexed: boolean;
}

const KINDS = {
  int: {
    schema: () => z.int(),
    default: "7",
    check: (n: string) => `${n} > -5`,
    values: [1, 2, 3],
    isIndexed: true,
  },
  bigint: {
    schema: () => z.bigint(),
    default: "70",
    check: (n: string) => `${n} <> 13`,
    values: [1n, 2n ** 60n],
    isIndexed: true,
  },
  number: {
    schema: () => z.number(),
    default: "1.5",
    check: (n: string) => `${n} * 2 > -100`,
    values: [1.25, -3],
    isIndexed: true,
  },
  text: {
    schema: () => z.string(),
    default: "'it''s'",
    check: (n: string) => `${n} <> 'bad, (word'`,
    values: ["a", "ärger 日本"],
    isIndexed: true,
  },
  enum: {
    schema: () => z.enum(["a", "b"]),
    default: "'b'",
    check: (n: string) => `${n} IN ('a', 'b', 'c')`,
    values: ["a", "b"],
    isIndexed: true,
  },
  short: {
    schema: () => z.string(),
    type: "varchar(40)",
    default: "'s'",
    values: ["x", "yy"],
    isIndexed: true,
  },
  long: {
    schema: () => z.string(),
    type: "varchar(90)",
    default: "'l'",
    values: ["x", "yy"],
    isIndexed: true,
  },
  numeric: {
    schema: () => z.string(),
    type: "numeric(12,2)",
    default: "1.50",
    values: ["1.50", "12.00"],
    isIndexed: false,
  },
  bool: { schema: () => z.boolean(), default: "true", values: [true, false], isIndexed: true },
  date: {
    schema: () => z.date(),
    default: "CURRENT_TIMESTAMP",
    values: [new Date(0), new Date(1e12)],
    isIndexed: true,
  },
  json: {
    schema: () => json(z.object({ a: z.int() })),
    default: "'{\"a\":1}'",
    values: [{ a: 1 }, { a: 2 }],
    isIndexed: false,
  },
  bytes: {
    schema: () => z.instanceof(Uint8Array),
    default: "",
    values: [new Uint8Array([1, 2])],
    isIndexed: false,
  },
} satisfies Readonly<Record<string, KindOf>>;

const kindOf = (kind: ColumnKind): KindOf => KINDS[kind];
const NAMES = [
  "name",
  "age",
  "Total",
  "order",
  "two words",
  'qu"ote',
  "ünï",
  "select",
  "a-b",
  "x1",
  "user",
  "back`tick",
];

interface Identified {
  readonly id: number;
  readonly name: string;
}

/** Whether two columns of a table, or two tables, would meet. */
function areSame(a: Identified, b: Identified): boolean {
  return a.id === b.id || a.name.toLowerCase() === b.name.toLowerCase();
}

const columnModel = fc.record({
  id: fc.integer({ min: 1, max: 1e9 }),
  name: fc.constantFrom(...NAMES),
  kind: fc.constantFrom(...(Object.keys(KINDS) as ColumnKind[])),
  nullable: fc.boolean(),
  hasDefault: fc.boolean(),
  unique: fc.boolean(),
  index: fc.boolean(),
  check: fc.boolean(),
  comment: fc.constantFrom(undefined, undefined, "it's \\ a note"),
  renamedFrom: fc.constant([] as readonly string[]),
  refers: fc.option(fc.nat(5), { nil: undefined, freq: 3 }),
});

const tableModel: fc.Arbitrary<TableModel> = fc.record({
  id: fc.integer({ min: 1, max: 1e9 }),
  name: fc.constantFrom(...NAMES.map((name) => `t ${name}`), "people", "teams", "orders"),
  key: fc.constantFrom("generated", "byDefault", "plain", "text"),
  columns: fc.uniqueArray(columnModel, {
    minLength: 0,
    maxLength: 6,
    // Properties are named by the id.
    comparator: areSame,
  }),
  pairIsUnique: fc.boolean(),
  hasIndexes: fc.boolean(),
  hasCheck: fc.boolean(),
  views: fc.constantFrom("none", "all", "first", "both"),
  comment: fc.constantFrom(undefined, "a table"),
  renamedFrom: fc.constant([] as readonly string[]),
});

/** Random declarations. */
export const schemas: fc.Arbitrary<SchemaModel> = fc.uniqueArray(tableModel, {
  minLength: 1,
  maxLength: 5,
  // Views and checks are named by the id.
  comparator: areSame,
});

/** One edit: which table, which column, what, and what it takes. */
export interface Edit {
  readonly table: number;
  readonly column: number;
  readonly what: (typeof EDITS)[number];
  readonly kind: ColumnKind;
  readonly name: string;
  readonly fresh: ColumnModel;
  readonly other: TableModel;
}

const EDITS = [
  "add column",
  "drop column",
  "rename column",
  "retype column",
  "nullable",
  "default",
  "unique",
  "index",
  "check",
  "comment",
  "reference",
  "pair",
  "indexes",
  "table check",
  "views",
  "add table",
  "drop table",
  "rename table",
  "key",
] as const;

/** A few edits. */
export const edits: fc.Arbitrary<readonly Edit[]> = fc.array(
  fc.record({
    table: fc.nat(10),
    column: fc.nat(10),
    what: fc.constantFrom(...EDITS),
    kind: fc.constantFrom(...(Object.keys(KINDS) as ColumnKind[])),
    name: fc.constantFrom(...NAMES.map((name) => `${name}2`), "renamed"),
    fresh: columnModel,
    other: tableModel,
  }),
  { maxLength: 8 },
);

/** The declarations after an edit. */
export function edited(model: SchemaModel, edit: Edit): SchemaModel {
  const at = edit.table % model.length;
  const chosen = model[at];
  if (chosen === undefined) return model;
  const change = (one: Partial<TableModel>) =>
    model.map((table, i) => (i === at ? { ...table, ...one } : table));
  // What has the id of another one would count as that one under another name.
  const isNew = (list: readonly { readonly id: number }[], { id }: { readonly id: number }) =>
    list.every((one) => one.id !== id);
  if (edit.what === "add table")
    return isFree(model, edit.other.name) && isNew(model, edit.other)
      ? [...model, { ...edit.other, renamedFrom: [] }]
      : model;
  if (edit.what === "drop table") return model.length > 1 ? model.filter((_, i) => i !== at) : model;
  if (edit.what === "rename table")
    return isFree(model, `t ${edit.name}`)
      ? change({ name: `t ${edit.name}`, renamedFrom: [chosen.name, ...chosen.renamedFrom] })
      : model;
  if (edit.what === "pair") return change({ pairIsUnique: !chosen.pairIsUnique });
  if (edit.what === "indexes") return change({ hasIndexes: !chosen.hasIndexes });
  if (edit.what === "table check") return change({ hasCheck: !chosen.hasCheck });
  if (edit.what === "views") return change({ views: edit.other.views });
  if (edit.what === "key")
    return change({ key: chosen.key === "plain" ? "byDefault" : chosen.key === "text" ? "text" : "plain" });
  const { columns } = chosen;
  const taken = new Set(
    columns.flatMap(({ name, renamedFrom }) => [name, ...renamedFrom]).map((name) => name.toLowerCase()),
  );
  if (edit.what === "add column")
    return taken.has(edit.fresh.name.toLowerCase()) || !isNew(columns, edit.fresh)
      ? model
      : change({
          columns: [
            ...columns,
            { ...edit.fresh, unique: false, nullable: edit.fresh.nullable || !edit.fresh.hasDefault },
          ],
        });
  const place = columns.length === 0 ? -1 : edit.column % columns.length;
  const column = columns[place];
  if (column === undefined) return model;
  if (edit.what === "drop column") return change({ columns: columns.filter((_, i) => i !== place) });
  const turned: Partial<ColumnModel> | undefined =
    edit.what === "rename column"
      ? taken.has(edit.name.toLowerCase())
        ? undefined
        : { name: edit.name, renamedFrom: [column.name, ...column.renamedFrom] }
      : edit.what === "retype column"
        ? { kind: edit.kind, refers: undefined }
        : edit.what === "comment"
          ? { comment: column.comment === undefined ? "new" : undefined }
          : edit.what === "reference"
            ? { refers: column.refers === undefined ? edit.table : undefined }
            : edit.what === "default"
              ? { hasDefault: !column.hasDefault }
              : { [edit.what]: !column[edit.what] };
  return turned === undefined
    ? model
    : change({ columns: columns.map((one, i) => (i === place ? { ...one, ...turned } : one)) });
}

function isFree(model: SchemaModel, name: string): boolean {
  const names = model.flatMap((table) => [table.name, ...table.renamedFrom]).map((one) => one.toLowerCase());
  return !names.includes(name.toLowerCase());
}

/** The declarations as tables. */
export function tablesOf(model: SchemaModel, dialect: Dialect): AnyTable[] {
  const made: AnyTable[] = [];
  for (const one of model) made.push(tableOf(one, model, made, dialect));
  return made;
}

// A reference leads to a table that stands before, or to the table itself.
function tableOf(model: TableModel, all: SchemaModel, made: readonly AnyTable[], dialect: Dialect): AnyTable {
  const shape: Record<string, z.ZodType> = { id: keyOf(model) };
  const quote = (name: string) =>
    dialect === "mariadb" ? `\`${name.replaceAll("`", "``")}\`` : `"${name.replaceAll('"', '""')}"`;
  for (const one of model.columns) {
    const kind = kindOf(one.kind);
    const target = referenceOf(one, model, all, made);
    const base = one.nullable ? kind.schema().nullable() : kind.schema();
    const canDefault = one.hasDefault && kind.default !== "" && target === undefined;
    shape[propertyOf(one)] = column(base, {
      name: one.name,
      ...(kind.type === undefined ? {} : { type: kind.type }),
      ...(canDefault ? { default: kind.default } : {}),
      ...(one.unique && kind.isIndexed ? { unique: true } : {}),
      ...(one.index && kind.isIndexed && !one.unique ? { index: true } : {}),
      ...(one.check && kind.check !== undefined ? { check: kind.check(quote(one.name)) } : {}),
      ...(one.comment === undefined ? {} : { comment: one.comment }),
      ...(one.renamedFrom.length === 0 ? {} : { renamedFrom: one.renamedFrom }),
      ...(target === undefined ? {} : { references: target }),
    });
  }
  const pair = model.columns.filter(({ kind }) => kindOf(kind).isIndexed).slice(0, 2);
  const declared: AnyTable = table(model.name, z.object(shape), {
    ...(model.pairIsUnique && pair.length === 2 ? { unique: [pair.map(propertyOf)] } : {}),
    ...(model.hasIndexes && pair.length > 0 ? { indexes: indexesOf(pair.map(propertyOf), dialect) } : {}),
    // MariaDB has no check over the column that it numbers.
    ...(model.hasCheck && (dialect !== "mariadb" || model.key === "plain" || model.key === "text")
      ? { checks: { [`${model.id} check`]: `${quote("id")} IS NOT NULL` } }
      : {}),
    ...(model.comment === undefined ? {} : { comment: model.comment }),
    ...(model.renamedFrom.length === 0 ? {} : { renamedFrom: model.renamedFrom }),
  });
  return declared;
}

function indexesOf(properties: readonly string[], dialect: Dialect) {
  const last = properties.at(-1) ?? "";
  const wide = { columns: [...properties.slice(0, -1), [last, "desc"] as const] };
  return dialect === "mariadb" ? [wide] : [wide, { columns: [last], where: '"id" IS NOT NULL' }];
}

/** The views over the tables; those that read others come first. */
export function viewsOf(model: SchemaModel, dialect: Dialect): AnyView[] {
  const quote = (name: string) =>
    dialect === "mariadb" ? `\`${name.replaceAll("`", "``")}\`` : `"${name.replaceAll('"', '""')}"`;
  return model.flatMap(({ id, name, columns, views }) => {
    const first = quote(columns[0]?.name ?? "id");
    const made = (kind: string, as: string) => view(`v${id} ${kind}`, z.object({ id: z.unknown() }), { as });
    const all = made("all", `SELECT * FROM ${quote(name)} WHERE ${quote("id")} IS NOT NULL`);
    const one = made("first", `SELECT id, ${first} AS c FROM ${quote(name)}`);
    const second = made("a second", `SELECT count(*) AS id FROM ${quote(`v${id} first`)} WHERE c IS NULL`);
    return { none: [], all: [all], first: [second, one], both: [second, one, all] }[views];
  });
}

/** The property of a column, which stays when the column is renamed. */
export function propertyOf({ id }: ColumnModel): string {
  return `p${id}`;
}

function keyOf({ key }: TableModel): z.ZodType {
  if (key === "text") return column(z.string(), { primaryKey: true, type: "varchar(36)" });
  if (key === "plain") return column(z.int(), { primaryKey: true });
  return column(z.int(), { primaryKey: true, generated: key === "byDefault" ? "byDefault" : true });
}

function referenceOf(
  { refers, kind }: ColumnModel,
  model: TableModel,
  all: SchemaModel,
  made: readonly AnyTable[],
): (() => AnyTable) | undefined {
  if (refers === undefined || kind !== "int") return undefined;
  const place = refers % (made.length + 1);
  const target = all[place];
  if (target === undefined || target.key === "text" || target === model) return undefined;
  return () => made[place] as AnyTable;
}

/** Rows for a table; those of a column that refers are null, or absent. */
export function rowsOf(model: TableModel, all: SchemaModel): Record<string, unknown>[] | undefined {
  const refers = model.columns.filter((one) => one.refers !== undefined && one.kind === "int");
  if (refers.some(({ nullable }) => !nullable) || all.length === 0) return undefined;
  return [0, 1].map((i) => ({
    ...(model.key === "generated" ? {} : { id: model.key === "text" ? `k${i}` : i + 1 }),
    ...Object.fromEntries(
      model.columns.map((one) => {
        const { values } = kindOf(one.kind);
        const isNull = refers.includes(one) || (one.nullable && i === 1);
        return [propertyOf(one), isNull ? null : values[i % values.length]];
      }),
    ),
  }));
}
