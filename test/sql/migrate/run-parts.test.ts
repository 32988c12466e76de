/** The parts of the runner that decide without a database: what is pending, what is refused, what a failure means. */
import Sqlite from "better-sqlite3";
import * as fc from "fast-check";
import { ConstraintError, QueryError, type SqlError } from "rowtype";
import { MigrationError } from "rowtype/migrate";
import { sqlite } from "rowtype/sqlite";
import { describe, expect, test } from "vitest";
import { migrationDialect } from "../../../src/sql/migrate/dialects/dialects.js";
import { lackingValue } from "../../../src/sql/migrate/run/lacking-values.js";
import { afterWaiting, repeated } from "../../../src/sql/migrate/run/locks.js";
import { isEmptyThen, renamedTo } from "../../../src/sql/migrate/run/pending-tables.js";
import type { MigrationRecord } from "../../../src/sql/migrate/run/records.js";
import { refuseUnallowed } from "../../../src/sql/migrate/run/refuse-unallowed.js";
import { checkStanding, standingOf } from "../../../src/sql/migrate/run/standing.js";
import type { FileStep } from "../../../src/sql/migrate/text/migration-file.js";
import type { Migration } from "../../../src/sql/migrate/text/migration-folder.js";
import { PART_KINDS, readStepWords, WHOLE_KINDS } from "../../../src/sql/migrate/words/step.js";
import { dialects } from "../../../src/sql/words/dialect.js";

const step = (words: string, more: Partial<FileStep> = {}): FileStep => ({
  words,
  subject: readStepWords(words),
  transaction: true,
  losesData: false,
  undeclared: false,
  blocks: false,
  allowed: false,
  sql: "SELECT 1",
  before: `before ${words}`,
  ...more,
});

const migration = (name: string, more: Partial<Migration> = {}): Migration => ({
  name,
  file: `${name}.sql`,
  path: `/${name}.sql`,
  checksum: `whole ${name}`,
  end: `end ${name}`,
  steps: ["one", "two", "three"].map((words) => step(`${words} ${name}`)),
  ...more,
});

const record = (name: string, more: Partial<MigrationRecord> = {}): MigrationRecord => ({
  name,
  checksum: `whole ${name}`,
  steps: 3,
  done: 3,
  state: "applied",
  startedAt: new Date(0),
  finishedAt: new Date(1),
  error: null,
  cursor: null,
  ...more,
});

const standing = (migrations: readonly Migration[], records: readonly MigrationRecord[]) =>
  standingOf(migrations, new Map(records.map((one) => [one.name, one])));

