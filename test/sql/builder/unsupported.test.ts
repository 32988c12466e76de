/** What a dialect cannot do is refused with its name, the feature and a hint; what it can do is rendered. */
import { type Database, UnsupportedError } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { describe, expect, test } from "vitest";
import { Person } from "../../kit/people.js";
import { sqlErrorIn } from "../../kit/thrown.js";

const dialects = ["postgres", "mariadb", "sqlite", "oracle"] as const;
type Dialect = (typeof dialects)[number];
const databases = { postgres: postgres(), mariadb: mariadb(), sqlite: sqlite(), oracle: oracle() };

// Written as on PostgreSQL, whose types have all of it; the other dialects get it from untyped callers.
const repositoryOf = (dialect: Dialect) =>
  (databases[dialect] as unknown as Database<"postgres">).repository(Person);
type People = ReturnType<typeof repositoryOf>;

interface Feature {
  readonly name: string;
  readonly build: (people: People) => { render(): { native: { sql: string } } };
  /** The dialects that have it, and a part of their text. */
  readonly texts: { readonly [D in Dialect]?: string };
}

const features: readonly Feature[] = [
  {
    name: "FOR UPDATE",
    build: (p) => p.query().forUpdate(),
    texts: { postgres: " FOR UPDATE", mariadb: " FOR UPDATE", oracle: " FOR UPDATE" },
  },
  {
    name: "FOR UPDATE SKIP LOCKED",
    build: (p) => p.query().forUpdate({ skipLocked: true }),
    texts: {
      postgres: " FOR UPDATE SKIP LOCKED",
      mariadb: " FOR UPDATE SKIP LOCKED",
      oracle: " FOR UPDATE SKIP LOCKED",
    },
  },
  {
    name: "FOR NO KEY UPDATE",
    build: (p) => p.query().forNoKeyUpdate(),
    texts: { postgres: " FOR NO KEY UPDATE" },
  },
  {
    name: "FOR SHARE",
    build: (p) => p.query().forShare({ noWait: true }),
    texts: { postgres: " FOR SHARE NOWAIT", mariadb: " LOCK IN SHARE MODE NOWAIT" },
  },
  { name: "FOR KEY SHARE", build: (p) => p.query().forKeyShare(), texts: { postgres: " FOR KEY SHARE" } },
  {
    name: "DISTINCT ON",
    build: (p) => p.query().distinctOn("role").orderBy("role", "asc"),
    texts: { postgres: 'SELECT DISTINCT ON ("role") ' },
  },
  ...(["~", "~*", "!~", "!~*"] as const).map(
    (operator): Feature => ({
      name: `the operator ${operator}`,
      build: (p) => p.query().where("name", operator, "x"),
      texts: { postgres: `"name" ${operator} $1` },
    }),
  ),
  ...(["@>", "<@", "&&"] as const).map(
    (operator): Feature => ({
      name: `the operator ${operator} on arrays`,
      build: (p) => p.query().where("tags", operator, "x"),
      texts: { postgres: `"tags" ${operator} $1` },
    }),
  ),
  {
    name: "DISTINCT of JSON",
    build: (p) => p.query().fields("settings").distinct(),
    texts: {
      postgres: 'DISTINCT "settings"',
      mariadb: "DISTINCT `settings`",
      sqlite: 'DISTINCT "settings"',
    },
  },
  {
    name: "a union of bytes",
    build: (p) => p.query().fields("photo").union(p.query().fields("photo")),
    texts: { postgres: " UNION ", mariadb: " UNION ", sqlite: " UNION " },
  },
  {
    name: "groups by arrays",
    build: (p) => p.query().fields("tags").groupBy("tags"),
    texts: { postgres: 'GROUP BY "tags"', mariadb: "GROUP BY `tags`", sqlite: 'GROUP BY "tags"' },
  },
];

const rows = features.flatMap((feature) =>
  dialects.map((dialect) => ({ ...feature, dialect, text: feature.texts[dialect] })),
);

describe("a feature", () => {
  test.each(rows.filter(({ text }) => text !== undefined))("$name is rendered on $dialect", (row) => {
    expect(row.build(repositoryOf(row.dialect)).render().native.sql).toContain(row.text);
  });

  test.each(rows.filter(({ text }) => text === undefined))("$name is refused on $dialect", (row) => {
    const error = sqlErrorIn(() => row.build(repositoryOf(row.dialect)).render());
    expect(error).toBeInstanceOf(UnsupportedError);
    expect(error).toMatchObject({ code: "UNSUPPORTED", dialect: row.dialect });
    const { feature, hint } = error as UnsupportedError;
    expect(feature).not.toBe("");
    expect(hint.length).toBeGreaterThan(10);
  });

  test("a compound query of more queries than SQLite supports", () => {
    const one = repositoryOf("sqlite").query().fields("id");
    let all = one.union(one);
    for (let i = 2; i < 500; i++) all = all.unionAll(one);
    expect(all.render().native.sql.match(/UNION/g)).toHaveLength(499);
    expect(sqlErrorIn(() => all.unionAll(one).render())).toMatchObject({
      code: "UNSUPPORTED",
      dialect: "sqlite",
    });
  });
});
