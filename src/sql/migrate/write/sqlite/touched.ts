/** What SQLite does not change while a view reads it, because a view keeps the text of its query. */
import { comparedName } from "../../../dialect/grammar/names.js";
import { sqlite } from "../../../dialect/sqlite/grammar.js";
import type { TableDelta } from "../../diff/compare.js";
import { stepWords } from "../../words/step.js";
import type { Touched } from "../dialect.js";
import { subjectOf } from "../plan.js";
import { needsRebuild } from "./steps.js";

const nameOf = comparedName(sqlite);

/** The tables that no view may read: those that are rebuilt or renamed, or that lose a column. */
export function touchedOnSqlite(delta: TableDelta, version: string): Touched[] {
  const { actual, declared, renames, dropped } = delta;
  const isRenamed = nameOf(actual.name) !== nameOf(declared.catalog.name);
  const rebuilds = needsRebuild(delta, version);
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
