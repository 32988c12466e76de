/** Entries that the grammars of several dialects share. */
import type { ComparisonOperator } from "../words/operators.js";
import type {
  CompoundGrammar,
  ConflictForm,
  DdlGrammar,
  Direction,
  ExplainForm,
  Grammar,
  ListForm,
  Missing,
  OperatorForm,
} from "./grammar.js";

/** `column operator parameter`. */
export function infix(operator: string): OperatorForm {
  return { open: "", between: ` ${operator} `, close: "" };
}

/** The comparison operators, written alike everywhere. */
export const comparisons: Readonly<Record<ComparisonOperator, OperatorForm>> = {
  "=": infix("="),
  "!=": infix("<>"),
  ">": infix(">"),
  ">=": infix(">="),
  "<": infix("<"),
  "<=": infix("<="),
};

/**
 * `IN` and `NOT IN` with a placeholder for each item.
 * @param most the most items that one list may have.
 */
export function writtenOutLists(most: number): Readonly<Record<"IN" | "NOT IN", OperatorForm>> {
  const form = (word: string, list: ListForm) => ({ open: "", between: ` ${word} (`, close: ")", list });
  return {
    IN: form("IN", { empty: "1 = 0", most, joint: " OR " }),
    "NOT IN": form("NOT IN", { empty: "1 = 1", most, joint: " AND " }),
  };
}

/** A plan of which each row is a line. */
export function explainedBy(before: string, after?: string): ExplainForm {
  return { before, after, text: (rows) => rows.map(([line]) => String(line)).join("\n") };
}

/** A regular expression operator that only PostgreSQL has. */
export const noRegex: Missing = {
  feature: "regular expression operators",
  hint: "use LIKE or ILIKE, or match in the application",
};

/** An array operator that only PostgreSQL has. */
export const noArrayOperators: Missing = {
  feature: "array operators",
  hint: "arrays are stored as JSON here; compare whole arrays with = and !=",
};

/** `DISTINCT ON`, which only PostgreSQL has. */
export const noDistinctOn: Missing = {
  feature: "DISTINCT ON",
  hint: "order the rows and keep the first of each in the application",
};

/** Vectors, where there are none. */
export const noVectors: Missing = { feature: "vectors", hint: "use PostgreSQL with pgvector" };

/** Row locks, where a transaction locks the whole database. */
export const noLocks: Missing = {
  feature: "row locks",
  hint: "a transaction that writes holds the whole database; leave the lock out",
};

/** `ON CONFLICT (…) DO …`; the row that was to be stored goes by the name `excluded`. */
export const onConflict: ConflictForm = {
  nothing: (key) => ` ON CONFLICT (${key.join(", ")}) DO NOTHING`,
  update: (key) => ` ON CONFLICT (${key.join(", ")}) DO UPDATE SET `,
  proposed: (column) => `excluded.${column}`,
  namesKey: true,
};

/** `LIMIT n OFFSET n`. */
export const limitOffset: Grammar["paging"] = [
  { part: "limit", before: " LIMIT ", after: "" },
  { part: "offset", before: " OFFSET ", after: "" },
];

/**
 * `column ASC NULLS LAST`, with the words about NULLs only where the dialect would do otherwise: an index then
 * serves the order.
 * @param nullsSortAs where NULLs go when the order does not say.
 */
export function orderTerm(
  column: string,
  direction: Direction,
  nulls: "first" | "last" | undefined,
  nullsSortAs: "greatest" | "least",
): string {
  const term = `${column} ${direction === "desc" ? "DESC" : "ASC"}`;
  const natural = (nullsSortAs === "greatest") === (direction === "asc") ? "last" : "first";
  return nulls === undefined || nulls === natural
    ? term
    : `${term} NULLS ${nulls === "first" ? "FIRST" : "LAST"}`;
}

/** Compound queries as the standard has them, but from left to right. */
export const standardCompound: CompoundGrammar = {
  operations: {
    union: "UNION",
    union_all: "UNION ALL",
    intersect: "INTERSECT",
    intersect_all: "INTERSECT ALL",
    except: "EXCEPT",
    except_all: "EXCEPT ALL",
  },
  intersectBindsFirst: false,
  bounded: "parentheses",
  mostQueries: 10_000,
};

/** `CREATE … IF NOT EXISTS` and `DROP … IF EXISTS`. */
export const existence: Pick<DdlGrammar, "unlessExists" | "ifExists"> = {
  unlessExists: (create) => create.replace(/^CREATE (TABLE|INDEX) /, "CREATE $1 IF NOT EXISTS "),
  ifExists: (drop) => drop.replace(/^DROP TABLE /, "DROP TABLE IF EXISTS "),
};
