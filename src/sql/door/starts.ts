/** How the builders of each kind of statement begin: on a database, or from a spec. */
import type {
  AggregateStatement,
  CompoundStatement,
  ModifyStatement,
  QueryStatement,
  RemoveStatement,
  SelectStatement,
  Statement,
} from "../ast/statement.js";
import { AggregateBuilder } from "../builder/aggregate.js";
import type { AnyBuilder } from "../builder/builder.js";
import { CompoundBuilder } from "../builder/compound.js";
import { ChangeDraft } from "../builder/draft/change-draft.js";
import type { BuilderPlace, DraftSource } from "../builder/draft/draft.js";
import { InsertDraft } from "../builder/draft/insert-draft.js";
import { ReadingDraft } from "../builder/draft/statement-draft.js";
import { InsertBuilder } from "../builder/insert.js";
import { ModifyBuilder } from "../builder/modify.js";
import { QueryBuilder } from "../builder/query.js";
import { RemoveBuilder } from "../builder/remove.js";
import { SelectBuilder } from "../builder/select.js";
import type { ChangeStatement, Reading } from "../resolve/statement.js";
import type { Problem } from "../words/errors.js";

/** Begins a builder on a database from a spec. */
type Start = (source: DraftSource, spec: object, problems?: readonly Problem[]) => AnyBuilder;

// The spec is not trusted: resolving it finds its problems.
function readingAs<T extends Reading>(
  Kind: new (draft: ReadingDraft<T>, place: BuilderPlace) => AnyBuilder,
  kind: T["kind"],
): Start {
  return (source, spec, problems) =>
    new Kind(new ReadingDraft<T>(source, kind, spec as T["spec"], problems), source.place);
}

function changingAs<T extends ChangeStatement>(
  Kind: new (draft: ChangeDraft<T>, place: BuilderPlace) => AnyBuilder,
  kind: T["kind"],
): Start {
  return (source, spec, problems) =>
    new Kind(new ChangeDraft<T>(source, kind, spec as T["spec"], problems), source.place);
}

/** How the builder of each kind of statement begins. */
export const starts: { readonly [K in Statement["kind"]]: Start } = {
  select: readingAs<SelectStatement>(SelectBuilder, "select"),
  query: readingAs<QueryStatement>(QueryBuilder, "query"),
  compound: readingAs<CompoundStatement>(CompoundBuilder, "compound"),
  insert: (source, spec, problems) =>
    new InsertBuilder(new InsertDraft(source, "insert", spec, problems), source.place),
  modify: changingAs<ModifyStatement>(ModifyBuilder, "modify"),
  remove: changingAs<RemoveStatement>(RemoveBuilder, "remove"),
  count: readingAs<AggregateStatement>(AggregateBuilder, "count"),
  sum: readingAs<AggregateStatement>(AggregateBuilder, "sum"),
  avg: readingAs<AggregateStatement>(AggregateBuilder, "avg"),
  min: readingAs<AggregateStatement>(AggregateBuilder, "min"),
  max: readingAs<AggregateStatement>(AggregateBuilder, "max"),
};
