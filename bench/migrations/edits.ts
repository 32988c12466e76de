/** The fifty edits: each turns the base schema into the one that is declared next. */
import { base, type ColumnModel, type Kit, type Model, type TableModel } from "./model.js";

export interface Edit {
  readonly title: string;
  /** The databases that have such a thing, and both tools a word for it. */
  readonly on: readonly Kit[];
  readonly model: Model;
  /** Rows or values go with it by its nature: a column or a table is dropped. */
  readonly losesBy?: true;
  /** The rows do not allow it: the right answer is a failure that changes nothing. */
  readonly impossible?: true;
}

const ALL: readonly Kit[] = ["postgres", "mariadb", "sqlite"];
const SERVERS: readonly Kit[] = ["postgres", "mariadb"];
const PARTS: readonly Kit[] = ["postgres", "sqlite"];

/** The base with another making of one table. */
function changed(name: string, change: (table: TableModel) => Partial<TableModel>): Model {
  const table = base.tables[name];
  if (table === undefined) throw new Error(name);
  return { ...base, tables: { ...base.tables, [name]: { ...table, ...change(table) } } };
}
const people = (change: (table: TableModel) => Partial<TableModel>) => changed("people", change);

/** People with these columns added or made otherwise. */
const withColumns = (columns: Record<string, ColumnModel>, also: Partial<TableModel> = {}): Model =>
  people((table) => ({ columns: { ...table.columns, ...columns }, ...also }));

function without<T>(record: Readonly<Record<string, T>>, ...names: readonly string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

/** The columns of a table, some under other names, where they stood. */
function renamed(
  columns: Readonly<Record<string, ColumnModel>>,
  names: Readonly<Record<string, string>>,
): Record<string, ColumnModel> {
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => {
      const now = names[name];
      return now === undefined ? [name, column] : [now, { ...column, renamedFrom: name }];
    }),
  );
}

const own = base.tables["people"]?.references ?? {};
const indexes = base.tables["people"]?.indexes ?? {};
const newTable: TableModel = {
  columns: { id: { type: "int" }, person_id: { type: "int" }, at: { type: "text", nullable: true } },
  primaryKey: ["id"],
  keys: {},
  checks: {},
  indexes: {},
  references: { visits_person_id_fkey: { columns: ["person_id"], table: "people" } },
};

/** The tables in order, with one under another name, also where others refer to it. */
function renamedTable(from: string, to: string): Model {
  const tables = Object.entries(base.tables).map(([name, table]) => {
    const references = Object.fromEntries(
      Object.entries(table.references).map(([key, one]) => [
        key,
        one.table === from ? { ...one, table: to } : one,
      ]),
    );
    const now = { ...table, references };
    return name === from ? [to, { ...now, renamedFrom: from }] : [name, now];
  });
  return { ...base, tables: Object.fromEntries(tables) };
}

