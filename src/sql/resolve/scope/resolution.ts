/** The state of resolving a statement: its scope, its dialect, and its problems with their paths. */
import { listed, quoted } from "../../../core/errors.js";
import { ExpressionOperand, givenNode, type OperandNode } from "../../ast/expression.js";
import type { GivenNode } from "../../ast/given-node.js";
import { pathTo } from "../../ast/path.js";
import type { AnyTable, ColumnInfo } from "../../declare/declaration.js";
import type { Grammar } from "../../dialect/grammar/grammar.js";
import { BuildError, type BuildErrorCode, type Problem, UnsupportedError } from "../../words/errors.js";
import { NAME, notName } from "../../words/names.js";
import { isLargeObject } from "./layout.js";
import type { Field, Layout, NamedRows, ParameterPlace, ResolvedCondition } from "./resolved.js";
import type { GivenParam, ParameterConstant } from "./resolved-parameter.js";
import type { Resolvers } from "./resolvers.js";
import { type InnerRows, type ResolvedValue, type ValueResult, valueOfField } from "./result.js";
import type { NameScope } from "./scope.js";

/** The pattern of a parameter name. */
export const PARAM_NAME: RegExp = NAME;

/** The message for an unknown key of a spec. */
export function unknownKey(key: string, allowed: Iterable<string>): string {
  return `unknown key ${quoted(key)}; keys: ${listed(allowed)}`;
}

const MAX_UNKNOWN = 10;

// The maximum depth of expressions. It limits the recursion and the text.
const MOST_LEVELS = 64;

/** What a statement and the queries inside it share. */
interface Shared {
  /** Whether a condition may apply only if its parameters are given. Statements that change rows do not allow it. */
  mayBeOptional: boolean;
  /** The parameters of the optional conditions of queries inside the statement. */
  readonly optionalInside: string[];
  /** Whether queries may be written once. Some servers allow none before a statement that changes rows. */
  mayName: boolean;
  /** The queries that are written once, in the order in which they can be written. */
  readonly named: Map<object, NamedLayout>;
  /** The results so far of the current recursions, by their tables. */
  readonly selves: Map<AnyTable, Layout>;
  /** The parameters of parts that the text does not need. The types of a call still require them. */
  readonly unwritten: ParameterPlace[];
  /** The names of the tables that the statement reads, in lower case. */
  readonly tables: Set<string>;
}

interface Found {
  readonly problems: Problem[];
  /** The first problem, if it is a feature that the dialect lacks. */
  unsupported: UnsupportedError | undefined;
  /** The number of expressions around the current one. */
  levels: number;
  /** The number of queries around the current nested rows. */
  nests: number;
  /** The refused names of joined tables and of expressions. */
  readonly refused: Set<unknown>;
  readonly shared: Shared;
}

/** A query that is written once, and its table. */
interface NamedLayout extends NamedRows {
  readonly layout: Layout;
}

/** The maximum depth of inner queries. It limits the recursion and the text. */
export const MOST_QUERIES = 32;

/**
 * The result of resolving so far. A part with a problem resolves to undefined, and the problem is kept here. The other
 * parts are still resolved, so that all problems are reported together.
 */
export class Resolution {
  readonly scope: NameScope;
  readonly grammar: Grammar;
  readonly #resolvers: Resolvers<Resolution>;
  readonly #found: Found;
  readonly #prefix: string;

