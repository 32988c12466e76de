/**
 * The steps of views. A view whose query changed is dropped and created again; so is a view of something that the
 * server does not change under a view, and everything that reads such a view.
 */
import { quoted } from "../../core/errors.js";
import { behindNeeded } from "../ddl/in-order.js";
import type { Read, ViewLinks, ViewReader } from "./catalog/view-links.js";
import { nameIn, type TableDelta } from "./diff/compare.js";
import { type CatalogTable, type CatalogUnknown, type CatalogView, keyOf } from "./words/catalog.js";
import { MigrationError } from "./words/errors.js";
import { type StepSubject, stepWords } from "./words/step.js";
import { literal } from "./write/create-steps.js";
import { type DeclaredView, isSameView } from "./write/declared-views.js";
import { type PlanContext, type Planned, planned, subjectOf, tableName } from "./write/plan.js";
import type { EnumDelta } from "./write/postgres/enum-steps.js";
import { needsRebuild } from "./write/sqlite/steps.js";

/** The input of a plan of views. */
interface Views {
  readonly declared: readonly DeclaredView[];
  /** Whether a view is to be dropped because it is not declared. */
  readonly isGone: (view: CatalogView) => boolean;
  readonly links: ViewLinks;
  readonly enums: EnumDelta;
  readonly goneTables: readonly CatalogTable[];
  /** Whether types are compared exactly. */
  readonly exact: boolean;
}

/** The steps of views, and the views that do not exist during the other steps. */
interface ViewPlan {
  readonly steps: readonly Planned[];
  readonly dropped: ReadonlySet<CatalogView>;
}

/**
 * Plans the steps of views.
 * @throws {MigrationError} `MIGRATION_REFUSED` if an undeclared view prevents a step.
 */
export function planViews(views: Views, context: PlanContext): ViewPlan {
  const { catalog, grammar } = context;
  const { dialect } = grammar;
  const nameOf = nameIn(grammar);
  const readKey = ({ schema, name }: Read) => keyOf(schema, nameOf(name));
  const there = new Map(catalog.views.map((view) => [readKey(view), view]));
  const declared = new Map(
    views.declared.map((one) => [readKey({ schema: one.schema, name: one.view.name }), one]),
  );
  const dropped = new Map<CatalogView, string>();
  for (const [key, view] of there) {
    const one = declared.get(key);
    if (one === undefined ? views.isGone(view) : !isSameView(view, one, context.dialect, views.exact))
      dropped.set(view, one === undefined ? "the view is not declared" : "its query changed");
  }
  const touched = touchedBy(views, context);
  for (const { step, ...read } of touched) for (const one of views.links.readersOf(read)) add(one, step);
  // The readers of a view come after it: PostgreSQL drops no view before its readers, and MariaDB keeps the old `*`.
  if (dialect !== "sqlite" || touched.length > 0)
    for (const view of dropped.keys())
      for (const one of views.links.readersOf(view))
        add(one, stepWords({ kind: "drop view", ...subjectOf(view.schema, view.name) }));
  return { steps: [...drops(), ...creations()], dropped: new Set(dropped.keys()) };

  function add(one: ViewReader, step: string): void {
    const view = one.kind === "view" ? there.get(readKey(one)) : undefined;
    if (view !== undefined && dropped.has(view)) return;
    if (view !== undefined && declared.has(readKey(view))) dropped.set(view, `it blocks ${step}`);
    else if (dialect !== "mariadb")
      throw new MigrationError(
        "MIGRATION_REFUSED",
        `the step ${step} is refused: ${one.kind} ${quoted(one.name)} depends on it: declare it, or drop it first`,
        { step },
      );
  }

  function drops(): Planned[] {
    const all = [...dropped.keys()];
    const readersFirst = behindNeeded(all, (view) => {
      const readers = new Set(views.links.readersOf(view).map(readKey));
      return all.filter((other) => readers.has(readKey(other)));
    });
    return readersFirst.map((view) => {
      const words = { kind: "drop view", ...subjectOf(view.schema, view.name) } as const;
      refuseUnknown(view, words);
      return planned({
        ...words,
        phase: "drop views",
        sql: [
          `DROP VIEW ${declared.has(readKey(view)) ? "" : "IF EXISTS "}${tableName(view.schema, view.name, grammar)}`,
        ],
        transaction: dialect !== "mariadb",
        risks: declared.has(readKey(view)) ? [] : ["undeclared", "breaks-old-code"],
        why: dropped.get(view) ?? "",
      });
    });
  }

  function creations(): Planned[] {
    return views.declared.flatMap((one): Planned[] => {
      const subject = subjectOf(one.schema, one.view.name);
      const view = there.get(readKey({ schema: one.schema, name: one.view.name }));
      if (view !== undefined && !dropped.has(view)) return comment(one, view);
      const triggers = view === undefined ? [] : belongingTo(view);
      return [
        planned({
          ...subject,
          phase: "create views",
          kind: "create view",
          sql: [...one.create, ...triggers.map(({ definition }) => definition ?? "")],
          transaction: dialect !== "mariadb",
          why: view === undefined ? "the view is declared but does not exist" : "the view is made again",
        }),
      ];
    });
  }

  function comment({ view, schema }: DeclaredView, actual: CatalogView): Planned[] {
    if (grammar.ddl.comments !== "statements" || actual.comment === (view.comment ?? null)) return [];
    return [
      planned({
        ...subjectOf(schema, view.name),
        phase: "comments",
        kind: "comment view",
        sql: [`COMMENT ON VIEW ${tableName(schema, view.name, grammar)} IS ${literal(view.comment ?? null)}`],
        why: "the comment changed",
      }),
    ];
  }

  function belongingTo(view: CatalogView): CatalogUnknown[] {
    return catalog.unknown.filter(({ table, schema }) => table === view.name && schema === view.schema);
  }

  // Triggers and rules are dropped with the view, and created again by their own text if the view is.
  function refuseUnknown(view: CatalogView, words: StepSubject): void {
    const isRemade = declared.has(readKey(view));
    const lost = belongingTo(view).find(({ definition }) => !isRemade || definition === null);
    if (lost === undefined) return;
    const step = stepWords(words);
    throw new MigrationError(
      "MIGRATION_REFUSED",
      `the step ${step} is refused: ${lost.kind} ${quoted(lost.name)} would be lost: drop it first`,
      { step },
    );
  }
}