describe("where a database stands", () => {
  const states = ["running", "stepping", "failed", "interrupted", "applied"] as const;
  const some = fc.record({
    hasFile: fc.boolean(),
    state: fc.constantFrom(undefined, ...states),
    done: fc.nat(3),
    isCode: fc.boolean(),
    // What the record's digest is of: the file, its end, or the text before one of its steps.
    digest: fc.constantFrom("whole", "end", 0, 1, 2, "other"),
    cursor: fc.constantFrom(null, "cursor"),
  });

  test("is what files and records say, in the order of their names, whatever the order of the records", () => {
    fc.assert(
      fc.property(fc.array(some, { minLength: 1, maxLength: 5 }), fc.boolean(), (all, isReversed) => {
        const places = all.map((one, i) => ({ ...one, name: `m${i}` }));
        const digestOf = (name: string, digest: string | number) =>
          typeof digest === "number"
            ? `before ${["one", "two", "three"][digest]} ${name}`
            : `${digest} ${name}`;
        const migrations = places
          .filter(({ hasFile }) => hasFile)
          .map(({ name, isCode }) => migration(name, isCode ? { steps: undefined } : {}));
        const records = places.flatMap(({ name, state, done, digest, cursor }) =>
          state === undefined
            ? []
            : [record(name, { state, done, cursor, checksum: digestOf(name, digest) })],
        );
        const found = standing(migrations, isReversed ? records.toReversed() : records);
        const named = (wanted: (place: (typeof places)[number]) => boolean) =>
          places.filter(wanted).map(({ name }) => name);
        const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);
        const isApplied = ({ state }: (typeof places)[number]) => state === "applied";
        const last = named(isApplied).at(-1) ?? "";
        expect(names(found.applied)).toEqual(named(isApplied));
        const pending = named((one) => one.hasFile && !isApplied(one));
        expect(found.pending.map((one) => one.migration.name)).toEqual(pending);
        expect(found.pending.map((one) => one.record?.name ?? null)).toEqual(
          pending.map((name) => (places.find((one) => one.name === name)?.state === undefined ? null : name)),
        );
        expect(names(found.outOfOrder)).toEqual(pending.filter((name) => name < last));
        expect(names(found.failed)).toEqual(
          named(({ state }) => state === "failed" || state === "interrupted"),
        );
        // Of a file that failed at its first step the database has nothing.
        expect(names(found.missing)).toEqual(
          named(
            ({ hasFile, state, done, cursor }) =>
              !hasFile && state !== undefined && (state === "applied" || done > 0 || cursor !== null),
          ),
        );
        // Of a file that is applied in part, only the steps that are done must be the same.
        expect(names(found.changed)).toEqual(
          named(({ hasFile, state, done, digest, isCode }) => {
            if (!hasFile || state === undefined) return false;
            if (state === "applied") return digest !== "whole";
            return !isCode && done > 0 && digest !== (done < 3 ? done : "end");
          }),
        );
      }),
      { numRuns: 2_000 },
    );
  });

  test("is refused if an applied file is gone, and before that if it has changed", () => {
    const changed = record("b", { checksum: "other" });
    expect(() => checkStanding(standing([migration("b")], [record("a"), changed]))).toThrow(
      expect.objectContaining({ code: "MIGRATION_MISSING", file: "a" }),
    );
    expect(() => checkStanding(standing([migration("b")], [changed]))).toThrow(
      expect.objectContaining({ code: "MIGRATION_CHANGED", file: "b.sql" }),
    );
    expect(() => checkStanding(standing([migration("b"), migration("c")], [record("b")]))).not.toThrow();
  });
});

describe("a step that needs an allowance", () => {
  const refused = async (
    steps: readonly FileStep[],
    allow: readonly string[] = [],
    isEmpty: () => Promise<boolean> = async () => false,
  ) => {
    try {
      await refuseUnallowed(steps, "a.sql", new Set(allow), isEmpty);
      return undefined;
    } catch (error) {
      if (error instanceof MigrationError)
        return [error.code, error.step, / (loses|drops|blocks)/.exec(error.message)?.[1]];
      throw error;
    }
  };
  const marks = fc.record({ losesData: fc.boolean(), undeclared: fc.boolean(), blocks: fc.boolean() });
  const kinds = fc.constantFrom("drop table t", "drop column t.a", "add column t.a", "my own words");

  test("is refused for its first reason, unless it is allowed in the file or by its very words", async () => {
    await fc.assert(
      fc.asyncProperty(kinds, marks, fc.boolean(), fc.boolean(), async (words, given, allowed, isEmpty) => {
        const one = step(words, { ...given, allowed });
        const loses = given.losesData || words.startsWith("drop ");
        // Rows cannot wait on an empty table; words of one's own name no table.
        const blocks = given.blocks && !(isEmpty && words !== "my own words");
        const why = loses ? "loses" : given.undeclared ? "drops" : blocks ? "blocks" : undefined;
        const expected = why === undefined || allowed ? undefined : ["MIGRATION_REFUSED", words, why];
        const judge = async () => isEmpty;
        expect(await refused([step("create table u"), one], [], judge)).toEqual(expected);
        expect(await refused([one], [words], judge)).toBeUndefined();
        expect(await refused([one], [`${words}x`, words.toUpperCase()], judge)).toEqual(expected);
      }),
    );
  });

  test("loses data by the words of its author too, in either case, and only as whole words", async () => {
    for (const words of ["drop table t", "DROP TABLE t", "Drop Column t.a", "drop table", "drop column-s"])
      expect([words, await refused([step(words)])]).toEqual([words, ["MIGRATION_REFUSED", words, "loses"]]);
    for (const words of [
      "drop tables",
      "drop tableau t",
      "drop column_s",
      "drop columns1",
      "drop table\u00e9",
      "undrop table t",
      "drop index t.i",
      "first drop table t",
    ])
      expect([words, await refused([step(words)])]).toEqual([words, undefined]);
  });

  test("asks whether its table is empty behind the very steps before it", async () => {
    const steps = [
      step("create table t"),
      step("rename table u"),
      step("create index t.i", { blocks: true }),
    ];
    const asked: unknown[] = [];
    await refuseUnallowed(steps, "a.sql", new Set(), async (subject, before) => {
      asked.push(
        subject.table,
        before.map(({ words }) => words),
      );
      return true;
    });
    expect(asked).toEqual(["t", ["create table t", "rename table u"]]);
    const later = [...steps, step("drop column t.a")];
    expect(await refused(later, [], async () => true)).toEqual([
      "MIGRATION_REFUSED",
      "drop column t.a",
      "loses",
    ]);
  });
});

