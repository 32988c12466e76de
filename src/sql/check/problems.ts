/** Collects what is wrong with a statement, with the path to each place. */
import { listed, quoted } from "../../core/errors.js";
import { pathTo } from "../ast/path.js";
import type { AnyTable, ColumnInfo } from "../declaration.js";
import type { Grammar } from "../dialect/grammar.js";
import { BuildError, type BuildErrorCode, type Problem, UnsupportedError } from "../errors.js";

/** What names a parameter. */
export const PARAM_NAME: RegExp = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;

/** The fields of a table that a client may name; undefined where they are all. */
export type Visible = ReadonlySet<string> | undefined;

/** What is said of a name that is no field. */
export function unknownField(name: unknown, table: AnyTable, visible?: Visible): string {
  const fields = listed(visible ?? Object.keys(table.columns));
  return `unknown field ${quoted(name)} on table ${quoted(table.name)}; fields: ${fields}`;
}

/** What is said of a key that a spec does not have. */
export function unknownKey(key: string, allowed: Iterable<string>): string {
  return `unknown key ${quoted(key)}; keys: ${listed(allowed)}`;
}

const MAX_UNKNOWN = 10;

interface Found {
  readonly problems: Problem[];
  /** The first problem, where it is that the dialect lacks something. */
  unsupported: UnsupportedError | undefined;
}

/** The problems of one statement while it is checked. */
export class Problems {
  readonly table: AnyTable;
  readonly grammar: Grammar;
  readonly #visible: Visible;
  readonly #found: Found;
  readonly #prefix: string;

  constructor(
    table: AnyTable,
    grammar: Grammar,
    known: readonly Problem[],
    visible?: Visible,
    within?: { readonly found: Found; readonly prefix: string },
  ) {
    this.table = table;
    this.grammar = grammar;
    this.#visible = visible;
    this.#found = within?.found ?? { problems: [...known], unsupported: undefined };
    this.#prefix = within?.prefix ?? "";
  }

  /** Whether nothing was found yet. */
  get none(): boolean {
    return this.#found.problems.length === 0;
  }

  /** What was found. */
  get found(): readonly Problem[] {
    return this.#found.problems;
  }

  /** The same problems, from the view of a query inside the statement. */
  within(prefix: string, table: AnyTable): Problems {
    const place = { found: this.#found, prefix: this.#full(prefix) };
    return new Problems(table, this.grammar, [], this.#visible, place);
  }

  /** Whether a field may be named. */
  sees(field: string): boolean {
    return this.#visible === undefined || this.#visible.has(field);
  }

  add(code: BuildErrorCode, message: string, path: string): void {
    this.#found.problems.push({ code, message, path: this.#full(path) });
  }

  /** Something that the dialect lacks. */
  unsupported(feature: string, hint: string, path: string): void {
    const error = new UnsupportedError(this.grammar.dialect, feature, hint);
    if (this.none) this.#found.unsupported = error;
    this.add("UNSUPPORTED", error.message, path);
  }

  /** The column that a field names; a problem where there is none. */
  column(field: unknown, path: string): ColumnInfo | undefined {
    // `columns` has no prototype, so names such as `constructor` find nothing.
    const column = typeof field === "string" && this.sees(field) ? this.table.columns[field] : undefined;
    if (column === undefined) this.add("INVALID_FIELD", unknownField(field, this.table, this.#visible), path);
    return column;
  }

  /** A problem where the dialect cannot tell whether two values of a column are the same. */
  comparable(column: ColumnInfo, path: string): void {
    const { largeObjects } = this.grammar;
    if (largeObjects === undefined || !largeObjects.holds(column, this.table)) return;
    const { feature, hint } = largeObjects.incomparable;
    this.unsupported(feature, hint, path);
  }

  /** A problem unless the value can name a parameter. */
  param(name: unknown, path: string): void {
    if (typeof name !== "string" || !PARAM_NAME.test(name))
      this.add(
        "INVALID_PARAM",
        `${quoted(name)} cannot name a parameter: letters, digits and _, at most 63`,
        path,
      );
  }

  /** A problem for every key that is not among those allowed; false where the value is no plain object. */
  keys(
    value: unknown,
    allowed: ReadonlySet<string>,
    path: string,
  ): value is Readonly<Record<string, unknown>> {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      const what = this.#full(path);
      const message = `${what === "" ? "a spec" : what} must be an object, not ${quoted(value)}`;
      this.add("INVALID_SPEC", message, path);
      return false;
    }
    // Of a flood the first are enough.
    const unknown = Object.keys(value).filter((key) => !allowed.has(key));
    for (const key of unknown.slice(0, MAX_UNKNOWN))
      this.add("INVALID_SPEC", unknownKey(key, allowed), pathTo(path, key));
    return true;
  }

  /** The items of a list, or of a part that is absent; a problem where there is something else. */
  list(value: unknown, path: string): readonly unknown[] {
    if (value === undefined) return [];
    if (Array.isArray(value)) return value;
    this.add("INVALID_SPEC", `${path} must be a list, not ${quoted(value)}`, path);
    return [];
  }

  /** Throws everything found together. */
  throwIfAny(): void {
    const { problems, unsupported } = this.#found;
    const [first, ...more] = problems;
    if (first === undefined) return;
    if (unsupported !== undefined) throw unsupported;
    throw new BuildError([first, ...more]);
  }

  #full(path: string): string {
    if (this.#prefix === "" || path === "") return `${this.#prefix}${path}`;
    return `${this.#prefix}.${path}`;
  }
}
