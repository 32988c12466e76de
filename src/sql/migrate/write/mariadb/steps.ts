/**
 * The steps of MariaDB. Each writes the algorithm and the lock that it needs, so that the server refuses it if it would
 * lock the table. A step that can only copy the table is marked as blocking.
 */

import type { DeclaredTable } from "../../catalog/declared-table.js";
import { engineOf } from "../../catalog/mariadb/create.js";
import type { TableDelta } from "../../diff/compare.js";
import { type Going, goingOf } from "../../diff/undeclared.js";
import { type ConstraintKind, constraintText, writtenConstraint } from "../../text/create-text.js";
import type { CatalogCheck, CatalogForeignKey, CatalogIndex, CatalogKey } from "../../words/catalog.js";
import { MigrationError } from "../../words/errors.js";
import { stepWords } from "../../words/step.js";
import { changeSteps, type PartSteps } from "../change-steps.js";
import { type Planned, planned, subjectOf, touchedOf, UNTOUCHED, withDependents } from "../plan.js";
import { addColumn, changeColumn, definitionOf, textOf } from "./columns.js";
import type { MariadbContext } from "./context.js";
import { indexesOver, refuseHeldColumns } from "./held-columns.js";
import { KeyIndexes } from "./key-indexes.js";
import { COPIED, type MakeStep, stepMaker } from "./make-step.js";

/** The steps from a table to its declaration. */
export function changeTable(given: TableDelta, context: MariadbContext): Planned[] {
  const delta = withDependents(given, { retyped: touchedOf(given), remade: UNTOUCHED }, context);
  refuseHeldColumns(delta, context);
  const engine = engineOf(delta.actual, context.catalog.unknown);
  if (engine !== undefined) refuseReferences(delta, engine);
  return changeSteps(delta, partsOf(delta, context), context);
}

// The server would accept the statement and create no key.
function refuseReferences({ declared, foreignKeys }: TableDelta, engine: string): void {
  for (const { name } of foreignKeys.add) {
    const subject = { ...subjectOf(declared.schema, declared.catalog.name), name: name ?? "" };
    const step = stepWords({ kind: "add foreign key", ...subject });
    throw new MigrationError(
      "MIGRATION_REFUSED",
      `the step ${step} is refused: a table of the engine ${engine} has no foreign keys: make it one of InnoDB first, by a step of your own`,
      { step },
    );
  }
}

function partsOf(delta: TableDelta, context: MariadbContext): PartSteps {
  const { grammar } = context;
  const { quote } = grammar;
  const { declared } = delta;
  const step = stepMaker(delta, context);
  const keyIndexes = new KeyIndexes(delta, context);
  const making: Making = { step, quote, keyIndexes };
  return {
    dropForeignKey: (key, going) => dropForeignKey(key, going, making),
    dropCheck: (check, going) => dropCheck(check, going, delta, making),
    dropUnique: (key, going) => dropIndex("drop unique", key, going, making),
    dropIndex: (index, going) => dropIndex("drop index", index, going, making),
    renameColumn: (from, to) =>
      step("rename columns", "rename column", from, {
        op: `RENAME COLUMN ${quote(from)} TO ${quote(to)}`,
        algorithm: "INSTANT",
        risks: ["breaks-old-code"],
        why: `the declaration says that the column was renamed to ${to}`,
      }),
    addColumn: (column) => addColumn(column, delta, step, grammar),
    changeColumns: () => delta.changed.flatMap((one) => changeColumn(one, delta, step, grammar)),
    dropColumn: ({ name }, why) =>
      step("drop columns", "drop column", name, {
        op: `DROP COLUMN ${quote(name)}`,
        // An index that no step drops is dropped with it.
        algorithm: indexesOver(name, delta, context).length > 0 ? "NOCOPY" : "INSTANT",
        risks: ["loses-data", "breaks-old-code"],
        why,
      }),
    changeKeys: () => changeKeys(delta, making),
    addIndex: (index) => (keyIndexes.has(index) ? [] : [addIndex(index, delta, context)]),
    addCheck: ({ name }) => [
      step("checks", "add check", name ?? "", addingIt(written(declared, "check", { name }, quote))),
    ],
    addForeignKey: (key) => [
      step(
        "references",
        "add foreign key",
        key.name ?? "",
        addingIt(written(declared, "foreign key", key, quote)),
      ),
    ],
    comment: () => (delta.comment ? [changeComment(declared, step)] : []),
  };
}

/** How steps of a table are made, its names quoted, and the indexes that its foreign keys need. */
interface Making {
  readonly step: MakeStep;
  readonly quote: (name: string) => string;
  readonly keyIndexes: KeyIndexes;
}

function dropForeignKey(
  key: CatalogForeignKey,
  { risks, ifExists, why }: Going,
  { step, quote, keyIndexes }: Making,
): Planned {
  const name = key.name ?? "";
  const others = keyIndexes.dropKey(key);
  return step("drop references", "drop foreign key", name, {
    op: [`DROP FOREIGN KEY ${ifExists}${quote(name)}`, ...others].join(", "),
    algorithm: others.length === 0 ? "INSTANT" : "NOCOPY",
    risks,
    why,
  });
}

