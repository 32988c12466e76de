/** The steps that create tables, which nobody uses yet, the steps that drop tables, and PostgreSQL's comments. */

import type { Grammar } from "../../dialect/grammar/grammar.js";
import type { DeclaredTable } from "../catalog/declared-table.js";
import type { TableDelta } from "../diff/compare.js";
import { constraintText, createOf } from "../text/create-text.js";
import { literal } from "../text/one-line-literals.js";
import { type CatalogTable, keyOf } from "../words/catalog.js";
import type { PlanContext } from "./dialect.js";
import { inReferenceOrder, type Planned, planned, subjectOf, tableName } from "./plan.js";
import { NEW_TABLE, whyGone } from "./why.js";

/** Creates tables, each with its indexes; a foreign key that closes a circle of references comes after both tables. */
export function createTables(tables: readonly DeclaredTable[], context: PlanContext): Planned[] {
  const { grammar, catalog } = context;
  const byCatalog = new Map(tables.map((table) => [table.catalog, table]));
  const there = new Set(catalog.tables.map(({ schema, name }) => keyOf(schema, name)));
  for (const { schema, catalog } of context.there) there.add(keyOf(schema, catalog.name));
  const steps: Planned[] = [];
  for (const one of inReferenceOrder(tables.map(({ catalog }) => catalog))) {
    const declared = byCatalog.get(one);
    if (declared === undefined) continue;
    there.add(keyOf(declared.schema, one.name));
    steps.push(...createTable(declared, there, grammar));
    if (grammar.ddl.comments === "statements") steps.push(...commentsOf(declared, context));
  }
  return steps;
}

/** @param there the tables that exist when this one is created, and itself. */
function createTable(
  { create, indexes, schema, catalog }: DeclaredTable,
  there: ReadonlySet<string>,
  grammar: Grammar,
): Planned[] {
  const subject = subjectOf(schema, catalog.name);
  const items: string[] = [];
  const later: Planned[] = [];
  for (const { text, constraint } of create.items) {
    const key =
      constraint?.kind === "foreign key"
        ? catalog.foreignKeys.find(
            ({ name, columns }) =>
              name === constraint.name || columns.join("\0") === constraint.columns.join("\0"),
          )
        : undefined;
    const isReady =
      key === undefined ||
      constraint === undefined ||
      grammar.ddl.refersAhead ||
      there.has(keyOf(key.target.schema, key.target.table));
    if (isReady) items.push(text);
    else
      later.push(
        planned({
          ...subject,
          phase: "references",
          kind: "add foreign key",
          name: key.name ?? "",
          sql: [
            `ALTER TABLE ${tableName(schema, catalog.name, grammar)} ADD ${constraintText(constraint, grammar.quote)}`,
          ],
          why: "the tables refer to each other",
        }),
      );
  }
  const made = { ...subject, phase: "create tables" } as const;
  return [
    planned({ ...made, kind: "create table", sql: [createOf(create, items)], why: NEW_TABLE }),
    ...[...indexes].map(([name, sql]) =>
      planned({ ...made, kind: "create index", name, sql: [sql], why: NEW_TABLE }),
    ),
    ...later,
  ];
}

function commentsOf({ catalog, schema }: DeclaredTable, { grammar }: PlanContext): Planned[] {
  const name = tableName(schema, catalog.name, grammar);
  const subject = subjectOf(schema, catalog.name);
  return [
    ...(catalog.comment === null
      ? []
      : [
          planned({
            ...subject,
            phase: "create tables",
            kind: "comment table",
            sql: [`COMMENT ON TABLE ${name} IS ${literal(catalog.comment)}`],
            why: NEW_TABLE,
          }),
        ]),
    ...catalog.columns.flatMap((column) =>
      column.comment === null
        ? []
        : [
            planned({
              ...subject,
              phase: "create tables",
              kind: "comment column",
              name: column.name,
              sql: [`COMMENT ON COLUMN ${name}.${grammar.quote(column.name)} IS ${literal(column.comment)}`],
              why: NEW_TABLE,
            }),
          ],
    ),
  ];
}

/** The comments of an existing table. */
export function setComments(
  { declared, comment, changed, added }: TableDelta,
  { grammar }: PlanContext,
): Planned[] {
  const name = tableName(declared.schema, declared.catalog.name, grammar);
  const subject = subjectOf(declared.schema, declared.catalog.name);
  const columns = [
    ...changed.filter((one) => one.comment).map((one) => one.declared),
    ...added.filter((one) => one.comment !== null),
  ];
  return [
    ...(comment
      ? [
          planned({
            ...subject,
            phase: "comments",
            kind: "comment table",
            sql: [`COMMENT ON TABLE ${name} IS ${literal(declared.catalog.comment)}`],
            why: "the comment changed",
          }),
        ]
      : []),
    ...columns.map((column) =>
      planned({
        ...subject,
        phase: "comments",
        kind: "comment column",
        name: column.name,
        sql: [`COMMENT ON COLUMN ${name}.${grammar.quote(column.name)} IS ${literal(column.comment)}`],
        why: "the comment changed",
      }),
    ),
  ];
}

/** Drops tables, those that refer to others first. */
export function dropTables(
  tables: readonly CatalogTable[],
  { grammar, there, dialect: { dropReference } }: PlanContext,
): Planned[] {
  const ordered = inReferenceOrder(tables).reverse();
  const keys = tables.flatMap((table) => table.foreignKeys.map((key) => ({ table, key })));
  const others = keys.filter(({ table, key }) => key.target.table !== table.name);
  const named = ({ schema, name }: CatalogTable) => tableName(schema, name, grammar);
  return [
    ...(dropReference === undefined ? [] : others).map(({ table, key }) =>
      planned({
        ...subjectOf(table.schema, table.name),
        phase: "drop references",
        kind: "drop foreign key",
        name: key.name ?? "",
        sql: [dropReference?.(named(table), grammar.quote(key.name ?? "")) ?? ""],
        why: "the table is not declared",
      }),
    ),
    ...ordered.map((table) =>
      planned({
        ...subjectOf(table.schema, table.name),
        phase: "drop tables",
        kind: "drop table",
        sql: [`DROP TABLE ${named(table)}`],
        risks: ["loses-data", "breaks-old-code"],
        why: whyGone(table, there, grammar),
      }),
    ),
  ];
}
