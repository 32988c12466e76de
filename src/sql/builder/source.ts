/** Queries as tables in builders: the result of `as`, and the argument of `from` and `joinQuery`. */
import { describeType, quoted } from "../../core/errors.js";
import { type ConstantNode, NO_CONSTANTS } from "../ast/given-node.js";
import { HasTable, type OfferedTable, withGiven } from "../ast/inner-query.js";
import { draftKey, keyOf } from "../ast/key.js";
import { type TableSource as AstSource, sourceTable } from "../ast/source.js";
import type { AnyTable } from "../declare/declaration.js";
import { factsOf, type Reading } from "../resolve/statement.js";
import type { Problem } from "../words/errors.js";
import type { AnyDraft } from "./draft/draft.js";
import { difference, type OfDatabase } from "./inner.js";

/** A query with a name. */
export class NamedQuery extends HasTable {
  // A proxy does not have private members, so it cannot pass for one.
  readonly #draft: AnyDraft;
  readonly #table: AnyTable;
  readonly #isPlain: boolean;
  readonly #isOnce: boolean;
  readonly name: string;
  // They stay in the table: a step that uses it has no key, and so is not kept.
  readonly #constants: readonly ConstantNode[];

  /** @param more its form: written once under its name, a recursion, or the rows found by one so far. */
  constructor(
    name: string,
    draft: AnyDraft,
    statement: Reading,
    constants: readonly ConstantNode[],
    more: Omit<AstSource, "statement"> = {},
  ) {
    super();
    const { grammar } = draft.source;
    this.name = name;
    this.#isPlain = Object.keys(more).length === 0;
    this.#isOnce = more.once === draft;
    this.#draft = draft;
    this.#constants = constants;
    // The name of an untyped caller may be any value. It is refused where it is used.
    const called = typeof name === "string" ? name : "";
    const filled = withGiven(statement, constants);
    this.#table = sourceTable(called, { statement: filled, ...more }, () => factsOf(statement, grammar));
    Object.freeze(this);
  }

  /** The value as one of ours; undefined for any other value. */
  static own(value: unknown): NamedQuery | undefined {
    return typeof value === "object" && value !== null && #draft in value ? value : undefined;
  }

  /** The draft of the query. */
  get draft(): AnyDraft {
    return this.#draft;
  }

  /** The query as a table. */
  get table(): AnyTable {
    return this.#table;
  }

  /** The query as other places see it. */
  override get offered(): OfferedTable {
    const { problems, source } = this.#draft;
    const { name } = this;
    // Another form of the query has the same draft, and so have other constants.
    const id = this.#isPlain && this.#constants.length === 0 ? this.#draft.id : undefined;
    const statement = withGiven(this.#draft.statement, this.#constants);
    const table = this.#table;
    return {
      name,
      table,
      statement,
      problems,
      database: source.memory,
      id,
      draft: this.#draft,
      constants: NO_CONSTANTS,
    };
  }

  /** The key of a step that uses it; undefined if its draft is not cached. */
  key(step: string, ...names: readonly unknown[]): string | undefined {
    if (this.#constants.length > 0 || (!this.#isPlain && !this.#isOnce)) return undefined;
    const draft = draftKey(`${this.#isOnce ? "once " : ""}${step}`, this.#draft.id);
    return keyOf(draft, this.name, ...names);
  }
}

/**
 * A query with a name of the same database; a problem for any other value.
 * @param what the method that takes it, as errors name it.
 */
export function givenSource(value: unknown, database: OfDatabase, what: string): NamedQuery | Problem {
  const source = NamedQuery.own(value);
  const refuse = (message: string): Problem => ({ code: "INVALID_RELATION", message, path: "" });
  if (source === undefined)
    return refuse(`${what} takes a query with a name, query.as(name), not ${describeType(value)}`);
  const other = difference(source.draft.source, database);
  if (other !== undefined) return refuse(`${what} takes a query of the same ${other}`);
  // A column holds one value. Leaving the nested rows out silently would lose them.
  if ("with" in source.draft.spec)
    return {
      code: "UNSUPPORTED",
      message: `a query as a table has no nested rows: leave out with(…) of ${quoted(source.name)}`,
      path: "",
    };
  return source;
}