describe("a step that fails because a row has no value", () => {
  const isNull = new ConstraintError("NOT_NULL_VIOLATION", "null", { fields: ["age", "name"] });
  const check = (constraint?: string) => new ConstraintError("CHECK_VIOLATION", "check", { constraint });
  const failed = (cause: unknown) => new QueryError("QUERY_FAILED", "failed", { cause });
  const codes = {
    inColumn: [1048, "22004"],
    inKey: ["KEY"],
    codeOf: (cause: unknown) => Object(cause).errno || Object(cause).code,
  };
  const causes: readonly (readonly [string, SqlError])[] = [
    ["null", isNull],
    ["null of no column", new ConstraintError("NOT_NULL_VIOLATION", "null", {})],
    ["temporary check", check("t_age_not_null")],
    ["declared check", check("t_age_positive")],
    ["nameless check", check()],
    ["another violation", new ConstraintError("UNIQUE_VIOLATION", "unique", { constraint: "t_not_null" })],
    ["a number in a column", failed({ errno: 1048 })],
    ["a text in a column", failed({ errno: 0, code: "22004" })],
    ["a number beside a text", failed({ errno: 7, code: "22004" })],
    ["the key", failed({ code: "KEY" })],
    ["no cause", failed(undefined)],
  ];
  // What each kind of step says of which cause; of all others nothing.
  const expected: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    "add column": Object.fromEntries(
      ["null", "null of no column", "temporary check"].map((name) => [name, 'new column "part"']),
    ),
    "set not null": Object.fromEntries(
      ["null", "null of no column", "a number in a column", "a text in a column"].map((name) => [
        name,
        'column "part"',
      ]),
    ),
    "validate check": Object.fromEntries(
      ["temporary check", "declared check", "nameless check"].map((name) => [name, 'column "behind"']),
    ),
    "rebuild table": { null: 'column "age"', "the key": "its key" },
  };
  const subjects = [...WHOLE_KINDS.map((kind) => `${kind} t`), ...PART_KINDS.map((kind) => `${kind} t.part`)];

  test.each(subjects)("says which one, if it is to %s", (words) => {
    const one = step(words);
    const kind = one.subject?.kind ?? "";
    for (const [name, cause] of causes) {
      const sentence = lackingValue(cause, one, step("set not null t.behind"), codes);
      const part = expected[kind]?.[name];
      const start = `rows of "t" have no value for ${kind === "add column" ? "the " : ""}`;
      expect([name, sentence?.split(":")[0]]).toEqual([
        name,
        part === undefined ? undefined : `${start}${part}`,
      ]);
    }
  });

  // better-sqlite3 has a name alone, `node:sqlite` a number, `bun:sqlite` both.
  test.each([
    ["a name", "SQLITE_CONSTRAINT", { code: "SQLITE_CONSTRAINT" }],
    ["a number", "SQLITE_CONSTRAINT", { code: "ERR_SQLITE_ERROR", errcode: 19 }],
    ["both", "SQLITE_CONSTRAINT", { code: "SQLITE_CONSTRAINT", errno: 19 }],
    ["a name", "SQLITE_MISMATCH", { code: "SQLITE_MISMATCH" }],
    ["a number", "SQLITE_MISMATCH", { code: "ERR_SQLITE_ERROR", errcode: 20 }],
    ["both", "SQLITE_MISMATCH", { code: "SQLITE_MISMATCH", errno: 20 }],
  ])("knows the code of every client of SQLite: by %s, %s", (_, code, cause) => {
    const words = code === "SQLITE_MISMATCH" ? "rebuild table t" : "set not null t.a";
    const { lacksValue } = migrationDialect("sqlite");
    expect(lackingValue(failed(cause), step(words), undefined, lacksValue)).toMatch(
      /^rows of "t" have no value/,
    );
  });

  test("says nothing of other errors, of words that are the author's, and before another step", () => {
    expect(lackingValue(new Error("null"), step("add column t.a"), undefined)).toBeUndefined();
    expect(lackingValue(isNull, step("my own words"), undefined)).toBeUndefined();
    for (const next of [undefined, step("add column t.b"), step("my own words")])
      expect(lackingValue(check(), step("validate check t.c"), next)).toBeUndefined();
    for (const cause of [failed({ errno: 1048 }), failed({ code: "KEY" }), failed(undefined)])
      for (const words of ["set not null t.a", "rebuild table t"])
        expect(lackingValue(cause, step(words), undefined)).toBeUndefined();
  });
});

