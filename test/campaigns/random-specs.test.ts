/**
 * Random specs with hostile words in every position. What comes of them is a coded error, or text that depends on the
 * shape of the spec alone: one statement, whose names are all declared. In full there are 100,000 of each kind.
 */
import Sqlite from "better-sqlite3";
import fc from "fast-check";
import { loadModule, parseSync } from "libpg-query";
import { type Database, type Dialect, on, SqlError, UnsupportedError } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { edited, edits, hostileValues } from "../kit/hostile-edits.js";
import { COURT_MS, courts, type Judge } from "../kit/judges.js";
import { createPeople, Person, Team } from "../kit/people.js";
import { type SpecCase, specCases } from "../kit/spec-generators.js";
import { type AnyBuilder, fromSpec, peopleOf } from "../kit/spec-methods.js";
import { aliasesIn, namesFor, renamed, renaming, sorted } from "../kit/spec-names.js";
import { foreignIn } from "../kit/text-lint.js";
import { patience, rounds } from "../rounds.js";

const SPECS = rounds({ small: 1_500, full: 100_000 });
const PATIENCE_MS = patience(60_000, 5, SPECS);

const databases: Readonly<Record<Dialect, Database>> = {
  sqlite: sqlite() as unknown as Database,
  postgres: postgres() as unknown as Database,
  mariadb: mariadb() as unknown as Database,
  oracle: oracle() as unknown as Database,
};
const dialects = ["sqlite", "postgres", "mariadb", "oracle"] as const;

/** A spec that may be anything, of some kind. */
interface Sent {
  readonly kind: SpecCase["kind"];
  readonly spec: unknown;
}

const sentTo = (dialect: Dialect) =>
  fc
    .tuple(specCases(dialect), edits)
    .map(([one, changes]): Sent => ({ ...one, spec: edited(one.spec, changes) }));

