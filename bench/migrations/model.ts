/**
 * A schema in words of its own, from which both the declarations of rowtype and those of Drizzle are written, so that
 * the two tools are asked for the same change. The base schema has something of everything that an edit drops.
 */
export type Kit = "postgres" | "mariadb" | "sqlite";

export interface ColumnModel {
  /** `int`, `bigint`, `text`, `varchar N`, `numeric P S`, or the name of an enum type. */
  readonly type: string;
  readonly nullable?: boolean;
  /** SQL text, or one for each database. */
  readonly default?: string | Readonly<Record<Kit, string>>;
  readonly computed?: string;
  readonly stored?: boolean;
  /** What rowtype is told; Drizzle asks. */
  readonly renamedFrom?: string;
}

export interface KeyModel {
  readonly columns: readonly string[];
  readonly table: string;
  readonly onDelete?: "cascade" | "set null" | "restrict";
}

export interface IndexModel {
  readonly columns?: readonly string[];
  readonly expression?: string;
  readonly unique?: boolean;
  readonly where?: string;
}

export interface TableModel {
  readonly columns: Readonly<Record<string, ColumnModel>>;
  readonly primaryKey: readonly string[];
  readonly keys: Readonly<Record<string, readonly string[]>>;
  readonly checks: Readonly<Record<string, string>>;
  readonly indexes: Readonly<Record<string, IndexModel>>;
  readonly references: Readonly<Record<string, KeyModel>>;
  readonly renamedFrom?: string;
}

export interface Model {
  readonly enums: Readonly<Record<string, readonly string[]>>;
  /** In an order in which each refers to earlier ones. */
  readonly tables: Readonly<Record<string, TableModel>>;
  readonly views: Readonly<
    Record<string, { readonly columns: Readonly<Record<string, ColumnModel>>; readonly as: string }>
  >;
}

const none = { keys: {}, checks: {}, indexes: {}, references: {} };

export const base: Model = {
  enums: { mood: ["calm", "glad", "wild"] },
  tables: {
    teams: {
      ...none,
      columns: {
        id: { type: "int" },
        name: { type: "varchar 40" },
        city: { type: "varchar 40", nullable: true },
      },
      primaryKey: ["id"],
    },
    people: {
      columns: {
        id: { type: "int" },
        name: { type: "varchar 80" },
        email: { type: "varchar 120" },
        nick: { type: "varchar 80", nullable: true },
        digits: { type: "varchar 20" },
        age: { type: "int", nullable: true },
        score: { type: "int", default: "0" },
        price: { type: "numeric 10 2" },
        bio: { type: "text", nullable: true },
        mood: { type: "mood" },
        team_id: { type: "int", nullable: true },
        boss_team_id: { type: "int", nullable: true },
      },
      primaryKey: ["id"],
      keys: { people_email_key: ["email"] },
      checks: { people_score_check: "score >= 0" },
      indexes: { people_age_idx: { columns: ["age"] }, people_names_idx: { columns: ["name", "nick"] } },
      references: { people_team_id_fkey: { columns: ["team_id"], table: "teams" } },
    },
    posts: {
      ...none,
      columns: {
        id: { type: "int" },
        person_id: { type: "int" },
        title: { type: "varchar 80" },
        body: { type: "text", nullable: true },
      },
      primaryKey: ["id"],
      references: { posts_person_id_fkey: { columns: ["person_id"], table: "people", onDelete: "cascade" } },
    },
    members: {
      ...none,
      columns: { team_id: { type: "int" }, person_id: { type: "int" }, role: { type: "varchar 20" } },
      primaryKey: ["team_id", "person_id"],
    },
  },
  views: {
    team_cities: {
      columns: { id: { type: "int" }, city: { type: "varchar 40", nullable: true } },
      as: "select id, city from teams where city is not null",
    },
  },
};

/**
 * A schema as a database gets it. `drizzle-kit push` fails on SQLite wherever there is a view, after it dropped a table:
 * there only the edits about views have one.
 */
export function modelFor(model: Model, kit: Kit, title: string): Model {
  return kit === "sqlite" && !title.includes("view") ? { ...model, views: {} } : model;
}

const PEOPLE = 200;

/** The rows that the base schema has before the edit, as statements for any of the databases. */
export function rowsOfBase(): readonly string[] {
  const some = (count: number, row: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => `(${row(i + 1)})`).join(", ");
  const moods = ["calm", "glad"];
  return [
    `insert into teams (id, name, city) values ${some(10, (i) => `${i}, 'team ${i}', ${i % 3 === 0 ? "null" : `'city ${i}'`}`)}`,
    `insert into people (id, name, email, nick, digits, age, price, bio, mood, team_id, boss_team_id) values ${some(
      PEOPLE,
      (i) =>
        `${i}, 'person ${i % 50}', 'p${i}@example.org', 'nick ${i}', '${1000 + i}', ${i % 90}, ${i}.25, ` +
        `${i % 2 === 0 ? "null" : `'about ${i}'`}, '${moods[i % 2]}', ${(i % 10) + 1}, ${(i % 10) + 1}`,
    )}`,
    `insert into posts (id, person_id, title, body) values ${some(PEOPLE * 3, (i) => `${i}, ${(i % PEOPLE) + 1}, 'title ${i}', 'body ${i}'`)}`,
    `insert into members (team_id, person_id, role) values ${some(PEOPLE, (i) => `${(i % 10) + 1}, ${i}, 'plays'`)}`,
  ];
}