test("the new name of a renaming is the name behind its last TO, in the way of each dialect", () => {
  for (const name of dialects) {
    const dialect = migrationDialect(name);
    const { quote } = dialect.grammar;
    for (const to of ["to", "TO", "To"])
      for (const one of ["b", "to", "a b", "photo"]) {
        const named = quote(one);
        expect(renamedTo(`ALTER TABLE ${quote("to")} RENAME ${to} ${named}`, dialect)).toBe(one);
        if (one !== "a b")
          expect(renamedTo(`ALTER TABLE a RENAME ${to} ${one}`, dialect)?.toLowerCase()).toBe(
            one === "to" ? undefined : one,
          );
        expect(renamedTo(`RENAME TABLE a ${to} ${quote("s")}.${named}`, dialect)).toBe(one);
        expect(
          renamedTo(`ALTER TABLE a RENAME COLUMN c ${to} x; ALTER TABLE a RENAME ${to} ${named}`, dialect),
        ).toBe(one);
      }
    for (const without of [
      "ALTER TABLE a ADD b int",
      `ALTER TABLE ${quote("to")} ADD b int`,
      "SELECT 'a to b'",
      "SELECT tow into_",
    ])
      expect(renamedTo(without, dialect)).toBeUndefined();
  }
});

test("a table is empty by the name that it has before the steps that are not applied yet", async () => {
  const handle = new Sqlite(":memory:");
  handle.exec("CREATE TABLE full (id INTEGER); INSERT INTO full VALUES (1); CREATE TABLE bare (id INTEGER)");
  // The compiler sees the package twice: as it is built, and its sources.
  const target = { db: Object(sqlite(handle)), dialect: migrationDialect("sqlite") };
  const isEmpty = (table: string, before: readonly FileStep[] = [], schema?: string) =>
    isEmptyThen(target, schema === undefined ? { table } : { table, schema }, before);
  const create = (name: string) => step(`create table ${name}`, { sql: `CREATE TABLE ${name} (id INTEGER)` });
  const rename = (from: string, to: string, schema = "") =>
    step(`rename table ${schema}${from}`, { sql: `ALTER TABLE ${from} RENAME TO ${to}` });
  expect([await isEmpty("full"), await isEmpty("bare"), await isEmpty("none")]).toEqual([false, true, true]);
  // What a step creates has no rows, whatever is there now.
  expect(await isEmpty("full", [create("full")])).toBe(true);
  expect(await isEmpty("full", [create("bare"), step("my own words"), step("create view full")])).toBe(false);
  expect(await isEmpty("now", [rename("full", "now")])).toBe(false);
  expect(await isEmpty("now", [rename("bare", "now")])).toBe(true);
  expect(await isEmpty("now", [rename("full", "then"), rename("then", "now")])).toBe(false);
  expect(await isEmpty("now", [rename("then", "now"), rename("full", "then")])).toBe(true);
  expect(await isEmpty("now", [create("then"), rename("then", "now"), rename("full", "then")])).toBe(true);
  expect(await isEmpty("bare", [rename("bare", "full")])).toBe(true);
  expect(await isEmpty("full", [rename("full", "old"), rename("bare", "full")])).toBe(true);
  // The new name of a column is no table.
  const column = step("rename column full.id", { sql: "ALTER TABLE full RENAME COLUMN id TO now" });
  expect(await isEmpty("now", [column])).toBe(true);
  // Of another schema is another table.
  expect(await isEmpty("now", [rename("full", "now", "other.")])).toBe(true);
  expect(await isEmpty("full", [step("create table other.full")])).toBe(false);
  handle.close();
});

