/**
 * The steps of views. A view whose query changed is dropped and created again; so is a view of something that the
 * server does not change under a view, and everything that reads such a view.
 */
import { quoted } from "../../../core/errors.js";
import { neededFirst } from "../../ddl/in-order.js";
import type { Read, ViewLinks, ViewReader } from "../catalog/view-links.js";
import { literal } from "../text/one-line-literals.js";
import { type CatalogUnknown, type CatalogView, keyOf } from "../words/catalog.js";
import { MigrationError } from "../words/errors.js";
import { type StepSubject, stepWords } from "../words/step.js";
import type { DeclaredView } from "./declared-views.js";
import { isSameView } from "./declared-views.js";
import type { PlanContext, Touched } from "./dialect.js";
import { type Planned, planned, subjectOf, tableName } from "./plan.js";

/** The input of a plan of views. */
interface Views {
  readonly declared: readonly DeclaredView[];
  /** Whether a view is to be dropped because it is not declared. */
  readonly isGone: (view: CatalogView) => boolean;
  readonly links: ViewLinks;
  /** Parts that the server does not change while a view reads them. */
  readonly touched: readonly Touched[];
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
  const planning = new ViewPlanning(views, context);
  planning.dropDiffering();
  planning.dropReaders();
  return { steps: [...planning.drops(), ...planning.creations()], dropped: new Set(planning.dropped.keys()) };
}

/** Finds the views that are dropped, and writes the steps of all. */
class ViewPlanning {
  /** The views that are dropped, and why. */
  readonly dropped = new Map<CatalogView, string>();
  readonly #views: Views;
  readonly #context: PlanContext;
  readonly #there: ReadonlyMap<string, CatalogView>;
  readonly #declared: ReadonlyMap<string, DeclaredView>;

  constructor(views: Views, context: PlanContext) {
    this.#views = views;
    this.#context = context;
    this.#there = new Map(context.catalog.views.map((view) => [this.#keyOf(view), view]));
    this.#declared = new Map(
      views.declared.map((one) => [this.#keyOf({ schema: one.schema, name: one.view.name }), one]),
    );
  }

  /** Drops the views whose query changed, and those that are not declared and are to go. */
  dropDiffering(): void {
    const { isGone, exact } = this.#views;
    for (const [key, view] of this.#there) {
      const one = this.#declared.get(key);
      if (one === undefined ? isGone(view) : !isSameView(view, one, this.#context.dialect, exact))
        this.dropped.set(view, one === undefined ? "the view is not declared" : "its query changed");
    }
  }

  /** Drops what reads something that is touched, and what reads such a view. */
  dropReaders(): void {
    const { touched, links } = this.#views;
    for (const { step, ...read } of touched) for (const one of links.readersOf(read)) this.#drop(one, step);
    // The readers of a view come after it: PostgreSQL drops no view before its readers, and MariaDB keeps the old `*`.
    if (this.#context.dialect.views.keepReaders && touched.length === 0) return;
    for (const view of this.dropped.keys())
      for (const one of links.readersOf(view))
        this.#drop(one, stepWords({ kind: "drop view", ...subjectOf(view.schema, view.name) }));
  }

  #drop(one: ViewReader, step: string): void {
    const view = one.kind === "view" ? this.#there.get(this.#keyOf(one)) : undefined;
    if (view !== undefined && this.dropped.has(view)) return;
    if (view !== undefined && this.#isDeclared(view)) this.dropped.set(view, `it blocks ${step}`);
    else if (this.#context.dialect.views.block)
      throw new MigrationError(
        "MIGRATION_REFUSED",
        `the step ${step} is refused: ${one.kind} ${quoted(one.name)} depends on it: declare it, or drop it first`,
        { step },
      );
  }

  /** The steps that drop views, those that read others first. */
  drops(): Planned[] {
    const all = [...this.dropped.keys()];
    const readersFirst = neededFirst(all, (view) => {
      const readers = new Set(this.#views.links.readersOf(view).map((one) => this.#keyOf(one)));
      return all.filter((other) => readers.has(this.#keyOf(other)));
    });
    const { grammar, dialect } = this.#context;
    return readersFirst.map((view) => {
      const words = { kind: "drop view", ...subjectOf(view.schema, view.name) } as const;
      this.#refuseLoss(view, words);
      const isDeclared = this.#isDeclared(view);
      return planned({
        ...words,
        phase: "drop views",
        sql: [`DROP VIEW ${isDeclared ? "" : "IF EXISTS "}${tableName(view.schema, view.name, grammar)}`],
        transaction: dialect.undoesDdl,
        risks: isDeclared ? [] : ["undeclared", "breaks-old-code"],
        why: this.dropped.get(view) ?? "",
      });
    });
  }

  /** The steps that create views. */
  creations(): Planned[] {
    return this.#views.declared.flatMap((one): Planned[] => {
      const subject = subjectOf(one.schema, one.view.name);
      const view = this.#there.get(this.#keyOf({ schema: one.schema, name: one.view.name }));
      if (view !== undefined && !this.dropped.has(view)) return this.#comment(one, view);
      const triggers = view === undefined ? [] : this.#belongingTo(view);
      return [
        planned({
          ...subject,
          phase: "create views",
          kind: "create view",
          sql: [...one.create, ...triggers.map(({ definition }) => definition ?? "")],
          transaction: this.#context.dialect.undoesDdl,
          why: view === undefined ? "the view is declared but does not exist" : "the view is made again",
        }),
      ];
    });
  }

  #comment({ view, schema }: DeclaredView, actual: CatalogView): Planned[] {
    const { grammar } = this.#context;
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

  // Triggers and rules are dropped with the view, and created again by their own text if the view is.
  #refuseLoss(view: CatalogView, words: StepSubject): void {
    const isRemade = this.#isDeclared(view);
    const lost = this.#belongingTo(view).find(({ definition }) => !isRemade || definition === null);
    if (lost === undefined) return;
    const step = stepWords(words);
    throw new MigrationError(
      "MIGRATION_REFUSED",
      `the step ${step} is refused: ${lost.kind} ${quoted(lost.name)} would be lost: drop it first`,
      { step },
    );
  }

  #belongingTo(view: CatalogView): CatalogUnknown[] {
    const { unknown } = this.#context.catalog;
    return unknown.filter(({ table, schema }) => table === view.name && schema === view.schema);
  }

  #isDeclared(view: CatalogView): boolean {
    return this.#declared.has(this.#keyOf(view));
  }

  #keyOf({ schema, name }: Read): string {
    return keyOf(schema, this.#context.nameOfTable(name));
  }
}
