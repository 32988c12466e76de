/** Resolves row locks. */
import { listed, quoted } from "../../../core/errors.js";
import { sourceOf } from "../../ast/source.js";
import { type LockMode, lockModes } from "../../words/locks.js";
import type { Resolution } from "../scope/resolution.js";
import type { Lock } from "../scope/resolved.js";

type Spec = Readonly<Record<string, unknown>>;

const modes: ReadonlySet<unknown> = new Set(lockModes);
const lockKeys: ReadonlySet<string> = new Set(["mode", "skip_locked", "no_wait"]);

/** Whether a spec requests a lock. */
function asksForLock({ for_locking: lock, for_update: forUpdate }: Spec): boolean {
  return lock !== undefined || forUpdate === true;
}

/** Resolves `for_locking` and `for_update`. */
export function resolveLock(spec: Spec, isGrouped: boolean, resolution: Resolution): Lock | undefined {
  const { for_locking: lock, for_update: forUpdate, distinct, distinct_on: on } = spec;
  if (forUpdate !== undefined && typeof forUpdate !== "boolean")
    resolution.add("INVALID_SPEC", "for_update must be a boolean", "for_update");
  if (!asksForLock(spec)) return undefined;
  if (lock !== undefined && forUpdate === true)
    resolution.add("INVALID_SPEC", "for_update and for_locking exclude each other", "for_update");
  if (distinct === true || on !== undefined)
    resolution.add("INVALID_SPEC", "rows of a query with DISTINCT cannot be locked", "for_locking");
  if (isGrouped)
    resolution.add("INVALID_SPEC", "rows of a query with groups cannot be locked", "for_locking");
  if (sourceOf(resolution.table) !== undefined)
    resolution.add("INVALID_SPEC", "the rows of a query as a table cannot be locked", "for_locking");
  return resolveMode(lock === undefined ? "update" : lock, resolution);
}

function resolveMode(lock: unknown, resolution: Resolution): Lock | undefined {
  let mode = lock;
  let [skipsLocked, doesNotWait] = [false, false];
  if (typeof lock !== "string") {
    if (!resolution.keys(lock, lockKeys, "for_locking")) return undefined;
    const { skip_locked: skip, no_wait: fail } = lock;
    for (const [key, value] of Object.entries({ skip_locked: skip, no_wait: fail }))
      if (value !== undefined && typeof value !== "boolean")
        resolution.add("INVALID_SPEC", `${key} must be a boolean`, `for_locking.${key}`);
    if (skip === true && fail === true)
      resolution.add("INVALID_SPEC", "skip_locked and no_wait exclude each other", "for_locking");
    mode = lock["mode"];
    [skipsLocked, doesNotWait] = [skip === true, fail === true];
  }
  if (!isMode(mode)) {
    const message = `unknown lock ${quoted(mode)}; locks: ${listed(lockModes)}`;
    resolution.add("INVALID_SPEC", message, "for_locking");
    return undefined;
  }
  const form = resolution.grammar.locks[mode];
  if (typeof form !== "string") {
    resolution.unsupported(form.feature, form.hint, "for_locking");
    return undefined;
  }
  const { scope, grammar } = resolution;
  const { own } = scope;
  let of = "";
  if (own.mayMiss === true) {
    const hint = "lock the rows of the table alone, and read the others after that";
    resolution.unsupported("row locks of right and full joins", hint, "for_locking");
    return undefined;
  }
  if (scope.joined.size > 0) {
    const { lockOf } = grammar;
    if (typeof lockOf !== "function") {
      resolution.unsupported(lockOf.feature, lockOf.hint, "for_locking");
      return undefined;
    }
    const [first] = own.fields.values();
    if (
      grammar.rowIdentity !== undefined &&
      [...scope.joined.values()].some(({ layout }) => sourceOf(layout.table))
    ) {
      resolution.unsupported(
        "locks of rows that a query is joined to",
        "read that query by itself",
        "for_locking",
      );
      return undefined;
    }
    of = lockOf(own.qualifier ?? "", first?.name ?? "");
  }
  return { sql: form + of + (skipsLocked ? " SKIP LOCKED" : doesNotWait ? " NOWAIT" : ""), skipsLocked };
}

function isMode(mode: unknown): mode is LockMode {
  return modes.has(mode);
}
