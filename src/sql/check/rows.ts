/** Checks what a statement says of its rows beside conditions and order: DISTINCT, and locks. */
import { listed, quoted } from "../../core/errors.js";
import { isMissing } from "../dialect/grammar.js";
import type { Problems } from "./problems.js";
import type { Selection } from "./selection.js";

type Spec = Readonly<Record<string, unknown>>;

/** Checks `distinct` and `distinct_on`. */
export function checkDistinct(
  { distinct, distinct_on: on, order_by: orderBy }: Spec,
  selection: Selection,
  problems: Problems,
): void {
  if (distinct !== undefined && typeof distinct !== "boolean")
    problems.add("INVALID_SPEC", "distinct is a boolean", "distinct");
  if (distinct === true)
    for (const field of selection.fields ?? Object.keys(problems.table.columns)) {
      const column = problems.table.columns[field];
      if (column !== undefined) problems.comparable(column, "distinct");
    }
  if (on === undefined) return;
  const fields = problems.list(on, "distinct_on");
  for (const [i, field] of fields.entries()) problems.column(field, `distinct_on[${i}]`);
  if (fields.length === 0)
    problems.add("INVALID_FIELD", "distinctOn needs at least one field", "distinct_on");
  const { distinctOn } = problems.grammar;
  if (distinctOn !== "native") problems.unsupported(distinctOn.feature, distinctOn.hint, "distinct_on");
  if (distinct === true)
    problems.add("INVALID_SPEC", "distinct and distinctOn are one or the other", "distinct_on");
  // The first row of each is the first by the order, so the order begins with what makes them one.
  const terms = Array.isArray(orderBy) ? orderBy.slice(0, new Set(fields).size) : [];
  for (const [i, term] of terms.entries())
    if (!fields.includes(Object(term).field)) {
      const message = `the order of distinctOn begins with its own fields: ${listed(fields.filter((field) => typeof field === "string"))}`;
      problems.add("INVALID_FIELD", message, `order_by[${i}].field`);
    }
}

const modes: ReadonlySet<unknown> = new Set(["update", "no_key_update", "share", "key_share"]);
const lockKeys: ReadonlySet<string> = new Set(["mode", "skip_locked", "no_wait"]);

/** Checks `for_locking` and `for_update`. */
export function checkLock(spec: Spec, grouped: boolean, problems: Problems): void {
  const { for_locking: lock, for_update: forUpdate, distinct, distinct_on: on } = spec;
  if (forUpdate !== undefined && typeof forUpdate !== "boolean")
    problems.add("INVALID_SPEC", "for_update is a boolean", "for_update");
  if (lock === undefined && forUpdate !== true) return;
  if (lock !== undefined && forUpdate === true)
    problems.add("INVALID_SPEC", "for_update and for_locking are one or the other", "for_update");
  if (distinct === true || on !== undefined)
    problems.add("INVALID_SPEC", "rows that were made distinct cannot be locked", "for_locking");
  if (grouped) problems.add("INVALID_SPEC", "groups of rows cannot be locked", "for_locking");
  checkMode(lock === undefined ? "update" : lock, problems);
}

function checkMode(lock: unknown, problems: Problems): void {
  let mode = lock;
  if (typeof lock !== "string") {
    if (!problems.keys(lock, lockKeys, "for_locking")) return;
    mode = lock["mode"];
    const { skip_locked: skip, no_wait: fail } = lock;
    for (const [key, value] of Object.entries({ skip_locked: skip, no_wait: fail }))
      if (value !== undefined && typeof value !== "boolean")
        problems.add("INVALID_SPEC", `${key} is a boolean`, `for_locking.${key}`);
    if (skip === true && fail === true)
      problems.add(
        "INVALID_SPEC",
        "a locked row is skipped or waited for or an error: one of them",
        "for_locking",
      );
  }
  if (!isMode(mode)) {
    problems.add(
      "INVALID_SPEC",
      `unknown lock ${quoted(mode)}; locks: update, no_key_update, share, key_share`,
      "for_locking",
    );
    return;
  }
  const form = problems.grammar.locks[mode];
  if (typeof form !== "string" && isMissing(form))
    problems.unsupported(form.feature, form.hint, "for_locking");
}

function isMode(mode: unknown): mode is "update" | "no_key_update" | "share" | "key_share" {
  return modes.has(mode);
}