const text80 = { type: "varchar 80" };
export const edits: readonly Edit[] = [
  {
    title: "add a nullable column",
    on: ALL,
    model: withColumns({ phone: { type: "text", nullable: true } }),
  },
  {
    title: "add a required column with a constant default",
    on: ALL,
    model: withColumns({ rank: { type: "int", default: "1" } }),
  },
  {
    title: "add a required column whose default is a random number",
    on: ALL,
    model: withColumns({
      luck: {
        type: "int",
        default: {
          postgres: "(floor(random() * 1000))::integer",
          mariadb: "(floor(rand() * 1000))",
          sqlite: "(abs(random()) % 1000)",
        },
      },
    }),
  },
  {
    title: "add a required column without a default",
    on: PARTS,
    model: withColumns({ rank: { type: "int" } }),
    impossible: true,
  },
  {
    title: "add a unique column",
    on: ALL,
    model: people((t) => ({
      columns: { ...t.columns, badge: { type: "int", nullable: true } },
      keys: { ...t.keys, people_badge_key: ["badge"] },
    })),
  },
  {
    title: "add a column that refers to a table",
    on: ALL,
    model: people((t) => ({
      columns: { ...t.columns, home_id: { type: "int", nullable: true } },
      references: { ...t.references, people_home_id_fkey: { columns: ["home_id"], table: "teams" } },
    })),
  },
  {
    title: "add a stored computed column",
    on: ALL,
    model: withColumns({ twice: { type: "int", nullable: true, computed: "score * 2", stored: true } }),
  },
  {
    title: "add a virtual computed column",
    on: ["mariadb", "sqlite"],
    model: withColumns({ twice: { type: "int", nullable: true, computed: "score * 2", stored: false } }),
  },
  {
    title: "drop a column",
    on: ALL,
    model: people((t) => ({ columns: without(t.columns, "bio") })),
    losesBy: true,
  },
  {
    title: "drop a column with its index",
    on: ALL,
    model: people((t) => ({
      columns: without(t.columns, "age"),
      indexes: without(t.indexes, "people_age_idx"),
    })),
    losesBy: true,
  },
  {
    title: "drop a column with its unique key",
    on: ALL,
    model: people((t) => ({ columns: without(t.columns, "email"), keys: {} })),
    losesBy: true,
  },
  {
    title: "drop a column with its foreign key",
    on: ALL,
    model: people((t) => ({ columns: without(t.columns, "team_id"), references: {} })),
    losesBy: true,
  },
  {
    title: "rename a column",
    on: ALL,
    model: people((t) => ({ columns: renamed(t.columns, { bio: "about" }) })),
  },
  {
    title: "rename a column that has an index",
    on: ALL,
    model: people((t) => ({
      columns: renamed(t.columns, { age: "years" }),
      indexes: { ...t.indexes, people_age_idx: { columns: ["years"] } },
    })),
  },
  {
    title: "rename a column that has a foreign key",
    on: ALL,
    model: people((t) => ({
      columns: renamed(t.columns, { team_id: "group_id" }),
      references: { people_team_id_fkey: { columns: ["group_id"], table: "teams" } },
    })),
  },
  {
    title: "rename two columns at once",
    on: ALL,
    model: people((t) => ({ columns: renamed(t.columns, { bio: "about", digits: "code" }) })),
  },
  { title: "rename a table", on: ALL, model: renamedTable("posts", "articles") },
  { title: "rename a table that others refer to", on: ALL, model: renamedTable("people", "persons") },
  { title: "make a text longer", on: SERVERS, model: withColumns({ name: { type: "varchar 200" } }) },
  {
    title: "make a text shorter, the rows fit",
    on: SERVERS,
    model: withColumns({ nick: { type: "varchar 40", nullable: true } }),
  },
  {
    title: "make a text shorter than the rows are",
    on: SERVERS,
    model: withColumns({ nick: { type: "varchar 5", nullable: true } }),
    impossible: true,
  },
  {
    title: "an integer becomes a bigint",
    on: SERVERS,
    model: withColumns({ score: { type: "bigint", default: "0" } }),
  },
  { title: "a varchar becomes a text", on: SERVERS, model: withColumns({ digits: { type: "text" } }) },
  { title: "a text of digits becomes an integer", on: ALL, model: withColumns({ digits: { type: "int" } }) },
  {
    title: "a number gets more digits",
    on: SERVERS,
    model: withColumns({ price: { type: "numeric 12 4" } }),
  },
  { title: "NOT NULL on a filled column", on: ALL, model: withColumns({ age: { type: "int" } }) },
  {
    title: "NOT NULL on a column with NULLs",
    on: ALL,
    model: withColumns({ bio: { type: "text" } }),
    impossible: true,
  },
  { title: "drop NOT NULL", on: ALL, model: withColumns({ name: { ...text80, nullable: true } }) },
  {
    title: "add a default",
    on: ALL,
    model: withColumns({ age: { type: "int", nullable: true, default: "18" } }),
  },
  { title: "change a default", on: ALL, model: withColumns({ score: { type: "int", default: "5" } }) },
  { title: "drop a default", on: ALL, model: withColumns({ score: { type: "int" } }) },
  {
    title: "add an index",
    on: ALL,
    model: people((t) => ({ indexes: { ...t.indexes, people_digits_idx: { columns: ["digits"] } } })),
  },
  {
    title: "add a unique key",
    on: ALL,
    model: people((t) => ({ keys: { ...t.keys, people_digits_key: ["digits"] } })),
  },
  {
    title: "add a unique key that rows violate",
    on: ALL,
    model: people((t) => ({ keys: { ...t.keys, people_name_key: ["name"] } })),
    impossible: true,
  },
  {
    title: "add a unique index over two columns",
    on: ALL,
    model: people((t) => ({
      indexes: { ...t.indexes, people_pair_idx: { columns: ["digits", "age"], unique: true } },
    })),
  },
  { title: "drop a unique key", on: ALL, model: people(() => ({ keys: {} })) },
  {
    title: "drop an index",
    on: ALL,
    model: people((t) => ({ indexes: without(t.indexes, "people_age_idx") })),
  },
  {
    title: "an index over other columns",
    on: ALL,
    model: people(() => ({ indexes: { ...indexes, people_names_idx: { columns: ["nick", "name"] } } })),
  },
  {
    title: "an index over a part of the rows",
    on: PARTS,
    model: people((t) => ({
      indexes: { ...t.indexes, people_old_idx: { columns: ["digits"], where: "score > 5" } },
    })),
  },
  {
    title: "add a check",
    on: ALL,
    model: people((t) => ({ checks: { ...t.checks, people_price_check: "price > 0" } })),
  },
  {
    title: "change a check",
    on: ALL,
    model: people(() => ({ checks: { people_score_check: "score >= -10" } })),
  },
  { title: "drop a check", on: ALL, model: people(() => ({ checks: {} })) },
  {
    title: "add a foreign key to a filled column",
    on: ALL,
    model: people(() => ({
      references: { ...own, people_boss_team_id_fkey: { columns: ["boss_team_id"], table: "teams" } },
    })),
  },
  {
    title: "ON DELETE SET NULL on a foreign key",
    on: ALL,
    model: people(() => ({
      references: { people_team_id_fkey: { columns: ["team_id"], table: "teams", onDelete: "set null" } },
    })),
  },
  { title: "drop a foreign key", on: ALL, model: people(() => ({ references: {} })) },
  {
    title: "another primary key",
    on: ALL,
    model: changed("members", () => ({ primaryKey: ["team_id", "person_id", "role"] })),
  },
  {
    title: "a new member of an enum",
    on: SERVERS,
    model: { ...base, enums: { mood: ["calm", "glad", "wild", "blue"] } },
  },
  {
    title: "add a table that refers to another",
    on: ALL,
    model: { ...base, tables: { ...base.tables, visits: newTable } },
  },
  {
    title: "change a view",
    on: ALL,
    model: {
      ...base,
      views: {
        team_cities: {
          columns: base.views["team_cities"]?.columns ?? {},
          as: "select id, city from teams where city is not null and id > 2",
        },
      },
    },
  },
  {
    title: "drop a table",
    on: ALL,
    model: { ...base, tables: without(base.tables, "posts") },
    losesBy: true,
  },
];
