/**
 * A catalog whose names and texts are hostile to a file of TypeScript, and to files of migrations: what `pull` writes
 * compiles, holds no code but declarations, and makes the same tables again; what `diff` writes of it is applied.
 */
import { rmSync } from "node:fs";
import { column, type Dialect, table } from "rowtype";
import { type Catalog, diff, generate, introspect, migrate, pull } from "rowtype/migrate";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorOf } from "../../kit/thrown.js";
import { servers } from "../../servers.js";
import { makeFolder } from "./folders.js";
import { declared, said } from "./pulled-file.js";

const HOSTILE: readonly string[] = [
  ...[
    'a"b',
    "a'b",
    "a`b",
    "a\nb",
    "a\\\nb",
    "a\r\nb",
    "*/ evil(); /*",
    "// evil()",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a name that would be code in a template
    "`${evil()}`",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a name that would be code in a template
    "${evil()}",
    "\\",
    "\\u0022",
  ],
  ...[
    "__proto__",
    "constructor",
    "toString",
    "class",
    "default",
    "select",
    "order",
    "a b",
    " lead",
    "1digit",
    "$",
    "_",
  ],
  ...[
    "é",
    "日本語",
    "\u202erevo",
    "a\u2028b",
    "a\ufeffb",
    "-- step drop table x",
    '");\nevil("',
    "<script>",
    "a?b:c",
    ":p",
  ],
  ...[
    "name",
    "z",
    "table",
    "AnyTable",
    "undefined",
    "NaN",
    "id",
    "Id",
    "ID",
    "%s",
    "a\tb",
    "]}",
    "a,b",
    "x".repeat(60),
  ],
];

/** The names that a server takes. */
const takes: Readonly<Partial<Record<Dialect, (name: string) => boolean>>> = {
  sqlite: () => true,
  postgres: (name) => Buffer.byteLength(name) <= 63,
  mariadb: (name) => name.length <= 64,
};

// No escape of the server keeps it in a file.
const UNKEPT = "a\r\nb";

const quoteOf = (dialect: Dialect) => {
  const mark = dialect === "mariadb" ? "`" : '"';
  return (name: string) => `${mark}${name.replaceAll(mark, mark + mark)}${mark}`;
};
const textOf = (dialect: Dialect, text: string) =>
  dialect === "mariadb"
    ? `'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`
    : `'${text.replaceAll("'", "''")}'`;

/** What a server is given: tables, columns, constraints, indexes, views, enums, comments and defaults of such names. */
function statements(dialect: Dialect): string[] {
  const q = quoteOf(dialect);
  const t = (text: string) => textOf(dialect, text);
  const text = dialect === "mariadb" ? "varchar(20)" : dialect === "sqlite" ? "TEXT" : "text";
  const int = dialect === "sqlite" ? "INTEGER" : "int";
  // Names of columns and tables are compared without case there.
  const seen = new Set<string>();
  const names = HOSTILE.filter((name) => {
    const key = name.toLowerCase();
    if (
      takes[dialect]?.(name) !== true ||
      (dialect !== "postgres" && name === UNKEPT) ||
      (dialect !== "postgres" && seen.has(key))
    )
      return false;
    seen.add(key);
    return true;
  });
  // A server may have another character set by default, in which most of the texts cannot be.
  const all = dialect === "mariadb" ? ["ALTER DATABASE CHARACTER SET utf8mb4"] : [];
  const comment = (name: string) => (dialect === "mariadb" ? ` COMMENT ${t(name)}` : "");
  all.push(
    `CREATE TABLE wide (${names
      .filter((name) => name !== "__proto__")
      .map(
        (name, i) =>
          `${q(name)} ${text} DEFAULT ${t(name.slice(0, 20))}${i % 2 ? " NOT NULL" : ""}${comment(name)}`,
      )
      .join(", ")})`,
  );
  for (const [i, name] of names.entries()) {
    if (name === "wide") continue;
    const c = q(name);
    const key = dialect === "sqlite" ? `${c} ${int} NOT NULL PRIMARY KEY` : `${c} ${int} PRIMARY KEY`;
    all.push(
      `CREATE TABLE ${c} (${key}, other ${int}, CONSTRAINT ${q(`${name.slice(0, 50)}?u`)} UNIQUE (other), ` +
        `CONSTRAINT ${q(`${name.slice(0, 50)}?c`)} CHECK (other <> ${i}), ` +
        `CONSTRAINT ${q(`${name.slice(0, 50)}?f`)} FOREIGN KEY (other) REFERENCES ${c} (${c}))`,
      `CREATE INDEX ${q(`${name.slice(0, 50)}?i`)} ON ${c} (other, ${c})`,
      // MariaDB takes the blank before the name of a view's column away.
      `CREATE VIEW ${q(`${name.slice(0, 50)}?v`)} AS SELECT ${c} AS ${q(name.trim())}, other AS ${q(`${name.slice(0, 50).trim()}?x`)} FROM ${c}`,
    );
    if (dialect === "postgres")
      all.push(
        `COMMENT ON TABLE ${c} IS ${t(name)}`,
        `COMMENT ON COLUMN ${c}.${c} IS ${t(name)}`,
        `CREATE TYPE ${q(`${name.slice(0, 50)}?e`)} AS ENUM (${t(name)}, 'x?')`,
        `ALTER TABLE ${c} ADD COLUMN feels ${q(`${name.slice(0, 50)}?e`)} DEFAULT ${t(name)}`,
      );
  }
  return all;
}