/** The text of a spec; undefined where it is refused, as it must be: by a code, in a few clean words, with a place. */
function textOf(builder: AnyBuilder): string | undefined {
  try {
    return builder.render().native.sql;
  } catch (error) {
    expect(error).toBeInstanceOf(SqlError);
    const { code, message } = error as SqlError;
    expect(code).toMatch(/^(INVALID_[A-Z]+|UNSAFE_(UPDATE|DELETE)|UNSUPPORTED)$/);
    expect(message.length).toBeLessThan(300);
    expect(message).not.toMatch(UNCLEAN);
    if (!(error instanceof UnsupportedError))
      for (const { path } of (error as { problems?: { path?: string }[] }).problems ?? [{}])
        expect(path).toMatch(/^[ -~]*$/);
    return undefined;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these would forge lines of a log.
const UNCLEAN = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

describe.each(dialects)("random specs on %s", (dialect) => {
  const people = peopleOf(databases[dialect]);

  test("are refused with a code, or give text that contains nothing of the client except names, which are interchangeable", {
    timeout: PATIENCE_MS,
  }, () => {
    let taken = 0;
    fc.assert(
      fc.property(sentTo(dialect), (sent) => {
        const text = textOf(fromSpec(people, sent));
        if (text === undefined) return;
        taken++;
        expect(foreignIn(text, dialect, namesFor(sent.spec))).toEqual([]);
        for (const alias of aliasesIn(sent.spec)) expect(alias).toMatch(/^[A-Za-z_][A-Za-z0-9_]{0,62}$/);
        const toAlias = renaming("alias");
        const other = textOf(
          fromSpec(people, { ...sent, spec: renamed(sent.spec, renaming("param"), toAlias) }),
        );
        const quote = dialect === "mariadb" ? "`" : '"';
        const expected = [...new Set(aliasesIn(sent.spec))].reduce(
          (sql, alias) => sql.replaceAll(quote + alias + quote, quote + toAlias(alias) + quote),
          text,
        );
        expect(other).toBe(expected);
      }),
      { numRuns: SPECS },
    );
    expect(taken).toBeGreaterThan(SPECS / 10);
  });

  test("pass the schemas of specs() exactly if a builder accepts them", { timeout: PATIENCE_MS }, () => {
    const schemas = people.specs({ maxDepth: 100, maxConditions: 10_000, locks: true, regex: true });
    fc.assert(
      fc.property(sentTo(dialect), ({ kind, spec }) => {
        const isAggregate = ["sum", "avg", "min", "max"].includes(kind);
        const schema = schemas[isAggregate || kind === "count" ? "aggregate" : kind];
        const result = schema.safeParse(spec);
        // One schema serves all aggregates, of which a count takes any field.
        const builder = fromSpec(people, { kind: isAggregate ? "count" : kind, spec });
        // A client names what it may have, field by field.
        expect(result.success).toBe(textOf(builder) !== undefined && !asksForAll(spec));
        if (!result.success) return;
        const parsed = fromSpec(people, { kind: isAggregate ? "count" : kind, spec: result.data });
        const inOrder = fromSpec(people, { kind: isAggregate ? "count" : kind, spec: sorted(spec) });
        expect(parsed.render()).toEqual(inOrder.render());
      }),
      { numRuns: SPECS },
    );
  });

  test("never name a hidden field", { timeout: PATIENCE_MS }, () => {
    const fields = ["id", "name", "age", "role", "tags", "createdAt"];
    const schemas = people.specs({ fields, maxLimit: 50 });
    const hidden = Object.values(Person.columns).flatMap(({ property, name }) =>
      fields.includes(property) ? [] : [property, name],
    );
    let taken = 0;
    fc.assert(
      fc.property(sentTo(dialect), ({ kind, spec }) => {
        const schema = schemas[["count", "sum", "avg", "min", "max"].includes(kind) ? "aggregate" : kind];
        const result = schema.safeParse(spec);
        if (!result.success) {
          for (const { path } of result.error.issues) expect(Array.isArray(path)).toBe(true);
          return;
        }
        taken++;
        const text = textOf(fromSpec(people, { kind, spec: result.data }));
        if (text === undefined) {
          // Only a sum and its like need more than the schema of all aggregates asks for.
          expect(kind).toMatch(/^(sum|avg|min|max)$/);
          return;
        }
        // What an insert stores, and the row that a change gives, the server says and not the spec.
        const said = text.replace(/ RETURNING .*$/, "").replace(/^INSERT .*? VALUES \(.*?\)/, "");
        const named = [...said.matchAll(/["`]([^"`]*)["`]/g)].map(([, name]) => name ?? "");
        expect(named.filter((name) => hidden.includes(name))).toEqual([]);
      }),
      { numRuns: SPECS },
    );
    // About one in forty is taken: fewer than one in two hundred is not chance.
    expect(taken).toBeGreaterThan(SPECS / 200);
  });
});

/** Whether `*` stands among the fields of a spec, or of one inside it. */
function asksForAll(spec: unknown): boolean {
  if (typeof spec !== "object" || spec === null) return false;
  return Object.entries(spec).some(
    ([key, value]) => (key === "fields" && Array.isArray(value) && value.includes("*")) || asksForAll(value),
  );
}

describe("random specs, checked by an independent parser", () => {
  const handle = new Sqlite(":memory:");
  beforeAll(async () => {
    await loadModule();
    await createPeople(sqlite(handle) as unknown as Database);
  });
  afterAll(() => handle.close());

  test("give one PostgreSQL statement whose tree contains only our words", { timeout: PATIENCE_MS }, () => {
    const people = peopleOf(databases.postgres);
    fc.assert(
      fc.property(sentTo("postgres"), (sent) => {
        const text = textOf(fromSpec(people, sent));
        if (text === undefined) return;
        const { stmts = [] } = parseSync(text);
        expect(stmts).toHaveLength(1);
        const names = namesFor(sent.spec);
        expect(wordsOf(stmts).filter((word) => !names.has(word) && !known.has(word))).toEqual([]);
      }),
      { numRuns: SPECS },
    );
  });

  test("give one statement that SQLite accepts, the same for all values", {
    timeout: PATIENCE_MS,
  }, async () => {
    const people = peopleOf(sqlite(handle) as unknown as Database);
    const sent: string[] = [];
    const off = on("db.query.started", ({ sql }) => sent.push(sql));
    try {
      await fc.assert(
        fc.asyncProperty(sentTo("sqlite"), fc.array(hostileValues, { minLength: 1 }), async (one, values) => {
          const builder = fromSpec(people, one);
          const text = textOf(builder);
          if (text === undefined) return;
          handle.prepare(text);
          if (one.kind === "insert") return;
          const names = builder.render().params;
          const params = Object.fromEntries(names.map((name, i) => [name, values[i % values.length]]));
          sent.length = 0;
          await builder.exec(params).catch((error: unknown) => {
            expect(error).toBeInstanceOf(SqlError);
            expect((error as SqlError).message.length).toBeLessThan(300);
          });
          expect(sent.filter((sql) => sql !== text && !sql.startsWith("SAVEPOINT"))).toEqual([]);
        }),
        { numRuns: Math.min(SPECS, 100_000) },
      );
    } finally {
      off();
    }
    const tables = handle.prepare("SELECT name FROM sqlite_master WHERE name IN ('people', 'teams')");
    expect(tables.all()).toHaveLength(2);
  });
});

for (const { dialect, available, open } of courts)
  describe.skipIf(!available)(`random specs, checked by the grammar of ${dialect}`, () => {
    let judge: Judge;
    let close: () => Promise<void>;
    beforeAll(async () => {
      ({ judge, close } = await open(Person, Team));
    }, COURT_MS);
    afterAll(() => close());

    test("give statements that the grammar accepts", { timeout: PATIENCE_MS }, async () => {
      const people = peopleOf(databases[dialect]);
      await fc.assert(
        fc.asyncProperty(sentTo(dialect), async (sent) => {
          const text = textOf(fromSpec(people, sent));
          if (text !== undefined) expect(await judge(text)).toBeUndefined();
        }),
        // The judge of Oracle is a grammar that takes its time.
        { numRuns: dialect === "oracle" ? 40 : Math.min(SPECS, 20_000) / 5 },
      );
    });
  });

/** Every word in a tree of PostgreSQL: names, operators, functions, types, and what the tree says of itself. */
function wordsOf(tree: unknown): string[] {
  if (typeof tree === "string") return [tree];
  if (typeof tree !== "object" || tree === null) return [];
  return Object.values(tree).flatMap(wordsOf);
}

const known: ReadonlySet<string> = new Set(
  `= <> < > <= >= ~~ !~~ ~~* !~~* ~ ~* !~ !~* @> <@ && + - * / % BETWEEN \\ excluded public
   count sum avg min max trunc mod pg_catalog like_escape float8 int8 int4 numeric text bool timestamptz bytea jsonb
   p AND_EXPR OR_EXPR NOT_EXPR AEXPR_OP AEXPR_OP_ANY AEXPR_OP_ALL AEXPR_LIKE AEXPR_ILIKE AEXPR_BETWEEN
   AEXPR_NOT_BETWEEN AEXPR_IN IS_NULL IS_NOT_NULL COERCE_EXPLICIT_CALL COERCE_SQL_SYNTAX SORTBY_ASC SORTBY_DESC
   SORTBY_DEFAULT SORTBY_NULLS_FIRST SORTBY_NULLS_LAST SORTBY_NULLS_DEFAULT LIMIT_OPTION_COUNT LIMIT_OPTION_DEFAULT
   SETOP_NONE SETOP_UNION SETOP_INTERSECT SETOP_EXCEPT LCS_FORUPDATE LCS_FORNOKEYUPDATE LCS_FORSHARE LCS_FORKEYSHARE
   LockWaitSkip LockWaitError LockWaitBlock OVERRIDING_NOT_SET ONCONFLICT_NOTHING ONCONFLICT_UPDATE NOT BETWEEN`
    .split(/\s+/)
    .concat("NOT BETWEEN", "und-x-icu"),
);
