/**
 * The constraints and indexes of a table on a dialect, each with its name: one list for the statements that create
 * them, for the comparison with a database, and for the errors of violated ones. An undeclared name is the one that
 * PostgreSQL gives: `{table}_pkey`, `{table}_{columns}_key`, `_fkey`, `_check`, `_idx`.
 */
import { createHash } from "node:crypto";
import type {
  AnyTable,
  ColumnInfo,
  Deferrable,
  IndexInfo,
  ReferentialAction,
} from "../../declare/declaration.js";
import { columnName, textFor } from "./declared.js";
import type { Grammar } from "./grammar.js";
import { beginningOf, isSameKey } from "./names.js";

/** The part of a table that determines its constraints. */
export type Constrained = Pick<
  AnyTable,
  "name" | "columns" | "primaryKey" | "keys" | "foreignKeys" | "checks" | "indexes"
>;

interface Named {
  readonly name: string;
  /** Whether the declaration gives the name. */
  readonly isGiven: boolean;
}

/** A primary key, or another one. */
export interface KeyConstraint extends Named {
  /** Names of columns in the database, here and below. */
  readonly columns: readonly string[];
}

/** A foreign key. `ddl/references.ts` determines what it refers to. */
export interface ReferenceConstraint extends Named {
  readonly columns: readonly string[];
  readonly references: string | (() => AnyTable);
  /** Properties of the referenced table; absent for its primary key. */
  readonly target: readonly string[] | undefined;
  readonly onDelete: ReferentialAction;
  readonly onUpdate: ReferentialAction;
  readonly deferrable: Deferrable | undefined;
}

/** A condition on rows, in the words of the dialect. */
interface CheckConstraint extends Named {
  readonly condition: string;
  /** The column that declared it, if one did. */
  readonly columns: readonly string[];
}

/** An index of columns or of an expression. */
export interface TableIndex extends Named {
  readonly columns: readonly { readonly name: string; readonly descending: boolean }[];
  readonly expression: string | undefined;
  readonly unique: boolean;
  /** Whether it is of the rows that the filters of the table leave. */
  readonly visible: boolean;
  readonly where: string | undefined;
  readonly using: string | undefined;
}

/** All constraints and indexes of a table. */
export interface TableConstraints {
  readonly primaryKey: KeyConstraint | undefined;
  readonly keys: readonly KeyConstraint[];
  readonly references: readonly ReferenceConstraint[];
  readonly checks: readonly CheckConstraint[];
  readonly indexes: readonly TableIndex[];
}

/** The constraints and indexes of a table on a dialect. */
export function constraintsOf(table: Constrained, grammar: Grammar): TableConstraints {
  const names = new Names(table, grammar);
  const columnsOf = (key: readonly string[]) => key.map((property) => columnName(table, property));
  const primaryKey =
    table.primaryKey.length === 0
      ? undefined
      : { name: names.give([], "pkey"), isGiven: false, columns: columnsOf(table.primaryKey) };
  const others = table.keys.filter((key) => !isSameKey(key, table.primaryKey));
  const different = others.filter((key, i) => others.findIndex((one) => isSameKey(one, key)) === i);
  const keys = different.map((key) => {
    const columns = columnsOf(key);
    return { name: names.give(columns, "key"), isGiven: false, columns };
  });
  return {
    primaryKey,
    keys,
    references: referencesOf(table, names),
    checks: checksOf(table, names, grammar),
    indexes: indexesOf(table, names, grammar),
  };
}

/** Gives names that no other constraint or index of the table has. */
class Names {
  readonly #table: string;
  readonly #most: number;
  readonly #folds: boolean;
  // The declared names of references and checks. Keys and indexes refuse a name that is taken.
  readonly #taken: Set<string>;

