/**
 * Mistakes of a person who comes from Kysely, Prisma or Drizzle, written as such a person writes them. `«` stands before
 * the place that is wrong; `names` are what the message must say: the thing, and what there is. `open` says why the
 * message is not good yet.
 */
export interface Mistake {
  readonly what: string;
  readonly code: string;
  readonly names: readonly string[];
  readonly open?: string;
}

/** The program that the mistakes are made in. */
export const prelude = `import Sqlite from "better-sqlite3";
import { and, avg, c, column, compare, count, lower, many, one, or, sum, table, upper, value } from "rowtype";
import { Conflict, createEngine, GET, NotFound, POST } from "rowtype/http";
import { createClient } from "rowtype/http/client";
import { mariadb } from "rowtype/mariadb";
import { sqlite } from "rowtype/sqlite";
import { z } from "zod";

const id = column(z.int(), { primaryKey: true, generated: true });
const users = table(
  "users",
  z.object({ id, name: z.string(), email: column(z.email(), { unique: true }), age: z.int().nullable(), active: z.boolean() }),
  { relations: { issues: many("issues", "assigneeId") } },
);
const issues = table(
  "issues",
  z.object({
    id,
    title: z.string(),
    state: z.enum(["open", "closed"]),
    points: z.int(),
    assigneeId: column(z.int(), { references: () => users }),
    openedAt: z.date(),
  }),
  { relations: { assignee: one("users", "assigneeId"), comments: many("comments", "issueId") } },
);
const comments = table("comments", z.object({ id, issueId: z.int(), text: z.string() }));
const db = sqlite(new Sqlite(":memory:")).repositories({ users, issues, comments });
const database = sqlite(new Sqlite(":memory:"));
const notes = table(
  "notes",
  z.object({
    id,
    title: z.string(),
    points: z.int(),
    issueId: z.int(),
    version: column(z.int(), { auto: "version" }),
    deletedAt: column(z.date().nullable(), { auto: "deleted" }),
  }),
  { relations: { issue: one("issues", "issueId"), lines: many("lines", "noteId") } },
);
const lines = table("lines", z.object({ id, noteId: z.int(), qty: z.int(), text: z.string() }));
const site = database.repositories({ notes, lines, users, issues, comments });
const maria = mariadb().repositories({ notes, lines, users, issues, comments });
declare const eq: (left: unknown, right: unknown) => { readonly drizzle: true };
`;

const FIELDS = ["id", "title", "state", "points", "assigneeId", "openedAt"];
const LEAF = "TypeScript prints the type of an expression with all that it asks of its table";
const OPERATORS = ["=", "!=", ">", ">=", "<", "<=", "IN", "NOT IN"];

