/** The relations that `pull` writes for foreign keys: their names, that `repositories` takes them, and the rows they find. */
import type { AnyTable } from "rowtype";
import { diff, pull } from "rowtype/migrate";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Lent, servers } from "../../servers.js";
import { declared, runPulled } from "./pulled-file.js";

// In the SQL of all three.
const SCHEMA = [
  "CREATE TABLE tenants (id INTEGER NOT NULL PRIMARY KEY, code VARCHAR(20) NOT NULL, UNIQUE (code))",
  "CREATE TABLE members (tenant_id INTEGER NOT NULL, user_id INTEGER NOT NULL, name VARCHAR(20) NOT NULL, PRIMARY KEY (tenant_id, user_id), FOREIGN KEY (tenant_id) REFERENCES tenants (id))",
  // The columns of the key in another order, two keys that share a column, and one to the table itself.
  `CREATE TABLE posts (id INTEGER NOT NULL PRIMARY KEY, tenant_id INTEGER NOT NULL, author_id INTEGER, editor_id INTEGER,
    parent INTEGER, code VARCHAR(20), FOREIGN KEY (author_id, tenant_id) REFERENCES members (user_id, tenant_id),
    FOREIGN KEY (tenant_id, editor_id) REFERENCES members (tenant_id, user_id), FOREIGN KEY (parent) REFERENCES posts (id),
    FOREIGN KEY (code) REFERENCES tenants (code))`,
  "CREATE TABLE tags (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(20) NOT NULL)",
  "CREATE TABLE post_tags (post_id INTEGER NOT NULL, tag_id INTEGER NOT NULL, PRIMARY KEY (post_id, tag_id), FOREIGN KEY (post_id) REFERENCES posts (id), FOREIGN KEY (tag_id) REFERENCES tags (id))",
  // Between rows of one table; and two keys that are not the whole primary key.
  "CREATE TABLE follows (follower_id INTEGER NOT NULL, followed_id INTEGER NOT NULL, PRIMARY KEY (follower_id, followed_id), FOREIGN KEY (follower_id) REFERENCES tags (id), FOREIGN KEY (followed_id) REFERENCES tags (id))",
  "CREATE TABLE visits (id INTEGER NOT NULL, post_id INTEGER NOT NULL, tag_id INTEGER NOT NULL, PRIMARY KEY (id, post_id, tag_id), FOREIGN KEY (post_id) REFERENCES posts (id), FOREIGN KEY (tag_id) REFERENCES tags (id))",
];

/** The relations of each table of a file, as they are written. */
function relationsIn(source: string): Record<string, readonly string[]> {
  const tables = source.matchAll(/^export const (\w+) = table\([\s\S]*?^\);/gm);
  return Object.fromEntries(
    [...tables].map(([text, name]) => {
      const [, lines = ""] = /^ {4}relations: \{\n((?: {6}.*,\n)*) {4}\},$/m.exec(text) ?? [];
      return [
        name,
        lines
          .split(",\n")
          .slice(0, -1)
          .map((line) => line.trim())
          .sort(),
      ];
    }),
  );
}

/** A repository of a table that is not known when this is compiled. */
interface AnyRepository {
  insert(): { execBatch(records: readonly object[]): Promise<unknown> };
  query(): AnyQuery;
}
interface AnyQuery {
  fields(name: string): AnyQuery;
  with(relation: string, query: undefined): AnyQuery;
  orderBy(name: string, direction: "asc"): AnyQuery;
  exec(): Promise<Readonly<Record<string, readonly Part[] | Part>>[]>;
}
type Part = Readonly<Record<string, unknown>> | null | undefined;

function exported(source: string): Record<string, AnyTable> {
  const file = runPulled(source);
  return Object.fromEntries([...file.parts.keys()].map((name) => [name, file.get(name) as AnyTable]));
}

