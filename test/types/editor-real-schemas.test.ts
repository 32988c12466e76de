/** What an editor offers in and beside joins by conditions, for the names of rules, and in records with others inside. */
import { describe, expect, test } from "vitest";
import { openEditor } from "./editor.js";

const editor =
  openEditor(`import { and, between, c, column, compare, isNull, many, notNull, one, table, value } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { z } from "zod";
const id = column(z.int(), { primaryKey: true, generated: true });
const notes = table("notes", z.object({
  id, title: z.string(), state: z.enum(["draft", "live"]), version: column(z.int(), { auto: "version" }),
  deletedAt: column(z.date().nullable(), { auto: "deleted" }),
}), {
  filters: { live: c("state", "=", value("live")) },
  relations: { lines: many("lines", "noteId") },
});
const lines = table("lines", z.object({ id, noteId: z.int(), qty: z.int(), tagId: z.int().nullable() }), {
  relations: { note: one("notes", "noteId"), tag: one("tags", "tagId") },
});
const tags = table("tags", z.object({ id, name: z.string(), weight: z.int() }));
const site = sqlite().repositories({ notes, lines, tags });
`);

describe("completions", () => {
  const places = [
    [
      "a join by two fields",
      `site.notes.query().joinOn("l", lines, "id", "/*|*/")`,
      ["id", "noteId", "qty", "tagId"],
    ],
    [
      "a where after a join by a condition",
      `site.notes.query().joinOn("l", lines, compare("id", "=", "l.noteId")).where("/*|*/")`,
      ["id", "title", "state", "version", "deletedAt", "l.id", "l.noteId", "l.qty", "l.tagId"],
    ],
    [
      "a where after a right join",
      `site.lines.query().rightJoin("tag").where("/*|*/")`,
      ["id", "noteId", "qty", "tagId", "tag.id", "tag.name", "tag.weight"],
    ],
  ] as const;
  const records = [
    ["names of rules", `site.notes.without("/*|*/")`, ["live", "deletedAt", "version"]],
    ["the second name of a rule", `site.notes.without("live", "/*|*/")`, ["live", "deletedAt", "version"]],
    ["names of rules of a relation's table", `site.tags.without("/*|*/")`, []],
    ["what is set, without the columns of rules", `site.notes.modify().set("/*|*/")`, ["title", "state"]],
    ["relations of a nested insert", `site.lines.insert().with("/*|*/")`, ["note", "tag"]],
    [
      "the record of a nested insert",
      `site.notes.insert().with("lines").exec({ /*|*/ })`,
      ["title", "state", "lines"],
    ],
    [
      "a nested record of a list",
      `site.notes.insert().with("lines").exec({ title: "x", state: "live", lines: [{ /*|*/ }] })`,
      ["qty", "tagId"],
    ],
    [
      "a nested record two levels deep",
      `site.notes.insert().with("lines", site.lines.insert().with("tag")).exec({ title: "x", state: "live", lines: [{ qty: 1, tag: { /*|*/ } }] })`,
      ["name", "weight"],
    ],
    [
      "the version of a change",
      `site.notes.modify().set("title", value("x")).where("id", "=", "key").exec({ /*|*/ })`,
      ["key", "version"],
    ],
  ] as const;
  const both = ["id", "title", "state", "version", "deletedAt", "l.id", "l.noteId", "l.qty", "l.tagId"];
  const query = `site.lines.query().as("l")`;
  const within = [
    `query().joinOn("l", lines, compare("/*|*/", "=", "l.id"))`,
    `query().joinOn("l", lines, compare("id", "=", "/*|*/"))`,
    `query().joinOn("l", site.lines, compare("id", "=", "/*|*/"))`,
    `query().leftJoinOn("l", lines, c("/*|*/", "=", value(1)))`,
    `query().leftJoinOn("l", lines, isNull("/*|*/"))`,
    `query().rightJoinOn("l", lines, compare("id", "=", "/*|*/"))`,
    `query().fullJoinOn("l", lines, compare("id", "=", "/*|*/"))`,
    `select().joinOn("l", lines, compare("id", "=", "/*|*/"))`,
    `count().joinOn("l", lines, notNull("/*|*/"))`,
    `query().joinQuery(${query}, compare("id", "=", "/*|*/"))`,
    `query().leftJoinQuery(${query}, between("/*|*/", "low", "high"))`,
    `query().withOn("l", site.lines.query(), compare("id", "=", "/*|*/"))`,
    `query().whereExistsOn(${query}, compare("id", "=", "/*|*/"))`,
    `query().whereNotExistsOn(${query}, compare("id", "=", "/*|*/"))`,
    `modify().whereExistsOn(${query}, compare("id", "=", "/*|*/"))`,
    `remove().whereNotExistsOn(${query}, compare("id", "=", "/*|*/"))`,
  ].map((text) => `site.notes.${text}`);
  editor.open([...[...places, ...records].map(([, text]) => text), ...within]);

  test.each(within)("the fields of both sides in the condition of %s", (text) => {
    const range = text.includes("between") ? both.filter((name) => !/title|state/.test(name)) : both;
    // An editor offers what stands there too.
    expect(editor.completions(text).filter((name) => name !== "")).toEqual(expect.arrayContaining(range));
    expect(editor.completions(text).filter((name) => name !== "" && !both.includes(name))).toEqual([]);
  });

  test.each([...places, ...records])("%s", (_, text, offered) => {
    expect(editor.completions(text).sort()).toEqual([...offered].sort());
  });
});
