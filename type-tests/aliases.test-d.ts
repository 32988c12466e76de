// The name of an expression: whatever is a field of the table, a joined table or a list of rows is taken.
import { column, count, many, one, rowNumber, sum, table, upper, value } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { expectType } from "tsd";
import { z } from "zod";

const id = column(z.int(), { primaryKey: true, generated: true });
const users = table("users", z.object({ id, name: z.string() }), {
  relations: { issues: many("issues", "authorId") },
});
const issues = table("issues", z.object({ id, title: z.string(), points: z.int(), authorId: z.int() }), {
  relations: { author: one("users", "authorId"), comments: many("comments", "issueId") },
});
const comments = table("comments", z.object({ id, issueId: z.int(), text: z.string() }));
const db = sqlite();
const { issues: r } = db.repositories({ users, issues, comments });

const place = rowNumber().over({ orderBy: [["id", "asc"]] });

// A field of the table, with fields beside it and alone, of every kind of expression.
// @ts-expect-error
r.query().fields("id", upper("title").as("title"));
// @ts-expect-error
r.query().fields(upper("title").as("title"));
// @ts-expect-error
r.query().fields(sum("points").as("points"));
// @ts-expect-error
r.query().fields("title", count().as("id"));
// @ts-expect-error
r.query().fields("title", place.as("id"));
// @ts-expect-error
r.query().fields("title", value(1).as("points"));
// One of two names is taken.
// @ts-expect-error
r.query().fields("id", upper("title").as("title" as "title" | "loud"));
// The second of two expressions.
// @ts-expect-error
r.query().fields(upper("title").as("loud"), upper("title").as("title"));

// A joined table, however it was joined; its fields are behind its name, and so are free.
// @ts-expect-error
r.query().join("author").fields("id", upper("title").as("author"));
// @ts-expect-error
r.query().leftJoin("author").fields("id", upper("title").as("author"));
// @ts-expect-error
r.query().joinOn("writer", users, "authorId", "id").fields("id", upper("title").as("writer"));
// @ts-expect-error
r.query().join("author").fields("author.name", upper("author.name").as("title"));
expectType<Promise<{ id: number; name: string }[]>>(
  r.query().join("author").fields("id", upper("author.name").as("name")).exec(),
);
expectType<Promise<{ id: number; author: string }[]>>(
  r.query().fields("id", upper("title").as("author")).exec(),
);

// Rows inside of rows.
// @ts-expect-error
r.query().with("comments").fields("id", count().as("comments"));
// @ts-expect-error
r.query().withOn("said", comments, "id", "issueId").fields("id", upper("title").as("said"));

// What a change returns.
// @ts-expect-error
r.insert().returning("id", upper("title").as("title"));
// @ts-expect-error
r.modify().set("title", "title").where("id", "=", "id").returning(upper("title").as("points"));
// @ts-expect-error
r.remove().where("id", "=", "id").returning(upper("title").as("title"));

// A name that is known at run time alone is refused there.
r.query().fields("id", upper("title").as("title" as string));
// What follows a name that is taken is no further mistake.
// @ts-expect-error
const loud = r.query().fields("id", upper("title").as("title"));
loud.orderBy("id", "asc").limit(3).exec();