describe.each(servers.filter(({ name }) => name !== "h2"))("on $name", (server) => {
  describe.skipIf(!server.available)("relations of a pulled file", () => {
    let lent: Lent;
    beforeAll(async () => {
      lent = await server.lend();
      // MariaDB refers to the columns of a key in its order alone.
      for (const text of SCHEMA)
        await lent.run(
          server.name === "mariadb"
            ? text
                .replace("(author_id, tenant_id)", "(tenant_id, author_id)")
                .replace("(user_id, tenant_id)", "(tenant_id, user_id)")
            : text,
        );
    });
    afterAll(() => lent.close());

    test.each(["camel", "same"] as const)("with names: %s", async (names) => {
      const { source } = await pull(lent.db, { names });
      const name = (field: string) =>
        names === "camel" ? field : field.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);
      const named = (text: string) => text.replace(/"([a-z]\w*)"/g, (_, field: string) => `"${name(field)}"`);
      const expected = {
        Follows: ['followed: one("Tags", "followedId")', 'follower: one("Tags", "followerId")'],
        Members: [
          'Posts: many("Posts", ["tenantId", "authorId"])',
          `PostsBy${names === "camel" ? "TenantIdEditorId" : "Tenant_idEditor_id"}: many("Posts", ["tenantId", "editorId"])`,
          'tenant: one("Tenants", "tenantId")',
        ],
        PostTags: ['post: one("Posts", "postId")', 'tag: one("Tags", "tagId")'],
        Posts: [
          'PostTags: many("PostTags", "postId")',
          'Posts: many("Posts", "parent")',
          'Tags: many("Tags", { through: "PostTags" })',
          'Visits: many("Visits", "postId")',
          'author: one("Members", ["tenantId", "authorId"])',
          'codeByCode: one("Tenants", "code", { key: "code" })',
          'editor: one("Members", ["tenantId", "editorId"])',
          'parentByParent: one("Posts", "parent")',
        ],
        Tags: [
          'Follows: many("Follows", "followedId")',
          `FollowsBy${names === "camel" ? "FollowerId" : "Follower_id"}: many("Follows", "followerId")`,
          'Posts: many("Posts", { through: "PostTags" })',
          'PostTags: many("PostTags", "tagId")',
          'Tags: many("Tags", { through: "Follows", from: "followed", to: "follower" })',
          `TagsBy${names === "camel" ? "FollowedId" : "Followed_id"}: many("Tags", { through: "Follows", from: "follower", to: "followed" })`,
          'Visits: many("Visits", "tagId")',
        ],
        Tenants: ['Members: many("Members", "tenantId")', 'Posts: many("Posts", "code", { key: "code" })'],
        Visits: ['post: one("Posts", "postId")', 'tag: one("Tags", "tagId")'],
      };
      expect(relationsIn(source)).toEqual(
        Object.fromEntries(
          Object.entries(expected).map(([table, lines]) => [table, lines.map(named).sort()]),
        ),
      );
      // `repositories` takes them, and they are no difference.
      const tables = declared(source);
      expect((await diff(tables, lent.db)).steps).toEqual([]);
    });

    test("they find the rows that the foreign keys relate", async () => {
      const { source } = await pull(lent.db, { names: "camel" });
      const { Members, Posts, Tags, PostTags, Tenants, Follows, Visits } = exported(source);
      const all = lent.db.repositories({ Members, Posts, Tags, PostTags, Tenants, Follows, Visits });
      const insert = async (name: keyof typeof all, ...records: object[]) =>
        await (all[name] as unknown as AnyRepository).insert().execBatch(records);
      await insert("Tenants", { id: 1, code: "a" }, { id: 2, code: "b" });
      await insert(
        "Members",
        { tenantId: 1, userId: 7, name: "Ann" },
        { tenantId: 2, userId: 7, name: "Bob" },
      );
      await insert(
        "Posts",
        { id: 1, tenantId: 1, authorId: 7, editorId: null, parent: null, code: "b" },
        { id: 2, tenantId: 2, authorId: null, editorId: 7, parent: 1, code: null },
      );
      await insert("Tags", { id: 1, name: "x" }, { id: 2, name: "y" });
      await insert("PostTags", { postId: 1, tagId: 1 }, { postId: 1, tagId: 2 });
      await insert("Follows", { followerId: 1, followedId: 2 });
      const read = async (name: keyof typeof all, relation: string, field: string) =>
        await (all[name] as unknown as AnyRepository)
          .query()
          .fields("id")
          .with(relation, undefined)
          .orderBy("id", "asc")
          .exec()
          .then((rows) => rows.map((row) => [row[relation]].flat().map((part) => part?.[field] ?? null)));
      expect(await read("Posts", "author", "name")).toEqual([["Ann"], [null]]);
      expect(await read("Posts", "editor", "name")).toEqual([[null], ["Bob"]]);
      expect(await read("Posts", "codeByCode", "id")).toEqual([[2], [null]]);
      expect(await read("Posts", "Posts", "id")).toEqual([[2], []]);
      expect(await read("Posts", "Tags", "name")).toEqual([["x", "y"], []]);
      expect(await read("Tags", "Posts", "id")).toEqual([[1], [1]]);
      // From a follower to those whom it follows, and back.
      expect(await read("Tags", "TagsByFollowedId", "id")).toEqual([[2], []]);
      expect(await read("Tags", "Tags", "id")).toEqual([[], [1]]);
    });
  });
});
