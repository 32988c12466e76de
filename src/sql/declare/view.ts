/** `view` declares a view: a table that is only read, and that the database makes by a query. */
import { describeType, quoted } from "../../core/errors.js";
import type { OverFields } from "../types/leaves.js";
import type { ObjectSchema, Schemas } from "../types/model.js";
import { DeclarationError } from "../words/errors.js";
import type { Many, One, Through } from "../words/relations.js";
import { isByDialect, readKnown } from "./checked.js";
import type { ByDialect, View } from "./declaration.js";
import { type Keyed, markDeclared, type RelationsOf, readableOf } from "./table.js";

/** Options of `view`. */
export interface ViewOptions<Key extends string = string> {
  /** The query, whose columns have the names of the view's columns. */
  readonly as: ByDialect;
  /** SQL schema name. */
  readonly schema?: string;
  /** Properties that identify a row: nothing in the database checks them. */
  readonly primaryKey?: readonly Key[];
  /** Further ones. */
  readonly unique?: readonly (readonly Key[])[];
  /** The related tables, by names of their own: `one(…)` and `many(…)`. */
  readonly relations?: Readonly<Record<string, One<string, Key, null, string> | Many | Through>>;
  /** Conditions by names of their own: the rows that are there for everyone, as of a table. */
  readonly filters?: Readonly<Record<string, OverFields<Key>>>;
  /** A comment in the database; also the description of a schema that has none. */
  readonly comment?: string;
  /**
   * The name of a row in OpenAPI documents: `User` of `users`. Default the `id` of the schema's `.meta()`, else the
   * table's name.
   */
  readonly model?: string;
  /** `true`: somebody else creates, alters and drops it. */
  readonly external?: boolean;
}

const OPTIONS = [
  ...["as", "schema", "primaryKey", "unique", "relations", "filters", "comment", "model", "external"],
];

/**
 * Declares a view: its name, the Zod object of a row, and the query that makes it. It has no inserts, updates and
 * removals.
 * @throws {DeclarationError} at once if the declaration cannot work.
 * @example
 * import { z } from "zod";
 * import { view } from "rowtype";
 * const ActiveUser = view("active_users", z.object({ id: z.int(), email: z.email() }), {
 *   as: "SELECT id, email FROM users WHERE active",
 * });
 */
export function view<S extends Schemas, const O extends ViewOptions<keyof S & string>>(
  name: string,
  schema: ObjectSchema<S>,
  options: O,
): View<Keyed<S, O>, RelationsOf<O>> {
  const { as, ...others }: ViewOptions = readKnown(options, OPTIONS, "view options");
  if (!isByDialect(as) || as === "")
    throw new DeclarationError(
      `view ${quoted(name)} needs a query: as, which is SQL or one by dialect, not ${describeType(as)}`,
    );
  const query = typeof as === "string" ? as : Object.freeze({ ...as });
  const declared = { ...readableOf(name, schema, others, "view"), view: Object.freeze({ as: query }) };
  markDeclared(declared);
  // The shapes are built from `S` column by column, as the types of `View` describe.
  return Object.freeze(declared) as unknown as View<Keyed<S, O>, RelationsOf<O>>;
}