interface Touched extends Read {
  /** The words of the step that a view prevents. */
  readonly step: string;
}

/** The objects that the dialect cannot change, or not correctly, while a view reads them. */
function touchedBy({ enums, goneTables }: Views, context: PlanContext): Touched[] {
  const { dialect } = context.grammar;
  const { deltas } = context;
  if (dialect === "sqlite") return deltas.flatMap((delta) => touchedOnSqlite(delta, context));
  if (dialect === "mariadb") return deltas.flatMap(touchedOnMariadb);
  return [
    ...deltas.flatMap(touchedOnPostgres),
    ...goneTables.map(({ schema, name }) => ({
      schema,
      name,
      step: stepWords({ kind: "drop table", ...subjectOf(schema, name) }),
    })),
    ...enums.rebuilt.map(({ schema, type: { name } }) => ({
      schema,
      name,
      step: stepWords({ kind: "rebuild enum", ...subjectOf(schema, name) }),
    })),
  ];
}

function touchedOnPostgres({ actual, declared, changed, dropped, primaryKey }: TableDelta): Touched[] {
  const { schema, name } = actual;
  const now = subjectOf(declared.schema, declared.catalog.name);
  return [
    ...changed
      .filter(({ type, computed }) => type || computed)
      .map((one) => {
        const kind = one.declared.computed === null ? "change type" : "recompute column";
        const step = stepWords({ kind, ...now, name: one.declared.name });
        return { schema, name, column: one.actual.name, step };
      }),
    ...dropped.map((column) => ({
      schema,
      name,
      column: column.name,
      step: stepWords({ kind: "drop column", ...now, name: column.name }),
    })),
    // A view that groups by the key depends on it.
    ...primaryKey.drop.map((key) => ({
      schema,
      name,
      step: stepWords({ kind: "drop primary key", ...subjectOf(schema, name), name: key.name ?? "" }),
    })),
  ];
}

function touchedOnSqlite(delta: TableDelta, context: PlanContext): Touched[] {
  const { actual, declared, renames, dropped } = delta;
  const isRenamed = actual.name !== declared.catalog.name;
  const rebuilds = needsRebuild(delta, context);
  if (!rebuilds && !isRenamed && renames.size === 0 && dropped.length === 0) return [];
  const { schema, name } = actual;
  const kind = rebuilds ? "rebuild table" : isRenamed ? "rename table" : "alter table";
  const now = subjectOf(declared.schema, declared.catalog.name);
  const step =
    kind === "alter table"
      ? stepWords(
          renames.size > 0
            ? { kind: "rename column", ...now, name: [...renames.keys()][0] ?? "" }
            : { kind: "drop column", ...now, name: dropped[0]?.name ?? "" },
        )
      : stepWords({ kind, ...(rebuilds ? now : subjectOf(schema, name)) });
  return [{ schema, name, step }];
}

// The server keeps the names and the types of the time at which a view was created.
function touchedOnMariadb({ actual, declared, renames, added, dropped, changed }: TableDelta): Touched[] {
  const isOther =
    actual.name !== declared.catalog.name ||
    renames.size > 0 ||
    added.length > 0 ||
    dropped.length > 0 ||
    changed.some(({ type }) => type);
  const { schema, name } = actual;
  return isOther ? [{ schema, name, step: "the change of its table" }] : [];
}