  constructor(
    scope: NameScope,
    grammar: Grammar,
    known: readonly Problem[],
    resolvers: Resolvers<Resolution>,
    within?: { readonly found: Found; readonly prefix: string },
  ) {
    this.scope = scope;
    this.grammar = grammar;
    this.#resolvers = resolvers;
    this.#found = within?.found ?? {
      problems: [...known],
      unsupported: undefined,
      levels: 0,
      nests: 0,
      refused: new Set(),
      shared: {
        mayBeOptional: true,
        optionalInside: [],
        mayName: false,
        named: new Map(),
        selves: new Map(),
        unwritten: [],
        tables: new Set(),
      },
    };
    this.#prefix = within?.prefix ?? "";
  }

  /** The table that errors name. */
  get table(): AnyTable {
    return this.scope.own.table;
  }

  /** What the statement and the queries inside it share. */
  get shared(): Shared {
    return this.#found.shared;
  }

  /** Whether there are no problems so far. */
  get none(): boolean {
    return this.#found.problems.length === 0;
  }

  /** The problems. */
  get found(): readonly Problem[] {
    return this.#found.problems;
  }

  /** Stores the name of a table that the statement reads. */
  addTable({ name, namespace }: AnyTable): void {
    if (namespace === undefined) this.shared.tables.add(name.toLowerCase());
  }

  /** Stores the parameters of an optional condition, if it belongs to a query inside the statement. */
  addOptional(params: readonly string[]): void {
    if (this.scope.depth > 0) this.shared.optionalInside.push(...params);
  }

  /** Whether a query of a database can be used inside the statement. */
  isOf(database: object): boolean {
    const own = this.#resolvers.database;
    return own === undefined || own === database;
  }

  /** Resolves a query inside the statement. This is the scope of the query. */
  inner(statement: Parameters<Resolvers<Resolution>["inner"]>[0]): InnerRows | undefined {
    return this.#resolvers.inner(statement, this);
  }

  /** A condition on single rows; undefined, with problems, if it is none. */
  test(condition: unknown, path: string): ResolvedCondition | undefined {
    return this.#resolvers.test(condition, path, this);
  }

  /** The conditions that hold wherever a table is read. */
  standing(layout: Layout): readonly ResolvedCondition[] {
    return this.#resolvers.standing(layout, this);
  }

  /** The same problems, with another scope. */
  seeing(scope: NameScope): Resolution {
    if (scope === this.scope) return this;
    const place = { found: this.#found, prefix: this.#prefix };
    return new Resolution(scope, this.grammar, [], this.#resolvers, place);
  }

  /** The same problems, with the scope of a query inside the statement. */
  inside(prefix: string, scope: NameScope): Resolution {
    const place = { found: this.#found, prefix: this.#full(prefix) };
    return new Resolution(scope, this.grammar, [], this.#resolvers, place);
  }

  add(code: BuildErrorCode, message: string, path: string): void {
    this.#found.problems.push({ code, message, path: this.#full(path) });
  }

  /** Adds a feature that the dialect lacks. */
  unsupported(feature: string, hint: string, path: string): void {
    const error = new UnsupportedError(this.grammar.dialect, feature, hint);
    if (this.none) this.#found.unsupported = error;
    // The hint is for the author of the program.
    const message = this.scope.isOfClient ? `this database does not support ${feature}` : error.message;
    this.add("UNSUPPORTED", message, path);
  }

  /** The field with a name; adds a problem if there is none. */
  field(name: unknown, path: string): Field | undefined {
    const field = this.scope.field(name);
    // If the name was refused where it was declared, its uses are not reported.
    const isRefused = typeof name === "string" && this.#found.refused.has(name.split(".")[0]);
    if (field === undefined && !isRefused) this.add("INVALID_FIELD", this.scope.unknown(name), path);
    return field;
  }

  /** Stores a refused name of a joined table or of an expression. */
  refuseName(name: unknown): void {
    this.#found.refused.add(name);
  }

  /** The value in the place of a field: a name, or an expression. An untyped caller may have made it. */
  operand(given: unknown, path: string): ResolvedValue | undefined {
    const expression = ExpressionOperand.own(given);
    if (expression !== undefined) return this.node(expression.node, path);
    const field = this.field(given, path);
    return field === undefined ? undefined : valueOfField(field);
  }

  /**
   * An operand of an expression.
   * @param beside the type of the other operand, for a parameter without a schema.
   */
  node(operand: OperandNode, path: string, beside?: ValueResult): ResolvedValue | undefined {
    if (typeof operand === "string") return this.operand(operand, path);
    if (this.#found.levels >= MOST_LEVELS) {
      const message = `expressions nest more than ${MOST_LEVELS} levels`;
      // Reported once, because the other operand may nest equally deep.
      if (!this.#found.problems.some((problem) => problem.message === message))
        this.add("INVALID_CONDITION", message, path);
      return undefined;
    }
    this.#found.levels++;
    const value = this.#resolvers.node(operand, path, this, beside);
    this.#found.levels--;
    return value;
  }

  /** Resolves nested rows; adds a problem if they nest too deep. */
  nesting<T>(most: number, path: string, resolve: () => T | undefined): T | undefined {
    if (this.#found.nests >= most) {
      this.add("INVALID_SPEC", `nested rows nest more than ${most} levels`, path);
      return undefined;
    }
    this.#found.nests++;
    const resolved = resolve();
    this.#found.nests--;
    return resolved;
  }

  /** The fields of a list of names. */
  fields(names: readonly unknown[], path: string): Field[] {
    return names.flatMap((name, i) => this.field(name, `${path}[${i}]`) ?? []);
  }

  /** Adds a problem if the dialect cannot compare two values of a column for equality. */
  comparable(column: ColumnInfo, path: string): void {
    const { largeObjects } = this.grammar;
    if (largeObjects === undefined || !isLargeObject(column, this.table, this.grammar)) return;
    const { feature, hint } = largeObjects.incomparable;
    this.unsupported(feature, hint, path);
  }

  /** The name of a parameter; adds a problem if the value is not a valid name. */
  param(name: unknown, path: string): string | undefined {
    if (typeof name === "string" && PARAM_NAME.test(name)) return name;
    const message = notName(name, "a parameter");
    this.add("INVALID_PARAM", message, path);
    return undefined;
  }

  /** A parameter, or a constant in its place; adds a problem for any other value. */
  given(value: unknown, path: string): GivenParam | undefined {
    const node = givenNode(value);
    if (node !== undefined) return { name: "", constant: constantOf(node) };
    const name = this.param(value, path);
    return name === undefined ? undefined : { name, constant: undefined };
  }

  /** Adds a problem for every key that is not allowed; false if the value is not a plain object. */
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
    // If there are very many problems, the first are enough.
    const unknown = Object.keys(value).filter((key) => !allowed.has(key));
    for (const key of unknown.slice(0, MAX_UNKNOWN))
      this.add("INVALID_SPEC", unknownKey(key, allowed), pathTo(path, key));
    return true;
  }

  /** The items of a list. An absent part has none. Adds a problem for any other value. */
  list(value: unknown, path: string): readonly unknown[] {
    if (value === undefined) return [];
    if (Array.isArray(value)) return value;
    this.add("INVALID_SPEC", `${path} must be a list, not ${quoted(value)}`, path);
    return [];
  }

  /** Throws all problems together. */
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

/** A constant of the program as the resolved tree holds it. */
export function constantOf(node: GivenNode): ParameterConstant {
  return node.kind === "hole" ? { hole: node.index } : { value: node.value };
}