const LEFT = ["table __proto__ with column __proto__", "view __proto__?v with column __proto__"];
const isLeft = ({ name }: { readonly name: string }) => /^__proto__(?:\?v)?$/.test(name);

const WORDS = new Set("table view column enumType json decimal many one z".split(" "));

/** Every piece of code in a file that is not a declaration. */
function codeIn(source: string): string[] {
  const file = ts.createSourceFile("pulled.ts", source, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const say = (node: ts.Node) => void found.push(node.getText().slice(0, 100));
  const constants = new Set<string>();
  for (const statement of file.statements)
    if (ts.isVariableStatement(statement))
      for (const { name } of statement.declarationList.declarations) constants.add(name.getText());
    else if (!ts.isImportDeclaration(statement)) say(statement);
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      let callee: ts.Node = node.expression;
      while (ts.isPropertyAccessExpression(callee) || ts.isCallExpression(callee)) callee = callee.expression;
      if (!ts.isIdentifier(callee) || !WORDS.has(callee.text)) say(node);
    } else if (ts.isArrowFunction(node)) {
      if (!ts.isIdentifier(node.body) || !constants.has(node.body.text)) say(node);
    } else if (
      ts.isTemplateLiteral(node) ||
      ts.isTaggedTemplateExpression(node) ||
      ts.isFunctionLike(node) ||
      ts.isBinaryExpression(node) ||
      ts.isComputedPropertyName(node) ||
      ts.isSpreadElement(node)
    )
      say(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const evil = () => {
  throw new Error("evil");
};

/** A catalog without what `pull` leaves out. */
function kept({ tables, views, ...rest }: Catalog): Catalog {
  return {
    ...rest,
    tables: tables.filter((one) => !isLeft(one)),
    views: views.filter((one) => !isLeft(one)),
  };
}

for (const server of servers)
  describe.skipIf(!server.available || server.dialect === "oracle")(`hostile names on ${server.name}`, () => {
    test.each(["a\r\nb", "a\n-- step drop table people"])("a name never begins a step: %j", async (name) => {
      const [lent, other] = [await server.lend(), await server.lend()];
      const folder = makeFolder(server.dialect);
      try {
        const sly = table("people", z.object({ a: column(z.int(), { name }) }));
        await lent.db.createTables(sly);
        expect((await diff([sly], lent.db)).sql()).toEqual([]);
        const written = generate([sly], other.db, { folder: folder.path, name: "sly" });
        if (server.dialect !== "postgres") {
          expect(await sqlErrorOf(written)).toMatchObject({ code: "MIGRATION_INVALID" });
          return;
        }
        await written;
        await migrate(other.db, { folder: folder.path });
        expect((await introspect(other.db)).tables[0]?.columns[0]?.name).toBe(name);
      } finally {
        await lent.close();
        await other.close();
        rmSync(folder.path, { recursive: true });
      }
    });

    // The names of properties are the only difference: one server is enough for the other form.
    test.each(server.dialect === "sqlite" ? (["camel", "same"] as const) : (["camel"] as const))(
      "pull writes declarations and nothing else: %s",
      async (names) => {
        const [lent, other, third] = [await server.lend(), await server.lend(), await server.lend()];
        const folder = makeFolder(server.dialect);
        try {
          for (const sql of statements(server.dialect)) await lent.run(sql);
          const { source, notCarried } = await pull(lent.db, { names });
          // What no declaration can name is left out, and said.
          expect(notCarried).toEqual(LEFT);
          expect(codeIn(source)).toEqual([]);
          // Nothing hidden, and no line that somebody else has ended.
          expect(source.match(/[^\P{C}\n]|[\u2028\u2029]/gu)).toBeNull();
          const tables = declared(source, { evil });
          expect((await diff(tables, lent.db)).text()).toBe("");
          await other.db.createTables(...tables);
          expect(said(kept(await introspect(other.db)))).toEqual(said(kept(await introspect(lent.db))));
          expect((await pull(other.db, { names })).source).toBe(
            source.replace(/^\/\/ Not carried.*\n\n/gm, ""),
          );
          expect((await diff(tables, other.db, { drop: "tables" })).text()).toBe("");
          await generate(tables, third.db, { folder: folder.path, name: "all" });
          await migrate(third.db, { folder: folder.path });
          expect((await diff(tables, third.db, { drop: "tables" })).text()).toBe("");
        } finally {
          await lent.close();
          await other.close();
          await third.close();
          rmSync(folder.path, { recursive: true });
        }
      },
      120_000,
    );
  });