// The check of a column has the name of the column.
function dropCheck(
  { name }: CatalogCheck,
  { risks, ifExists, why }: Going,
  { actual }: TableDelta,
  { step, quote }: Making,
): Planned {
  const column = actual.columns.find((one) => one.name === name);
  return step("drop constraints", "drop check", name ?? "", {
    op:
      column === undefined
        ? `DROP CONSTRAINT ${ifExists}${quote(name ?? "")}`
        : `MODIFY COLUMN ${quote(column.name)} ${definitionOf(column)}`,
    algorithm: "INSTANT",
    risks,
    why,
  });
}

function dropIndex(
  kind: "drop unique" | "drop index",
  index: CatalogKey | CatalogIndex,
  { risks, ifExists, why }: Going,
  { step, quote, keyIndexes }: Making,
): Planned {
  const name = index.name ?? "";
  const op = [...keyIndexes.dropIndex(name), `DROP INDEX ${ifExists}${quote(name)}`].join(", ");
  const algorithm = keyIndexes.dropAlgorithm(name);
  return step("drop constraints", kind, name, { op, algorithm, risks, why });
}

function addingIt(text: string): Parameters<MakeStep>[3] {
  return {
    op: `ADD ${text}`,
    algorithm: "COPY",
    risks: ["may-fail", "breaks-old-code"],
    why: "it is declared but does not exist",
  };
}

function changeComment({ catalog }: DeclaredTable, step: MakeStep): Planned {
  return step("comments", "comment table", undefined, {
    op: `COMMENT=${textOf(catalog.comment ?? "")}`,
    algorithm: "INSTANT",
    why: "the comment changed",
  });
}

function changeKeys(delta: TableDelta, { step, quote, keyIndexes }: Making): Planned[] {
  const { primaryKey, keys, added } = delta;
  const [gone] = primaryKey.drop;
  const [come] = primaryKey.add;
  const isMade =
    come !== undefined &&
    added.some(({ name, generated }) => generated !== false && name === come.columns[0]);
  const steps: Planned[] = [];
  if (gone !== undefined && come === undefined)
    steps.push(
      step("drop constraints", "drop primary key", gone.name ?? "PRIMARY", {
        op: [...keyIndexes.dropPrimary(undefined, delta), "DROP PRIMARY KEY"].join(", "),
        algorithm: "COPY",
        risks: goingOf(gone, delta).risks,
        why: goingOf(gone, delta).why,
      }),
    );
  if (come !== undefined && !isMade)
    steps.push(
      step("keys", "add primary key", come.name ?? "PRIMARY", {
        op: [
          ...(gone === undefined ? [] : [...keyIndexes.dropPrimary(come.columns, delta), "DROP PRIMARY KEY"]),
          `ADD PRIMARY KEY (${come.columns.map(quote).join(", ")})`,
        ].join(", "),
        algorithm: "INPLACE",
        risks: ["may-fail"],
        why: "it is declared but does not exist; two rows with the same value fail the step",
      }),
    );
  for (const { name, columns } of keys.add)
    steps.push(
      step("keys", "add unique", name ?? "", {
        op: `ADD UNIQUE INDEX ${quote(name ?? "")} (${columns.map(quote).join(", ")})`,
        algorithm: keyIndexes.makesRowKey(columns, delta) ? "INPLACE" : "NOCOPY",
        risks: ["may-fail"],
        why: "it is declared but does not exist; two rows with the same value fail the step",
      }),
    );
  return steps;
}

function addIndex(
  { name, unique }: CatalogIndex,
  { actual, declared: { indexes, schema, catalog } }: TableDelta,
  context: MariadbContext,
): Planned {
  const sql = indexes.get(name) ?? "";
  const waiting = sql.replace(/\)( USING \w+)?$/, ") WAIT 3$1");
  const copies = engineOf(actual, context.catalog.unknown) !== undefined;
  const locks = copies || /^CREATE (?:FULLTEXT|SPATIAL) /.test(sql);
  const algorithm = copies ? "COPY" : locks ? "INPLACE" : "NOCOPY";
  const blocks = locks && !(copies && context.isEmpty(actual));
  return planned({
    ...subjectOf(schema, catalog.name),
    phase: "indexes",
    kind: "create index",
    name,
    sql: [`${waiting} ALGORITHM=${algorithm} LOCK=${locks ? "SHARED" : "NONE"}`],
    transaction: false,
    lock: locks ? "writes" : "none",
    rewrites: copies,
    risks: [...(unique ? (["may-fail"] as const) : []), ...(blocks ? (["blocks"] as const) : [])],
    why: `the index is declared but does not exist${copies ? COPIED : ""}`,
  });
}

function written(
  { create }: DeclaredTable,
  kind: ConstraintKind,
  said: { readonly name: string | null; readonly columns?: readonly string[] },
  quote: (name: string) => string,
): string {
  const found = writtenConstraint(create, kind, said);
  return found === undefined ? "" : constraintText(found, quote);
}