  constructor({ name, foreignKeys, checks }: Constrained, { maxNameBytes, foldsNames }: Grammar) {
    this.#table = name;
    this.#most = maxNameBytes;
    this.#folds = foldsNames;
    this.#taken = new Set(
      [...foreignKeys, ...checks].flatMap((one) => (one.name === undefined ? [] : [this.#key(one.name)])),
    );
  }

  /** As PostgreSQL counts: `t_a_check`, `t_a_check1`. */
  give(columns: readonly string[], kind: "pkey" | "key" | "fkey" | "check" | "idx"): string {
    const begin = [this.#table, ...columns].join("_");
    for (let i = 0; ; i++) {
      const name = fitting(begin, i === 0 ? kind : `${kind}${i}`, this.#most);
      if (this.#taken.has(this.#key(name))) continue;
      this.#taken.add(this.#key(name));
      return name;
    }
  }

  #key(name: string): string {
    return this.#folds ? name.toLowerCase() : name;
  }
}

// If the name is too long, a hash of the whole name replaces its end.
function fitting(begin: string, kind: string, most: number): string {
  const name = `${begin}_${kind}`;
  if (Buffer.byteLength(name) <= most) return name;
  const end = `_${createHash("sha256").update(name).digest("hex").slice(0, 8)}_${kind}`;
  return beginningOf(name, most - Buffer.byteLength(end)) + end;
}

function referencesOf(table: Constrained, names: Names): ReferenceConstraint[] {
  const ofColumns = Object.values(table.columns).flatMap((column): ReferenceConstraint[] => {
    const { references, onDelete = "no action", onUpdate = "no action" } = column;
    if (references === undefined) return [];
    const columns = [column.name];
    const name = names.give(columns, "fkey");
    const said = { references, onDelete, onUpdate, target: undefined, deferrable: undefined };
    return [{ name, isGiven: false, columns, ...said }];
  });
  const ofTable = table.foreignKeys.map((one): ReferenceConstraint => {
    const { references, target, deferrable, onDelete = "no action", onUpdate = "no action" } = one;
    const columns = one.columns.map((property) => columnName(table, property));
    const name = one.name ?? names.give(columns, "fkey");
    const said = { references, target, deferrable, onDelete, onUpdate };
    return { name, isGiven: one.name !== undefined, columns, ...said };
  });
  return [...ofColumns, ...ofTable];
}

function checksOf(table: Constrained, names: Names, grammar: Grammar): CheckConstraint[] {
  const { dialect, ddl } = grammar;
  const columns = Object.values(table.columns);
  const written = (condition: string) => ddl.checkExpression(condition, columnNames(table));
  const ofColumns = columns.flatMap((column): CheckConstraint[] => {
    const check = textFor(column.check, dialect);
    const conditions = [
      check === undefined ? undefined : written(check),
      column.checkValues === true ? membersCheck(column, grammar) : undefined,
      ddl.kindCheck(column.storage, grammar.quote(column.name), textFor(column.type, dialect)),
    ].filter((condition) => condition !== undefined);
    const of = [column.name];
    return conditions.map((condition) => ({
      name: names.give(of, "check"),
      isGiven: false,
      condition,
      columns: of,
    }));
  });
  const ofTable = table.checks.flatMap(({ name, condition }): CheckConstraint[] => {
    const text = textFor(condition, dialect);
    return text === undefined ? [] : [{ name, isGiven: true, condition: written(text), columns: [] }];
  });
  return [...ofColumns, ...ofTable];
}

function membersCheck({ name, storage }: ColumnInfo, { quote, ddl }: Grammar): string {
  const members = [...(storage.values ?? [])].map((value) =>
    typeof value === "string"
      ? ddl.text(value)
      : typeof value === "boolean"
        ? ddl.flag(value)
        : String(value),
  );
  return `${quote(name)} IN (${members.join(", ")})`;
}

function indexesOf(table: Constrained, names: Names, grammar: Grammar): TableIndex[] {
  const ofColumns = Object.values(table.columns).flatMap((column): TableIndex[] => {
    const { index = false, property } = column;
    if (index === false) return [];
    // A key has its own index, and some servers refuse a second index on the same columns.
    if (table.keys.some((key) => key.length === 1 && key[0] === property)) return [];
    const columns = [{ name: column.name, descending: false }];
    const name = index === true ? names.give([column.name], "idx") : index;
    const plain = {
      expression: undefined,
      unique: false,
      visible: false,
      where: undefined,
      using: undefined,
    };
    return [{ name, isGiven: index !== true, columns, ...plain }];
  });
  return [...ofColumns, ...table.indexes.flatMap((index) => indexOf(index, table, names, grammar))];
}

function indexOf(index: IndexInfo, table: Constrained, names: Names, grammar: Grammar): TableIndex[] {
  const { dialect, ddl } = grammar;
  const said = textFor(index.expression, dialect);
  // An expression that is written for other dialects only.
  if (index.expression !== undefined && said === undefined) return [];
  const written = (text: string | undefined) =>
    text === undefined ? undefined : ddl.checkExpression(text, columnNames(table));
  const columns = index.columns.map(({ property, descending }) => ({
    name: columnName(table, property),
    descending,
  }));
  const of = said === undefined ? columns.map(({ name }) => name) : [nameOfExpression(said)];
  return [
    {
      name: index.name ?? names.give(of, "idx"),
      isGiven: index.name !== undefined,
      columns,
      expression: written(said),
      unique: index.unique,
      visible: index.visible,
      where: written(textFor(index.where, dialect)),
      using: textFor(index.using, dialect),
    },
  ];
}

// PostgreSQL names an index of one function call by the function.
function nameOfExpression(expression: string): string {
  return /^\s*([a-z_]\w*)\s*\([^()]*\)\s*$/i.exec(expression)?.[1]?.toLowerCase() ?? "expr";
}

function columnNames({ columns }: Constrained): string[] {
  return Object.values(columns).map(({ name }) => name);
}
