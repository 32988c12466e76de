/** The step that nests the insert of a related table in an insert. */
import { describeType, quoted } from "../../core/errors.js";
import { NestedInserts } from "../ast/builder-parts.js";
import { draftKey, keyOf } from "../ast/key.js";
import { Builder } from "./builder.js";
import { type ChainStep, type DraftSource, failed } from "./draft/draft.js";
import { InsertDraft } from "./draft/insert-draft.js";
import { difference } from "./inner.js";

/** Nests the records of a relation: of an insert, or of all fields of the related table. */
export function nestedInsert(
  relation: unknown,
  insert: unknown,
  source: DraftSource,
): ChainStep<InsertDraft> {
  if (insert === undefined)
    return { key: keyOf("with", relation), on: (draft) => nested(draft, relation, undefined) };
  const inner = Builder.own(insert)?.draft;
  if (!(inner instanceof InsertDraft))
    return refused(`with takes an insert of the related table, not ${describeType(insert)}`);
  const other = difference(inner.source, source);
  if (other !== undefined) return refused(`with takes an insert of the same ${other}`);
  const key = keyOf(draftKey("with", inner.id), relation);
  return { key, operands: [inner], on: (draft) => nested(draft, relation, inner) };
}

function refused(message: string): ChainStep<InsertDraft> {
  return failed({ code: "INVALID_RELATION", message, path: "with" });
}

function nested(draft: InsertDraft, relation: unknown, inner: InsertDraft | undefined): InsertDraft {
  const known = draft.spec.with?.list ?? [];
  if (known.some((one) => one.relation === relation)) {
    const message = `nested records are named ${quoted(relation)} twice`;
    return draft.failing({ code: "INVALID_ALIAS", message, path: "with" });
  }
  const insert =
    inner === undefined ? undefined : { table: inner.source.table, spec: { ...inner.spec }, draft: inner };
  return draft
    .with({ with: new NestedInserts([...known, { relation, insert }]) })
    .failing(...(inner?.problems ?? []));
}
