/**
 * What the tables of `relation-world.ts` are called when the package meets them. The evaluator knows plain names only; a
 * question is put to the package in the names of a dress, and its rows are told in plain ones again.
 */
import { randomBytes } from "node:crypto";
import { type Field, tables as plain } from "./relation-world.js";

/** Names of one kind for all tables. */
export interface Dress {
  readonly title: string;
  /** The name of a table in the database, and of a schema where it stands in one. */
  readonly table: (table: string) => string;
  readonly namespace?: ((table: string) => string) | undefined;
  /** The name of a column in the database. */
  readonly column: (table: string, field: string) => string;
  /** The types that columns are declared with, if they have other ones than their kind. */
  readonly type?: (field: Field, isKey: boolean) => Readonly<Record<string, string>> | undefined;
  /** What is done to the rows, which the values do not tell: digits that a Date does not hold. */
  readonly more?: Readonly<Record<string, readonly string[]>>;
  /** The names of fields and of relations, as programs write them. */
  readonly fields: ReadonlyMap<string, string>;
  readonly relations: ReadonlyMap<string, string>;
}

const unique = (names: readonly string[]): readonly string[] => [...new Set(names)];
const tableNames = Object.keys(plain);
const fieldNames = unique(Object.values(plain).flatMap(({ fields }) => Object.keys(fields)));
const relationNames = unique(Object.values(plain).flatMap(({ relations }) => Object.keys(relations)));

/** Each name by its place in a list, which may be shorter: then with a number behind it. */
function numbered(names: readonly string[], list: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    names.map((name, i) => {
      const [word = "", round] = [list[i % list.length], Math.floor(i / list.length)];
      return [name, round === 0 ? word : `${word}${round}`];
    }),
  );
}

const own = (names: readonly string[]): ReadonlyMap<string, string> =>
  new Map(names.map((name) => [name, name]));

const from = (names: ReadonlyMap<string, string>) => (name: string) => names.get(name) ?? name;

// Columns that have the names of tables, and two that are not called as their fields.
const plainColumns: Readonly<Record<string, string>> = {
  parentId: "parent_id",
  founded: "since",
  regionId: "region_id",
  buyerId: "buyer_id",
  note: "people",
  label: "orders",
};

// What objects have by themselves, what the package calls what it adds, and words of SQL.
const words = [
  ...["key", "constructor", "toString", "rows", "valueOf", "hasOwnProperty", "value", "order", "found"],
  ...["one", "select", "group", "from", "null", "natural_", "default", "rowid", "ctid_", "position", "check"],
];
const partWords = [
  ...["prototype", "isPrototypeOf", "toLocaleString", "nested", "own_row", "natural", "left", "join"],
  ...["using", "lateral", "propertyIsEnumerable", "exists_", "limit", "offset", "union"],
];

// Quotes of every dialect, placeholders of every driver, comments, holes of templates, other scripts.
const characters = [
  ...["a b", 'q"q', "it's", "b`t", "back\\slash", "$1", "?", ":p1", "--", "/* c */", ";", "%s", "{f}", "{0}"],
  ...["ключ", "日本", "'", '"', "`", "[x]", "@v", "#order", "{p}", "\n", "\u2028", "{{f}}", "é"],
];

const long = (word: string, i: number, most: number): string =>
  `${word}_${"x".repeat(most)}`.slice(0, most - 3) + String(i).padStart(3, "0");

// Types that hold more than what is read of them, or hold it in another form.
const types: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  int: { postgres: "bigint", mariadb: "bigint", sqlite: "bigint" },
  dec0: { postgres: "numeric(20,0)", mariadb: "decimal(20,0)" },
  dec2: { postgres: "numeric(20,6)", mariadb: "decimal(20,6)" },
  dec4: { postgres: "numeric(24,8)", mariadb: "decimal(24,8)" },
  text: { postgres: "varchar(90)", mariadb: "varchar(90)", sqlite: "varchar(90)" },
  date: { postgres: "timestamptz(6)", mariadb: "datetime(6)" },
  json: { postgres: "json", mariadb: "longtext", sqlite: "text" },
};
const dates = Object.entries(plain).flatMap(([table, { fields }]) =>
  Object.entries(fields).flatMap(([field, { kind }]) =>
    kind === "date" ? [[table, plainColumns[field] ?? field] as const] : [],
  ),
);

// On MariaDB a schema is a database, which all of the server see.
const tag = randomBytes(6).toString("hex");