export const mistakes: readonly Mistake[] = [
  // Conditions
  {
    what: "a misspelt field in where",
    code: `db.issues.query().where(«"sate", "=", "state")`,
    names: ["sate", ...FIELDS],
  },
  {
    what: "a column's name in place of the field's",
    code: `db.issues.query().where(«"assignee_id", "=", "assigneeId")`,
    names: ["assignee_id", ...FIELDS],
  },
  {
    what: "a misspelt operator",
    code: `db.issues.query().where("points", «"==", "points")`,
    names: ["==", ...OPERATORS],
  },
  {
    what: "an operator's name of Drizzle",
    code: `db.issues.query().where("state", «"eq", "state")`,
    names: ["eq", "=", "IN"],
    open: "there are more operators of a text than fit",
  },
  {
    what: "LIKE on a number",
    code: `db.issues.query().where("points", «"LIKE", "pattern")`,
    names: ["LIKE", ...OPERATORS],
  },
  {
    what: "a number as the third argument",
    code: `db.issues.query().where("points", "=", «5)`,
    names: ["number", "a parameter's name"],
  },
  {
    what: "value() of another kind as the third argument",
    code: `db.issues.query().where("points", "=", «value("five"))`,
    names: ["five"],
    open: "values: the compilers tell of the overload that takes a parameter's name",
  },
  {
    what: "null as the third argument",
    code: `db.issues.query().where("assigneeId", "=", «null)`,
    names: ["null", "a parameter's name"],
  },
  {
    what: "a list as the third argument",
    code: `db.issues.query().where("state", "IN", «["open", "closed"])`,
    names: ["string[]", "a parameter's name"],
  },
  {
    what: "a text that is no parameter's name",
    code: `db.issues.query().where("title", "=", «"Login fails")`,
    names: ["Login fails", "param"],
    open: "the check of each name would cost every where a fifth more; the run time says it",
  },
  {
    what: "an enum's value in place of a parameter, without exec's",
    code: `db.issues.query().where("state", "=", "open").«exec()`,
    names: ["open"],
    open: "TypeScript counts the arguments before it looks at their types, and prints the count alone",
  },
  {
    what: "IS in place of whereNull",
    code: `db.issues.query().where("assigneeId", «"IS", "nothing")`,
    names: ["IS", ...OPERATORS],
  },
  {
    what: "where of an object",
    code: `db.issues.query().where(«{ state: "open" })`,
    names: ["write where(field, operator, param)"],
  },
  {
    what: "where of a condition",
    code: `db.issues.query().where(«c("state", "=", "state"))`,
    names: ["whereAnd"],
    open: LEAF,
  },
  {
    what: "a misspelt field in a group",
    code: `db.issues.query().whereOr(«c("sate", "=", "state"), c("points", ">", "least"))`,
    names: ["sate", ...FIELDS],
    open: LEAF,
  },
  {
    what: "a misspelt operator in a condition",
    code: `db.issues.query().whereOr(c("points", «"==", "points"))`,
    names: ["==", "=", "IN"],
    open: LEAF,
  },
  {
    what: "LIKE on a number in a condition",
    code: `db.issues.query().whereOr(«c("points", "LIKE", "pattern"))`,
    names: ["LIKE", "points"],
    open: LEAF,
  },
  {
    what: "a relation that there is not",
    code: `db.issues.query().whereExists(«"comment")`,
    names: ["comment", "comments", "assignee"],
  },
  // Rows
  {
    what: "a misspelt field in fields",
    code: `db.issues.query().fields("id", «"titel")`,
    names: ["titel", ...FIELDS],
    open: "fields",
  },
  { what: "fields of a list", code: `db.issues.query().fields(«["id", "title"])`, names: [], open: "fields" },
  {
    what: "an alias inside the text",
    code: `db.issues.query().fields(«"title as name")`,
    names: ["title as name", ...FIELDS],
    open: "fields",
  },
  {
    what: "a field of a relation before its join",
    code: `db.issues.query().fields("id", «"assignee.name")`,
    names: ["assignee.name", ...FIELDS],
    open: "fields",
  },
  {
    what: "an aggregate without a name",
    code: `db.issues.query().fields("state", «count()).groupBy("state")`,
    names: [".as("],
    open: LEAF,
  },
  {
    what: "a sum of a text",
    code: `db.issues.query().fields(«sum("title").as("total"))`,
    names: ["title", "number"],
    open: LEAF,
  },
  {
    what: "a sum of a text, of the table",
    code: `db.issues.sum(«"title")`,
    names: ["title", "id", "points", "assigneeId"],
  },
  {
    what: "a misspelt field in an expression",
    code: `db.issues.query().fields(«upper("titel").as("loud"))`,
    names: ["titel", ...FIELDS],
    open: LEAF,
  },
  {
    what: "a field beside an aggregate",
    code: `db.issues.query().fields("state", count().as("n")).«exec()`,
    names: ["state", "groupBy"],
  },
  {
    what: "a misspelt field in orderBy",
    code: `db.issues.query().orderBy(«"openedAd", "desc")`,
    names: ["openedAd", ...FIELDS],
  },
  {
    what: "a direction in capitals",
    code: `db.issues.query().orderBy("openedAt", «"DESC")`,
    names: ["DESC", "asc", "desc"],
  },
  {
    what: "orderBy of an object",
    code: `db.issues.query().orderBy(«{ openedAt: "desc" })`,
    names: ["write orderBy(field, direction)"],
  },
  // Joins
  {
    what: "a table's name in place of the relation's",
    code: `db.issues.query().join(«"users")`,
    names: ["users", "assignee", "comments"],
  },
  {
    what: "a table where a repository is wanted",
    code: `db.users.query().with("issues", «issues)`,
    names: [],
    open: "tables",
  },
  {
    what: "a repository where a table is wanted",
    code: `database.repository(«db.users)`,
    names: ["table"],
    open: "tables",
  },
  {
    what: "fields of two types in joinOn",
    code: `db.issues.query().joinOn("author", users, "assigneeId", «"name")`,
    names: ["name", "id"],
    open: "joinOn",
  },
  {
    what: "a taken alias",
    code: `db.issues.query().fields("id", «upper("title").as("state"))`,
    names: ["state"],
    open: LEAF,
  },
  // Calls
  {
    what: "a misspelt parameter",
    code: `db.issues.query().where("points", ">", "least").exec({ «lest: 1 })`,
    names: ["lest", "least"],
  },
  {
    what: "a parameter of the wrong type",
    code: `db.issues.query().where("points", ">", "least").exec({ «least: "1" })`,
    names: ["string", "number"],
  },
  {
    what: "parameters in a list",
    code: `db.issues.query().where("points", ">", "least").exec(«[1])`,
    names: ["least"],
  },
  { what: "a limit as text", code: `db.issues.query().limit(«"10")`, names: ["string", "number"] },
  // Changes
  {
    what: "an insert without a field",
    code: `db.issues.insert().exec(«{ title: "Login fails", state: "open", points: 1, openedAt: new Date() })`,
    names: ["assigneeId"],
    open: "two records in one message",
  },
  {
    what: "an insert below data",
    code: `db.users.insert().exec({ «data: { name: "Ann", email: "ann@example.org", active: true } })`,
    names: ["data"],
    open: "two records in one message",
  },
  {
    what: "set of an object",
    code: `db.issues.modify().set(«{ state: "closed" })`,
    names: ["write set(field, param)"],
  },
  {
    what: "an update without a condition",
    code: `db.issues.modify().set("state", "state").«exec({ state: "closed" })`,
    names: ["condition"],
  },
  {
    what: "an upsert by a field that is no key",
    code: `db.users.insert().onConflict(«"name")`,
    names: ["name", "id", "email"],
    open: "onConflict",
  },
  // Joins by conditions, rules, values and nested records
  {
    what: "a misspelt field of a joined table in its condition",
    code: `site.notes.query().leftJoinOn("l", lines, «compare("points", "<=", "l.qtty"))`,
    names: ["l.qtty", "l.qty"],
    open: LEAF,
  },
  {
    what: "a misspelt field of a joined table in a where",
    code: `site.notes.query().join("issue").where(«"issue.point", "=", "points")`,
    names: ["issue.point", "issue.points", "version"],
    open: "the fields of two tables are more than fit",
  },
  {
    what: "a misspelt field of a joined table as a field of theirs",
    code: `site.notes.query().joinOn("l", lines, "id", «"noteID")`,
    names: ["noteID", "noteId"],
    open: "joinOn",
  },
  {
    what: "pairs of other kinds in lists",
    code: `site.notes.query().joinOn("l", lines, ["id", "title"], «["noteId", "qty"])`,
    names: ["qty", "text"],
    open: "joinOn",
  },
  {
    what: "lists of other lengths",
    code: `site.notes.query().joinOn("l", lines, ["id", "title"], «["noteId"])`,
    names: ["noteId"],
    open: "joinOn",
  },
  {
    what: "a full join on MariaDB",
    code: `maria.notes.query().«fullJoin("issue")`,
    names: ["FULL JOIN", "mariadb", "leftJoin", "whereNotExists"],
  },
  {
    what: "a right join after fields",
    code: `site.notes.query().fields("id").«rightJoin("issue")`,
    names: ["fields"],
  },
  {
    what: "a full join after fields",
    code: `site.notes.query().fields("id").«fullJoin("issue")`,
    names: ["fields"],
  },
  {
    what: "a value of another kind in c",
    code: `site.notes.query().whereAnd(«c("points", "=", value("five")))`,
    names: ["five"],
    open: LEAF,
  },
  {
    what: "a value of another kind in set",
    code: `site.notes.modify().set("points", «value("five"))`,
    names: ["five"],
    open: "values: the compilers tell of the overload that takes a parameter's name",
  },
  {
    what: "a version left out",
    code: `site.notes.modify().set("title", "title").where("id", "=", "id").exec(«{ id: 1, title: "x" })`,
    names: ["version"],
  },
  {
    what: "a version left out of a removal",
    code: `site.notes.remove().where("id", "=", "id").exec(«{ id: 1 })`,
    names: ["version"],
  },
  {
    what: "a column of a rule that is set",
    code: `site.notes.modify().set(«"version", "v")`,
    names: ["version", "title", "points"],
  },
  {
    what: "a column of a rule in a record",
    code: `site.notes.insert().exec({ title: "x", points: 1, issueId: 1, «version: 1 })`,
    names: ["version"],
  },
  {
    what: "an unknown rule",
    code: `site.notes.without(«"deleted")`,
    names: ["deleted", "deletedAt", "version"],
  },
  {
    what: "a child without its field",
    code: `site.notes.insert().with("lines").exec({ title: "x", points: 1, issueId: 1, lines: [«{ text: "x" }] })`,
    names: ["qty"],
  },
  {
    what: "a child with the field of the key",
    code: `site.notes.insert().with("lines").exec({ title: "x", points: 1, issueId: 1, lines: [{ qty: 1, text: "x", «noteId: 1 }] })`,
    names: ["noteId"],
  },
  {
    what: "a nested insert without its list",
    code: `site.notes.insert().with("lines").exec(«{ title: "x", points: 1, issueId: 1 })`,
    names: ["lines"],
    open: "two records in one message",
  },
  {
    what: "a nested insert over a relation that there is not",
    code: `site.notes.insert().with(«"line")`,
    names: ["line", "issue", "lines"],
  },
  // Handlers
  {
    what: "an error that the handler does not declare",
    code: `GET("/issues/{id}", { path: { id: z.int() }, errors: [NotFound] }, «() => Conflict)`,
    names: ["CONFLICT", "NOT_FOUND"],
    open: "the types do not refuse it: an engine does at run time",
  },
  {
    what: "a parameter that the path does not name",
    code: `GET("/issues/{id}", { path: { «issue: z.int() } }, () => 1)`,
    names: ["issue", "id"],
    open: "path",
  },
];
