/**
 * One difference between a table and its declaration, and what `diff` makes of it, on every server: each alone, each
 * beside the next one, and all that go together at once. A difference has columns of its own, so that the steps of
 * several are those of each. The table is made by plain DDL, and has a row.
 */
import { type AnyDeclared, column, decimal, enumType, table } from "rowtype";
import { type Change, diff } from "rowtype/migrate";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { stepWords } from "../../../src/sql/migrate/words/step.js";
import { type Lent, servers } from "../../servers.js";

type SqlDialect = "postgres" | "mariadb" | "sqlite";

/** The live table as a difference has it. */
interface Live {
  /** The column `id`, where the difference is in it. */
  readonly id?: string;
  /** Columns and constraints. */
  readonly items?: readonly string[];
  /** What stands behind the columns. */
  readonly option?: string;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

interface Difference {
  readonly what: string;
  /** The columns, which may differ by the dialect. */
  readonly shape?: z.ZodRawShape | ((dialect: SqlDialect) => z.ZodRawShape);
  readonly options?: {
    readonly checks?: Readonly<Record<string, string>>;
    readonly indexes?: readonly object[];
    readonly unique?: readonly (readonly string[])[];
    readonly foreignKeys?: readonly object[];
    readonly comment?: string;
  };
  readonly others?: readonly AnyDeclared[];
  readonly on: { readonly [D in SqlDialect]?: Live };
  /** The steps to the declaration: `kind name: risks`. */
  readonly steps: { readonly [D in SqlDialect]?: readonly string[] };
}

const int = z.int().nullable();
const text = z.string().nullable();
const typed = (schema: z.ZodType, types: Readonly<Record<SqlDialect, string>>) => (dialect: SqlDialect) =>
  column(schema, { type: types[dialect] });
const Team = table("teams", z.object({ id: column(z.int(), { primaryKey: true }) }));
const TEAMS = "CREATE TABLE teams (id bigint NOT NULL PRIMARY KEY)";
const refers = (name: string, more: object = {}) => ({
  foreignKeys: [{ columns: [name], references: () => Team, target: ["id"], name: `t_${name}_fkey`, ...more }],
});
const fkey = (name: string, more = "") =>
  `CONSTRAINT t_${name}_fkey FOREIGN KEY (${name}) REFERENCES teams (id)${more}`;
/** The same on all three. */
const all = <T>(one: T) => ({ postgres: one, mariadb: one, sqlite: one });

const differences: readonly Difference[] = [
  {
    what: "a unique index where a key is declared",
    shape: { a1: column(int, { unique: true }) },
    on: all<Live>({ items: ["a1 bigint"], after: ["CREATE UNIQUE INDEX a1_by_hand ON t (a1)"] }),
    steps: all<readonly string[]>([]),
  },
  {
    what: "a key where a unique index is declared",
    shape: { a2: int },
    options: { indexes: [{ columns: ["a2"], unique: true, name: "a2_unique" }] },
    on: all<Live>({ items: ["a2 bigint", "CONSTRAINT a2_by_hand UNIQUE (a2)"] }),
    steps: all<readonly string[]>([]),
  },
  {
    what: "a unique index in descending order where a key is declared",
    shape: { a3: column(int, { unique: true }) },
    on: all<Live>({
      items: ["a3 bigint"],
      after: ["CREATE UNIQUE INDEX a3_by_hand ON t (a3 DESC)"],
    }),
    steps: {
      postgres: ["drop index a3_by_hand", "create index t_a3_key: may-fail", "add unique t_a3_key"],
      mariadb: ["drop index a3_by_hand", "add unique t_a3_key: may-fail"],
      sqlite: ["drop index a3_by_hand", "rebuild table: may-fail, breaks-old-code"],
    },
  },
  {
    what: "a unique index of some rows where a key is declared",
    shape: { a4: column(int, { unique: true }) },
    on: {
      postgres: {
        items: ["a4 bigint"],
        after: ["CREATE UNIQUE INDEX a4_by_hand ON t (a4) WHERE a4 > 0"],
      },
      sqlite: {
        items: ["a4 bigint"],
        after: ["CREATE UNIQUE INDEX a4_by_hand ON t (a4) WHERE a4 > 0"],
      },
    },
    steps: {
      postgres: ["drop index a4_by_hand", "create index t_a4_key: may-fail", "add unique t_a4_key"],
      sqlite: ["drop index a4_by_hand", "rebuild table: may-fail, breaks-old-code"],
    },
  },
  {
    what: "an index that is not unique where a key is declared",
    shape: { a5: column(int, { unique: true }) },
    on: all<Live>({ items: ["a5 bigint"], after: ["CREATE INDEX a5_by_hand ON t (a5)"] }),
    steps: {
      postgres: ["drop index a5_by_hand", "create index t_a5_key: may-fail", "add unique t_a5_key"],
      mariadb: ["drop index a5_by_hand", "add unique t_a5_key: may-fail"],
      sqlite: ["drop index a5_by_hand", "rebuild table: may-fail, breaks-old-code"],
    },
  },
  {
    what: "a unique index that is not declared",
    shape: { a6: int },
    on: all<Live>({ items: ["a6 bigint"], after: ["CREATE UNIQUE INDEX a6_by_hand ON t (a6)"] }),
    steps: {
      postgres: ["drop index a6_by_hand: undeclared"],
      mariadb: ["drop unique a6_by_hand: undeclared"],
      sqlite: ["drop index a6_by_hand: undeclared"],
    },
  },
  {
    what: "a key that is not declared",
    shape: { a7: int },
    on: all<Live>({ items: ["a7 bigint", "CONSTRAINT a7_by_hand UNIQUE (a7)"] }),
    steps: {
      postgres: ["drop unique a7_by_hand: undeclared"],
      mariadb: ["drop unique a7_by_hand: undeclared"],
      sqlite: ["rebuild table: undeclared"],
    },
  },
  {
    what: "a key that is not there",
    shape: { a8: column(int, { unique: true }) },
    on: all<Live>({ items: ["a8 bigint"] }),
    steps: {
      postgres: ["create index t_a8_key: may-fail", "add unique t_a8_key"],
      mariadb: ["add unique t_a8_key: may-fail"],
      sqlite: ["rebuild table: may-fail, breaks-old-code"],
    },
  },
  {
    what: "the columns of an index in another order",
    shape: { b1: int, b2: int },
    options: { indexes: [{ columns: ["b1", "b2"], name: "b_by_hand" }] },
    on: all<Live>({
      items: ["b1 bigint", "b2 bigint"],
      after: ["CREATE INDEX b_by_hand ON t (b2, b1)"],
    }),
    steps: all(["drop index b_by_hand", "create index b_by_hand"]),
  },
  {
    what: "an index under another name",
    shape: { b3: column(int, { index: true }) },
    on: all<Live>({ items: ["b3 bigint"], after: ["CREATE INDEX b3_by_hand ON t (b3)"] }),
    steps: all<readonly string[]>([]),
  },
  {
    what: "an index of other rows",
    shape: { b4: int },
    options: { indexes: [{ columns: ["b4"], where: "b4 > 1", name: "b4_some" }] },
    on: {
      postgres: { items: ["b4 bigint"], after: ["CREATE INDEX b4_some ON t (b4) WHERE b4 > 2"] },
      sqlite: { items: ["b4 bigint"], after: ["CREATE INDEX b4_some ON t (b4) WHERE b4 > 2"] },
    },
    steps: {
      postgres: ["drop index b4_some", "create index b4_some"],
      sqlite: ["drop index b4_some", "create index b4_some"],
    },
  },
  {
    what: "a column in another case",
    shape: { c1: column(int, { name: "cased" }) },
    on: all<Live>({ items: ['"CASED" bigint'] }),
    steps: {
      postgres: ["add column cased", "drop column CASED: loses-data, breaks-old-code"],
      mariadb: [],
      sqlite: [],
    },
  },
  {
    what: "a column in another case, in a key, an index and a check",
    shape: { c2: column(int, { unique: true }), c3: column(int, { index: true }), c4: int },
    options: { checks: { c4_check: "c4 > 0" } },
    on: {
      mariadb: {
        items: ["C2 bigint", "C3 bigint", "C4 bigint", "UNIQUE (c2)", "CONSTRAINT c4_check CHECK (C4 > 0)"],
        after: ["CREATE INDEX c3_idx ON t (c3)"],
      },
      sqlite: {
        items: ["C2 bigint", "C3 bigint", "C4 bigint", "UNIQUE (c2)", "CONSTRAINT c4_check CHECK (C4 > 0)"],
        after: ["CREATE INDEX c3_idx ON t (c3)"],
      },
    },
    steps: { mariadb: [], sqlite: [] },
  },
  {
    what: "the members of an enum in another order",
    shape: (dialect) => ({
      d1: column(z.enum(["low", "high"]).nullable(), {
        type: { postgres: "mood", mariadb: "enum('low','high')" },
        ...(dialect === "sqlite" ? { checkValues: true } : {}),
      }),
    }),
    others: [enumType("mood", ["low", "high"])],
    on: {
      postgres: { before: ["CREATE TYPE mood AS ENUM ('high', 'low')"], items: ["d1 mood"] },
      mariadb: { items: ["d1 enum('high','low') COLLATE utf8mb4_nopad_bin"] },
      sqlite: { items: ["d1 TEXT", "CONSTRAINT t_d1_check CHECK (d1 IN ('high', 'low'))"] },
    },
    steps: {
      postgres: [
        "rebuild enum mood: loses-data, may-fail, breaks-old-code",
        "change type d1: may-fail, blocks, breaks-old-code",
        "drop enum mood__former",
      ],
      mariadb: ["change type d1: may-fail, breaks-old-code, blocks"],
      sqlite: ["drop check t_d1_check", "add check t_d1_check: may-fail, breaks-old-code"],
    },
  },
  {
    what: "a member of an enum that is new at its end",
    shape: {
      d2: column(z.enum(["low", "high"]).nullable(), {
        type: { postgres: "size", mariadb: "enum('low','high')" },
      }),
    },
    others: [enumType("size", ["low", "high"])],
    on: {
      postgres: { before: ["CREATE TYPE size AS ENUM ('low')"], items: ["d2 size"] },
      mariadb: { items: ["d2 enum('low') COLLATE utf8mb4_nopad_bin"] },
    },
    steps: { postgres: ["add value size.high"], mariadb: ["change type d2: breaks-old-code"] },
  },
  {
    what: "a check that is not validated",
    shape: { e1: int },
    options: { checks: { e1_check: "e1 > 0" } },
    on: {
      postgres: {
        items: ["e1 bigint"],
        after: ["ALTER TABLE t ADD CONSTRAINT e1_check CHECK (e1 > 0) NOT VALID"],
      },
    },
    steps: { postgres: ["validate check e1_check: may-fail"] },
  },
  {
    what: "a check that is neither validated nor declared",
    shape: { e2: int },
    on: {
      postgres: {
        items: ["e2 bigint"],
        after: ["ALTER TABLE t ADD CONSTRAINT e2_check CHECK (e2 > 0) NOT VALID"],
      },
    },
    steps: { postgres: [] },
  },
  {
    what: "a reference that is not validated",
    shape: { e3: int },
    options: refers("e3"),
    others: [Team],
    on: {
      postgres: {
        before: [TEAMS],
        items: ["e3 bigint"],
        after: [`ALTER TABLE t ADD ${fkey("e3")} NOT VALID`],
      },
    },
    steps: { postgres: ["validate foreign key t_e3_fkey: may-fail"] },
  },
  {
    what: "another check",
    shape: { e4: int },
    options: { checks: { e4_check: "e4 > 0" } },
    on: all<Live>({ items: ["e4 bigint", "CONSTRAINT e4_check CHECK (e4 > 1)"] }),
    steps: {
      postgres: [
        "drop check e4_check",
        "add check e4_check: breaks-old-code",
        "validate check e4_check: may-fail",
      ],
      mariadb: ["drop check e4_check", "add check e4_check: may-fail, breaks-old-code, blocks"],
      sqlite: ["drop check e4_check", "add check e4_check: may-fail, breaks-old-code"],
    },
  },
  {
    what: "a check that is not declared",
    shape: { e5: int },
    on: all<Live>({ items: ["e5 bigint", "CONSTRAINT e5_check CHECK (e5 > 1)"] }),
    steps: all(["drop check e5_check: undeclared"]),
  },
  {
    what: "a reference that is to be deferred",
    shape: { f1: int },
    options: refers("f1", { deferrable: "initially deferred" }),
    others: [Team],
    on: {
      postgres: { before: [TEAMS], items: ["f1 bigint", fkey("f1")] },
      sqlite: { before: [TEAMS], items: ["f1 bigint", fkey("f1")] },
    },
    steps: {
      postgres: [
        "drop foreign key t_f1_fkey",
        "add foreign key t_f1_fkey: breaks-old-code",
        "validate foreign key t_f1_fkey: may-fail",
      ],
      sqlite: ["rebuild table: may-fail, breaks-old-code"],
    },
  },
  {
    what: "a reference that is deferred and not declared so",
    shape: { f2: int },
    options: refers("f2"),
    others: [Team],
    on: {
      postgres: {
        before: [TEAMS],
        items: ["f2 bigint", fkey("f2", " DEFERRABLE INITIALLY IMMEDIATE")],
      },
      sqlite: {
        before: [TEAMS],
        items: ["f2 bigint", fkey("f2", " DEFERRABLE INITIALLY DEFERRED")],
      },
    },
    steps: {
      postgres: [
        "drop foreign key t_f2_fkey",
        "add foreign key t_f2_fkey: breaks-old-code",
        "validate foreign key t_f2_fkey: may-fail",
      ],
      sqlite: ["rebuild table: may-fail, breaks-old-code"],
    },
  },
  {
    what: "a key that is deferred",
    shape: { f3: column(int, { unique: true }) },
    on: { postgres: { items: ["f3 bigint", "CONSTRAINT f3_late UNIQUE (f3) DEFERRABLE"] } },
    steps: { postgres: ["create index t_f3_key: may-fail", "add unique t_f3_key"] },
  },
  {
    what: "another action of a reference when its row is deleted",
    shape: { f4: int },
    options: refers("f4", { onDelete: "cascade" }),
    others: [Team],
    on: {
      postgres: { before: [TEAMS], items: ["f4 bigint", fkey("f4", " ON DELETE SET NULL")] },
      mariadb: { before: [TEAMS], items: ["f4 bigint", fkey("f4", " ON DELETE SET NULL")] },
      sqlite: { before: [TEAMS], items: ["f4 bigint", fkey("f4", " ON DELETE SET NULL")] },
    },
    steps: {
      postgres: [
        "drop foreign key t_f4_fkey",
        "add foreign key t_f4_fkey: breaks-old-code",
        "validate foreign key t_f4_fkey: may-fail",
      ],
      mariadb: ["drop foreign key t_f4_fkey", "add foreign key t_f4_fkey: may-fail, breaks-old-code, blocks"],
      sqlite: ["rebuild table: may-fail, breaks-old-code"],
    },
  },
  {
    what: "another action of a reference when its key changes",
    shape: { f5: int },
    options: refers("f5", { onUpdate: "cascade" }),
    others: [Team],
    on: {
      postgres: { before: [TEAMS], items: ["f5 bigint", fkey("f5", " ON UPDATE SET NULL")] },
      mariadb: { before: [TEAMS], items: ["f5 bigint", fkey("f5", " ON UPDATE SET NULL")] },
      sqlite: { before: [TEAMS], items: ["f5 bigint", fkey("f5", " ON UPDATE SET NULL")] },
    },
    steps: {
      postgres: [
        "drop foreign key t_f5_fkey",
        "add foreign key t_f5_fkey: breaks-old-code",
        "validate foreign key t_f5_fkey: may-fail",
      ],
      mariadb: ["drop foreign key t_f5_fkey", "add foreign key t_f5_fkey: may-fail, breaks-old-code, blocks"],
      sqlite: ["rebuild table: may-fail, breaks-old-code"],
    },
  },
  {
    what: "a key that is there twice",
    shape: { f6: column(int, { unique: true }) },
    on: all<Live>({ items: ["f6 bigint", "CONSTRAINT f6_one UNIQUE (f6)", "CONSTRAINT f6_two UNIQUE (f6)"] }),
    steps: all([]),
  },
  {
    what: "a greater scale",
    shape: { g1: decimal(12, 4).nullable() },
    on: {
      postgres: { items: ["g1 numeric(10,2)"] },
      mariadb: { items: ["g1 decimal(10,2)"] },
      sqlite: {
        items: [
          "g1 INTEGER",
          "CONSTRAINT t_g1_check CHECK (typeof(g1) IN ('integer', 'null') AND g1 / 100 BETWEEN -99999999 AND 99999999)",
        ],
      },
    },
    steps: {
      postgres: ["change type g1: blocks, breaks-old-code"],
      mariadb: ["change type g1: breaks-old-code, blocks"],
      sqlite: ["rebuild table: may-fail, breaks-old-code"],
    },
  },
  {
    what: "a smaller scale",
    shape: { g2: decimal(10, 0).nullable() },
    on: {
      postgres: { items: ["g2 numeric(10,2)"] },
      mariadb: { items: ["g2 decimal(10,2)"] },
      sqlite: {
        items: [
          "g2 INTEGER",
          "CONSTRAINT t_g2_check CHECK (typeof(g2) IN ('integer', 'null') AND g2 / 100 BETWEEN -99999999 AND 99999999)",
        ],
      },
    },
    steps: {
      postgres: ["change type g2: loses-data, may-fail, blocks, breaks-old-code"],
      mariadb: ["change type g2: loses-data, may-fail, breaks-old-code, blocks"],
      sqlite: ["rebuild table: loses-data, may-fail, breaks-old-code"],
    },
  },
  {
    what: "a greater precision",
    shape: { g3: decimal(12, 2).nullable() },
    on: {
      postgres: { items: ["g3 numeric(10,2)"] },
      mariadb: { items: ["g3 decimal(10,2)"] },
      sqlite: {
        items: [
          "g3 INTEGER",
          "CONSTRAINT t_g3_check CHECK (typeof(g3) IN ('integer', 'null') AND g3 / 100 BETWEEN -99999999 AND 99999999)",
        ],
      },
    },
    steps: {
      postgres: ["change type g3: breaks-old-code"],
      mariadb: ["change type g3: breaks-old-code, blocks"],
      sqlite: ["drop check t_g3_check", "add check t_g3_check: may-fail, breaks-old-code"],
    },
  },
  {
    what: "the collation of the database where none is declared",
    shape: { h1: text },
    on: {
      postgres: { items: ["h1 text"] },
      mariadb: { items: ["h1 varchar(40) COLLATE utf8mb4_unicode_ci"] },
      sqlite: { items: ["h1 TEXT COLLATE NOCASE"] },
    },
    steps: all<readonly string[]>([]),
  },
  {
    what: "another collation than the declared one",
    shape: (dialect) => ({
      h2: typed(text, {
        postgres: 'text COLLATE "POSIX"',
        mariadb: "varchar(40) COLLATE utf8mb4_bin",
        sqlite: "TEXT COLLATE RTRIM",
      })(dialect),
    }),
    on: {
      postgres: { items: ['h2 text COLLATE "C"'] },
      mariadb: { items: ["h2 varchar(40) COLLATE utf8mb4_unicode_ci"] },
      sqlite: { items: ["h2 TEXT COLLATE NOCASE"] },
    },
    steps: {
      postgres: ["change type h2: breaks-old-code"],
      mariadb: ["change type h2: may-fail, breaks-old-code, blocks"],
      sqlite: ["rebuild table: breaks-old-code"],
    },
  },
  {
    what: "an identity that is not there",
    shape: (dialect) => (dialect === "postgres" ? { i1: column(z.int(), { generated: "byDefault" }) } : {}),
    on: { postgres: { items: ["i1 bigint NOT NULL DEFAULT 1"] } },
    steps: { postgres: ["drop default i1", "set generated i1"] },
  },
  {
    what: "an identity that is not declared",
    shape: { i2: z.int() },
    on: { postgres: { items: ["i2 bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY"] } },
    steps: { postgres: ["set generated i2"] },
  },
  {
    what: "an identity that an insert may give, where only the server gives it",
    shape: (dialect) => (dialect === "postgres" ? { i3: column(z.int(), { generated: true }) } : {}),
    on: { postgres: { items: ["i3 bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY"] } },
    steps: { postgres: ["set generated i3"] },
  },
  {
    what: "a key that is to be generated",
    shape: { id: column(z.int(), { primaryKey: true, generated: "byDefault" }) },
    on: {
      postgres: {},
      mariadb: {},
      sqlite: {},
    },
    steps: {
      postgres: ["set generated id"],
      mariadb: ["set generated id: blocks"],
      sqlite: ["rebuild table"],
    },
  },
  {
    what: "a key that is generated and not declared so",
    on: {
      postgres: { id: "id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY" },
      mariadb: { id: "id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY" },
      sqlite: { id: "id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL" },
    },
    steps: {
      postgres: ["set generated id"],
      mariadb: ["set generated id: blocks"],
      sqlite: ["rebuild table"],
    },
  },
  {
    what: "a comment that is not there",
    shape: { j1: column(int, { comment: "it's new" }) },
    on: all<Live>({ items: ["j1 bigint"] }),
    steps: { postgres: ["comment column j1"], mariadb: ["comment column j1"], sqlite: [] },
  },
  {
    what: "another comment",
    shape: { j2: column(int, { comment: "new" }) },
    on: {
      postgres: { items: ["j2 bigint"], after: ["COMMENT ON COLUMN t.j2 IS 'old'"] },
      mariadb: { items: ["j2 bigint COMMENT 'old'"] },
    },
    steps: { postgres: ["comment column j2"], mariadb: ["comment column j2"] },
  },
  {
    what: "a comment that is not declared",
    shape: { j3: int },
    on: {
      postgres: { items: ["j3 bigint"], after: ["COMMENT ON COLUMN t.j3 IS 'old'"] },
      mariadb: { items: ["j3 bigint COMMENT 'old'"] },
    },
    steps: { postgres: ["comment column j3"], mariadb: ["comment column j3"] },
  },
  {
    what: "another comment of the table",
    options: { comment: "new" },
    on: {
      postgres: { after: ["COMMENT ON TABLE t IS 'old'"] },
      mariadb: { option: "COMMENT='old'" },
      sqlite: {},
    },
    steps: { postgres: ["comment table"], mariadb: ["comment table"], sqlite: [] },
  },
  {
    what: "a column that may be null and is not declared so",
    shape: { k1: z.int() },
    on: all<Live>({ items: ["k1 bigint DEFAULT 1"] }),
    steps: {
      postgres: [
        "drop default k1",
        "add check t_k1_not_null: breaks-old-code",
        "validate check t_k1_not_null: may-fail",
        "set not null k1: breaks-old-code",
      ],
      mariadb: ["set not null k1: may-fail, breaks-old-code"],
      sqlite: ["rebuild table: may-fail, breaks-old-code"],
    },
  },
  {
    what: "a column that may not be null and is declared so",
    shape: { k2: column(int, { default: "1" }) },
    on: all<Live>({ items: ["k2 bigint DEFAULT 1 NOT NULL"] }),
    steps: all(["drop not null k2"]),
  },
  {
    what: "another default",
    shape: { k3: column(int, { default: "2" }) },
    on: all<Live>({ items: ["k3 bigint DEFAULT 1"] }),
    steps: { postgres: ["set default k3"], mariadb: ["set default k3"], sqlite: ["rebuild table"] },
  },
  {
    what: "a default that is not declared",
    shape: { k4: int },
    on: all<Live>({ items: ["k4 bigint DEFAULT 1"] }),
    steps: { postgres: ["drop default k4"], mariadb: ["drop default k4"], sqlite: ["rebuild table"] },
  },
  {
    what: "another computation",
    shape: { k5: column(int, { computed: "k5_of * 2", stored: true }), k5_of: int },
    on: all<Live>({ items: ["k5 bigint GENERATED ALWAYS AS (k5_of * 3) STORED", "k5_of bigint"] }),
    steps: {
      postgres: ["recompute column k5: breaks-old-code", "recompute column k5: blocks, breaks-old-code"],
      mariadb: ["recompute column k5: breaks-old-code, blocks"],
      sqlite: ["rebuild table"],
    },
  },
  {
    what: "a column that is not declared",
    on: all<Live>({ items: ["k6 bigint"] }),
    steps: all(["drop column k6: loses-data, breaks-old-code"]),
  },
  {
    what: "a column that is not there",
    shape: { k7: int },
    on: all<Live>({}),
    steps: all(["add column k7"]),
  },
  {
    what: "a column that is renamed",
    shape: { k8: column(int, { renamedFrom: "k8_old" }) },
    on: all<Live>({ items: ["k8_old bigint"] }),
    steps: all(["rename column k8_old: breaks-old-code"]),
  },
];

/** The steps of a change, each with what it names and its risks. */
function stepsOf({ steps }: Change): string[] {
  return steps.map((step) => {
    const words = stepWords(step)
      .replace(/ t(?:$|\.)/, " ")
      .trimEnd();
    return step.risks.length === 0 ? words : `${words}: ${step.risks.join(", ")}`;
  });
}

async function foundBetween(lent: Lent, dialect: SqlDialect, some: readonly Difference[]): Promise<string[]> {
  const lives = some.flatMap(({ on }) => on[dialect] ?? []);
  const said = (of: (live: Live) => readonly string[] | undefined) => lives.flatMap((live) => of(live) ?? []);
  const ids = lives.flatMap(({ id }) => id ?? []);
  const id = ids[0] ?? "id bigint NOT NULL PRIMARY KEY";
  const options = lives.flatMap(({ option }) => option ?? []).join(" ");
  // Columns stand before constraints.
  const isColumn = (item: string) => !/^(?:CONSTRAINT|UNIQUE)\b/.test(item);
  const items = said(({ items }) => items);
  const lines = [id, ...items.filter(isColumn), ...items.filter((item) => !isColumn(item))];
  const quoted = (sql: string) => (dialect === "mariadb" ? sql.replaceAll('"', "`") : sql);
  const made = [
    ...new Set(said(({ before }) => before)),
    `CREATE TABLE t (${lines.join(", ")}) ${options}`,
    ...said(({ after }) => after),
  ];
  try {
    for (const sql of made) await lent.run(quoted(sql));
    await lent.run(/ALWAYS/.test(id) ? "INSERT INTO t DEFAULT VALUES" : "INSERT INTO t (id) VALUES (1)");
    const shape = Object.assign(
      { id: column(z.int(), { primaryKey: true }) },
      ...some.map(({ shape = {} }) => (typeof shape === "function" ? shape(dialect) : shape)),
    );
    const lists = (key: "indexes" | "unique" | "foreignKeys") =>
      some.flatMap(({ options }) => [...(options?.[key] ?? [])]);
    const comment = some.flatMap(({ options }) => options?.comment ?? [])[0];
    const declared = table("t", z.object(shape), {
      checks: Object.assign({}, ...some.map(({ options }) => options?.checks ?? {})),
      indexes: lists("indexes"),
      unique: lists("unique"),
      foreignKeys: lists("foreignKeys"),
      ...(comment === undefined ? {} : { comment }),
    } as object);
    const others = [...new Set(some.flatMap(({ others = [] }) => others))];
    const types = others.filter((one) => dialect === "postgres" || !("values" in one));
    return stepsOf(await diff([declared, ...types] as never, lent.db));
  } finally {
    await lent.run("DROP TABLE IF EXISTS t");
    await lent.run("DROP TABLE IF EXISTS teams");
    if (dialect === "postgres") await lent.run("DROP TYPE IF EXISTS mood, size");
  }
}

for (const server of servers.filter(({ dialect }) => dialect !== "oracle"))
  describe.skipIf(!server.available)(`a difference on ${server.name}`, () => {
    const dialect = server.dialect as SqlDialect;
    let lent: Lent;
    beforeAll(async () => {
      lent = await server.lend();
    });
    afterAll(() => lent.close());
    const own = differences.filter(({ on }) => on[dialect] !== undefined);

    for (const [i, one] of own.entries()) {
      test(one.what, async () => {
        expect(await foundBetween(lent, dialect, [one])).toEqual(one.steps[dialect]);
      });

      const next = [...own.slice(i + 1), ...own].find((other) => !isOfKey(one) || !isOfKey(other));
      // Each is beside another in one test.
      if (next === undefined || (i % 2 === 1 && i + 1 < own.length)) continue;
      test(`${one.what}, and ${next.what}`, async () => {
        const found = await foundBetween(lent, dialect, [one, next]);
        expect(found.sort()).toEqual(together(dialect, [one, next]));
      });
    }

    test("all at once", async () => {
      const [key, ...keys] = own.filter(isOfKey);
      expect([key, ...keys].length).toBe(2);
      const all = own.filter((one) => one === key || !keys.includes(one));
      expect((await foundBetween(lent, dialect, all)).sort()).toEqual(together(dialect, all));
    });
  });

/** A table has one key. */
function isOfKey({ what }: Difference): boolean {
  return what.startsWith("a key that is to be generated") || what.startsWith("a key that is generated");
}

// What SQLite changes by a rebuild of the table, where it rebuilds it anyway.
const IN_REBUILD = /^(?:rebuild table|(?:add|drop) check|(?:set|drop) not null|add column)\b/;
const RISKS = ["loses-data", "undeclared", "may-fail", "breaks-old-code"];

/** The steps of several differences, sorted. */
function together(dialect: SqlDialect, some: readonly Difference[]): string[] {
  const steps = some.flatMap((one) => one.steps[dialect] ?? []);
  if (dialect !== "sqlite" || !steps.some((one) => one.startsWith("rebuild table"))) return steps.sort();
  const inside = steps.filter((one) => IN_REBUILD.test(one));
  const risks = RISKS.filter((risk) => inside.some((one) => one.split(/: |, /).includes(risk)));
  const rebuild = risks.length === 0 ? "rebuild table" : `rebuild table: ${risks.join(", ")}`;
  return [...steps.filter((one) => !IN_REBUILD.test(one)), rebuild].sort();
}
