/** A statement while it is resolved: its scope, its dialect, and what is wrong with it, with the path to each place. */
import { listed, quoted } from "../../core/errors.js";
import { pathTo } from "../ast/path.js";
import type { AnyTable, ColumnInfo } from "../declare/declaration.js";
import type { Grammar } from "../dialect/grammar.js";
import { BuildError, type BuildErrorCode, type Problem, UnsupportedError } from "../words/errors.js";
import type { Field } from "./resolved.js";
import type { Scope } from "./scope.js";

/** What names a parameter. */
export const PARAM_NAME: RegExp = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;

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

/**
 * What resolving has found so far. Whatever is resolved in it is undefined where it has a problem, and then the
 * problem is kept here: the rest is resolved all the same, so that every problem is reported together.
 */
export class Resolution {
  readonly scope: Scope;
  readonly grammar: Grammar;
  readonly #found: Found;
  readonly #prefix: string;

  constructor(
    scope: Scope,
    grammar: Grammar,
    known: readonly Problem[],
    within?: { readonly found: Found; readonly prefix: string },
  ) {
    this.scope = scope;
    this.grammar = grammar;
    this.#found = within?.found ?? { problems: [...known], unsupported: undefined };
    this.#prefix = within?.prefix ?? "";
  }

  /** The table that errors name. */
  get table(): AnyTable {
    return this.scope.own.table;
  }

  /** Whether nothing was found yet. */
  get none(): boolean {
    return this.#found.problems.length === 0;
  }

  /** What was found. */
  get found(): readonly Problem[] {
    return this.#found.problems;
  }

  /**
   * The same problems, from the view of a query inside the statement.
   * @param compares whether its fields are written as they are compared with those of others.
   */
  within(prefix: string, table: AnyTable, compares: boolean): Resolution {
    const place = { found: this.#found, prefix: this.#full(prefix) };
    return new Resolution(this.scope.over(table, this.grammar, compares), this.grammar, [], place);
  }

  /** The same, with fields written as they are compared with each other, or as they are stored. */
  comparing(compares: boolean): Resolution {
    const scope = this.scope.comparing(compares);
    if (scope === this.scope) return this;
    return new Resolution(scope, this.grammar, [], { found: this.#found, prefix: this.#prefix });
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

  /** The field of a name; a problem where there is none. */
  field(name: unknown, path: string): Field | undefined {
    const field = this.scope.field(name);
    if (field === undefined) this.add("INVALID_FIELD", this.scope.unknown(name), path);
    return field;
  }

  /** The fields of a list of names. */
  fields(names: readonly unknown[], path: string): Field[] {
    return names.flatMap((name, i) => this.field(name, `${path}[${i}]`) ?? []);
  }

  /** A problem where the dialect cannot tell whether two values of a column are the same. */
  comparable(column: ColumnInfo, path: string): void {
    const { largeObjects } = this.grammar;
    if (largeObjects === undefined || !largeObjects.holds(column, this.table)) return;
    const { feature, hint } = largeObjects.incomparable;
    this.unsupported(feature, hint, path);
  }

  /** The name of a parameter; a problem where the value cannot name one. */
  param(name: unknown, path: string): string | undefined {
    if (typeof name === "string" && PARAM_NAME.test(name)) return name;
    const message = `${quoted(name)} cannot name a parameter: letters, digits and _, at most 63`;
    this.add("INVALID_PARAM", message, path);
    return undefined;
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