/** The dresses in which all servers know the tables. */
export const dresses: readonly Dress[] = [
  {
    title: "plain names",
    table: (name) => name,
    column: (_, field) => plainColumns[field] ?? field,
    fields: own(fieldNames),
    relations: own(relationNames),
  },
  {
    title: "declared types",
    table: (name) => name,
    column: (_, field) => plainColumns[field] ?? field,
    fields: own(fieldNames),
    relations: own(relationNames),
    type: ({ kind, scale }, isKey) => types[kind === "dec" ? `dec${scale}` : isKey ? "" : kind],
    more: {
      postgres: dates.map(
        ([table, name]) => `UPDATE "${table}" SET "${name}" = "${name}" + interval '7 microseconds'`,
      ),
      mariadb: dates.map(
        ([table, name]) => `UPDATE \`${table}\` SET \`${name}\` = \`${name}\` + INTERVAL 7 MICROSECOND`,
      ),
    },
  },
  {
    title: "words that mean something",
    table: from(numbered(tableNames, ["rows", "found", "own", "order", "value"])),
    column: (_, field) => numbered(fieldNames, [...words].reverse()).get(field) ?? field,
    fields: numbered(fieldNames, words),
    relations: numbered(relationNames, partWords),
  },
  {
    title: "characters that mean something",
    table: from(numbered(tableNames, ['t"{f}', "t;t", "`t` ?", "t'$1", "т{0}"])),
    column: (_, field) =>
      numbered(fieldNames, [...characters.map((name) => `${name}.`)].reverse()).get(field) ?? field,
    fields: numbered(fieldNames, characters),
    relations: own(relationNames),
  },
  {
    title: "names as long as they may be",
    table: (name) => long("t", tableNames.indexOf(name), 63),
    column: (_, field) => long("c", fieldNames.indexOf(field), 63),
    fields: new Map(fieldNames.map((name, i) => [name, long("f", i, 200)])),
    relations: new Map(relationNames.map((name, i) => [name, long("r", i, 63)])),
  },
  {
    title: "one name in five schemas",
    table: () => "t",
    namespace: (name) => `rowtype_${tag} "${tableNames.indexOf(name)}"`,
    column: (table, field) => `c${Object.keys(plain[table]?.fields ?? {}).indexOf(field)}`,
    fields: own(fieldNames),
    relations: own(relationNames),
  },
];

const SKIPPED: ReadonlySet<string> = new Set(["value", "values", "param", "op", "func", "table", "called"]);
const FIELDS: ReadonlySet<string> = new Set(["name", "mine", "theirs", "left", "right", "field", "of", "by"]);

/** A question in the names of a dress. */
export function dressed<T>(part: T, dress: Dress): T {
  if (Array.isArray(part)) return part.map((one) => dressed(one, dress)) as T;
  if (typeof part !== "object" || part === null || part instanceof Date) return part;
  const entries = Object.entries(part).map(([key, value]): readonly [string, unknown] => {
    if (SKIPPED.has(key)) return [key, value];
    if (key === "groupBy") return [key, (value as readonly string[]).map((name) => fieldName(name, dress))];
    if (typeof value !== "string") return [key, dressed(value, dress)];
    if (key === "path" || key === "relation" || isPlace(key, part)) return [key, placeName(value, dress)];
    return [key, FIELDS.has(key) ? fieldName(value, dress) : value];
  });
  return Object.fromEntries(entries) as T;
}

// A join, rows inside of rows, and all fields of a joined table.
const isPlace = (key: string, part: object): boolean =>
  (key === "name" && "way" in part) || (key === "of" && "op" in part && part.op === "all");

const placeName = (path: string, { relations }: Dress): string =>
  path
    .split(".")
    .map((one) => relations.get(one) ?? one)
    .join(".");

function fieldName(name: string, dress: Dress): string {
  const dot = name.indexOf(".");
  const field = name.slice(dot + 1);
  const known = dress.fields.get(field) ?? field;
  return dot < 0 ? known : `${placeName(name.slice(0, dot), dress)}.${known}`;
}

/** What was given in the names of a dress, in plain ones. */
export function undressed(given: unknown, { fields, relations }: Dress): unknown {
  const plainNames = new Map([...relations, ...fields].map(([name, other]) => [other, name]));
  const told = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(told);
    if (typeof part !== "object" || part === null || part instanceof Date || part instanceof Error)
      return part;
    return Object.fromEntries(
      Object.entries(part).map(([key, value]) => [plainNames.get(key) ?? key, told(value)]),
    );
  };
  return told(given);
}
