// A database of several dialects has what each of them has: the right call, the wrong call, the boundary.
import { c, column, type Database, json, lower, max, path, table, vector } from "rowtype";
import { expectAssignable } from "tsd";
import { z } from "zod";

const User = table(
  "users",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    name: z.string(),
    tags: z.array(z.string()),
    meta: json(z.object({ title: z.string() })),
  }),
);
const Place = table("places", z.object({ id: column(z.int(), { primaryKey: true }), at: vector(3) }));

declare const onPostgres: Database<"postgres">;
declare const either: Database<"postgres" | "sqlite">;
declare const servers: Database<"postgres" | "mariadb">;
declare const withoutPostgres: Database<"mariadb" | "oracle">;
declare const any: Database;
const users = either.repository(User);

// A database of one of them is one of several
expectAssignable<Database<"postgres" | "sqlite">>(onPostgres);
expectAssignable<Database>(either);
// @ts-expect-error: it may be one of SQLite
expectAssignable<Database<"postgres">>(either);

// Operators that all have
users
  .query()
  .where("name", "ICONTAINS", "a")
  .where(lower("name"), "LIKE", "b")
  .where(path("meta", "title"), "ILIKE", "c")
  .where("tags", "=", "d")
  .whereAnd(c("name", "STARTS WITH", "e"), c(lower("name"), "!=", "f"));
withoutPostgres.repository(User).query().where("name", "ENDS WITH", "a");
any.repository(User).query().where("name", "ILIKE", "a");

// Those of PostgreSQL alone, which PostgreSQL alone has
onPostgres
  .repository(User)
  .query()
  .where("name", "~", "a")
  .where(lower("name"), "!~*", "b")
  .where(path("meta", "title"), "~*", "c")
  .where("tags", "&&", "d")
  .whereAnd(c("name", "!~", "e"), c("tags", "@>", "f"));
// @ts-expect-error: SQLite has no regular expressions
users.query().where("name", "~", "a");
// @ts-expect-error: nor these
users.query().where("name", "~*", "a");
// @ts-expect-error: nor these
users.query().where("name", "!~", "a");
// @ts-expect-error: nor these
users.query().where("name", "!~*", "a");
// @ts-expect-error: SQLite has no operators of lists
users.query().where("tags", "@>", "a");
// @ts-expect-error: nor this one
users.query().where("tags", "<@", "a");
// @ts-expect-error: nor this one
users.query().where("tags", "&&", "a");
// @ts-expect-error: MariaDB has no such regular expressions
servers.repository(User).query().where("name", "~", "a");
// @ts-expect-error: a database of any dialect
any.repository(User).query().where("name", "~", "a");
// @ts-expect-error: neither has them
withoutPostgres.repository(User).query().where("name", "~", "a");

// Wherever an operator stands
// @ts-expect-error: of an expression
users.query().where(lower("name"), "~", "a");
// @ts-expect-error: of a path
users.query().where(path("meta", "title"), "~", "a");
// @ts-expect-error: in a condition
users.query().whereAnd(c("name", "~", "a"));
// @ts-expect-error: in a condition of an expression
users.query().whereOr(c(lower("name"), "~", "a"));
// @ts-expect-error: in a condition of a path
users.query().whereOr(c(path("meta", "title"), "~", "a"));
const grouped = users.query().fields(max("name").as("most"));
// @ts-expect-error: of groups
grouped.having("most", "~", "a");
// @ts-expect-error: of groups, by the expression
grouped.having(max(lower("name")), "~", "a");
// @ts-expect-error: of a change
users.modify().where("name", "~", "a");
// @ts-expect-error: of a removal
users.remove().where("name", "~", "a");
// @ts-expect-error: of an upsert
users.insert().onConflict("id").doUpdate().where("name", "~", "a");
// @ts-expect-error: of a dynamic builder
users.query().dynamic().where("name", "~", "a");
// @ts-expect-error: of a query as a table
either.from(users.query().fields("name").as("named")).query().where("name", "~", "a");
// @ts-expect-error: of a table of a module
either.repositories({ User }).User.query().where("name", "~", "a");
either.transaction(async (tx) => {
  // @ts-expect-error: in a transaction
  tx.repository(User).query().where("name", "~", "a");
});

// Methods that one of them lacks
servers.repository(User).query().forUpdate();
servers.repository(User).select().forShare({ skipLocked: true });
// @ts-expect-error: SQLite has no DISTINCT ON
users.query().distinctOn("name");
// @ts-expect-error: SQLite has no row locks
users.query().forUpdate();
// @ts-expect-error: MariaDB has no DISTINCT ON
servers.repository(User).query().distinctOn("name");
// @ts-expect-error: MariaDB has no such lock
servers.repository(User).query().forKeyShare();

// Tables that one of them cannot hold
onPostgres.repository(Place);
// @ts-expect-error: SQLite has no vectors
either.repository(Place);
// @ts-expect-error: nor has a database of any dialect
any.repository(Place);
// @ts-expect-error: in a module too
either.repositories({ Place }).Place.query();

// An independent transaction, which SQLite does not allow
onPostgres.transaction(async () => 1, { tx: null });
servers.transaction(async () => 1, { tx: null });
// @ts-expect-error: SQLite has one connection
either.transaction(async () => 1, { tx: null });
// @ts-expect-error: as a database of any dialect may have
any.transaction(async () => 1, { tx: null });