describe("a call that waits for a lock", () => {
  const locked = (code: "LOCK_TIMEOUT" | "DEADLOCK" | "SERIALIZATION_FAILURE" | "QUERY_FAILED") =>
    new QueryError(code, "locked");
  const within = (cause: unknown) => new MigrationError("MIGRATION_FAILED", "failed", {}, { cause });
  const tried = async (errors: readonly unknown[], most: number) => {
    let calls = 0;
    const asked: unknown[] = [];
    const patience = {
      isOver: (tries: number, end: number) => {
        asked.push(tries, Math.round((end - Date.now()) / 1_000));
        return tries >= most;
      },
      pause: (tries: number) => {
        asked.push(tries);
        return 0;
      },
    };
    const result = await repeated({ patience }, 50_000, async () => {
      const error = errors[calls++];
      if (error !== undefined) throw error;
      return "done";
    }).catch((error: unknown) => error);
    return { calls, result, asked };
  };

  test("is made again after each error of a lock, its own or that of its cause, as long as patience lasts", async () => {
    for (const code of ["LOCK_TIMEOUT", "DEADLOCK", "SERIALIZATION_FAILURE"] as const)
      for (const error of [locked(code), within(locked(code))]) {
        const { calls, result, asked } = await tried([error, error], 3);
        expect([calls, result, asked]).toEqual([3, "done", [1, 50, 1, 2, 50, 2]]);
        expect(await tried([error, error, error], 2)).toMatchObject({ calls: 2, result: error });
      }
  });

  test("is made once after any other error", async () => {
    for (const error of [
      locked("QUERY_FAILED"),
      within(locked("QUERY_FAILED")),
      new Error("LOCK_TIMEOUT"),
      "LOCK_TIMEOUT",
      null,
      { code: "DEADLOCK" },
    ])
      expect(await tried([error], 9)).toMatchObject({ calls: 1, result: error });
  });

  test("waits longer each time, ten times in all, where a server has waited itself", () => {
    const tries = [1, 2, 9, 10, 11];
    expect(tries.map((count) => afterWaiting.isOver(count, 0))).toEqual([false, false, false, true, true]);
    expect(tries.map((count) => afterWaiting.pause(count))).toEqual([300, 600, 2_700, 3_000, 3_300]);
  });
});
