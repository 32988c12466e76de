/**
 * The kinds of column values, for the compiler and at run time: the operators of each kind, and the needs of expressions
 * that it meets. A new kind is an entry here, one in `sql/kind/kinds.ts`, and its form on each dialect; a missing place
 * does not compile. The lists are written out, because the compiler reads their types.
 */

/** The kinds of values. */
export const kinds = {
  text: {
    operators: [
      "=",
      "!=",
      ">",
      ">=",
      "<",
      "<=",
      "IN",
      "NOT IN",
      "LIKE",
      "NOT LIKE",
      "ILIKE",
      "NOT ILIKE",
      "CONTAINS",
      "STARTS WITH",
      "ENDS WITH",
      "ICONTAINS",
      "ISTARTS WITH",
      "IENDS WITH",
    ],
    postgres: ["~", "~*", "!~", "!~*"],
    meets: ["text", "an order", "a scalar", "BETWEEN", "NOT BETWEEN"],
  },
  number: {
    operators: ["=", "!=", ">", ">=", "<", "<=", "IN", "NOT IN"],
    postgres: [],
    meets: ["a number", "an order", "a scalar", "BETWEEN", "NOT BETWEEN"],
  },
  bigint: {
    operators: ["=", "!=", ">", ">=", "<", "<=", "IN", "NOT IN"],
    postgres: [],
    meets: ["a number", "an order", "a scalar", "BETWEEN", "NOT BETWEEN"],
  },
  date: {
    operators: ["=", "!=", ">", ">=", "<", "<=", "IN", "NOT IN"],
    postgres: [],
    meets: ["a date", "an order", "a scalar", "BETWEEN", "NOT BETWEEN"],
  },
  boolean: { operators: ["=", "!=", "IN", "NOT IN"], postgres: [], meets: ["a scalar"] },
  bytes: { operators: ["=", "!="], postgres: [], meets: [] },
  array: { operators: ["=", "!="], postgres: ["@>", "<@", "&&"], meets: [] },
  json: { operators: [], postgres: [], meets: [] },
  vector: { operators: [], postgres: [], meets: ["a vector"] },
  decimal: {
    operators: ["=", "!=", ">", ">=", "<", "<=", "IN", "NOT IN"],
    postgres: [],
    meets: ["a number", "an order", "a scalar", "BETWEEN", "NOT BETWEEN"],
  },
} as const;

/** The kind of a column's values, derived from its Zod schema. */
export type Kind = keyof typeof kinds;

/** A kind that a mark declares, not the type of the values: `json(…)`, `vector(n)`. */
export type MarkedKind = "json" | "vector" | "decimal";

/** A need of expressions and range tests. */
export type Need = Entries[Kind]["meets"][number];

// One line for each member: the compiler needs more instantiations for a mapped type.
type Entries = typeof kinds;

/** The operators of each kind that every dialect has. */
export interface OperatorsByKind {
  readonly text: Entries["text"]["operators"][number];
  readonly number: Entries["number"]["operators"][number];
  readonly bigint: Entries["bigint"]["operators"][number];
  readonly date: Entries["date"]["operators"][number];
  readonly boolean: Entries["boolean"]["operators"][number];
  readonly bytes: Entries["bytes"]["operators"][number];
  readonly array: Entries["array"]["operators"][number];
  readonly json: Entries["json"]["operators"][number];
  readonly vector: Entries["vector"]["operators"][number];
  readonly decimal: Entries["decimal"]["operators"][number];
}

/** The operators of each kind on PostgreSQL. */
export interface PostgresOperatorsByKind {
  readonly text: Entries["text"]["operators" | "postgres"][number];
  readonly number: Entries["number"]["operators" | "postgres"][number];
  readonly bigint: Entries["bigint"]["operators" | "postgres"][number];
  readonly date: Entries["date"]["operators" | "postgres"][number];
  readonly boolean: Entries["boolean"]["operators" | "postgres"][number];
  readonly bytes: Entries["bytes"]["operators" | "postgres"][number];
  readonly array: Entries["array"]["operators" | "postgres"][number];
  readonly json: Entries["json"]["operators" | "postgres"][number];
  readonly vector: Entries["vector"]["operators" | "postgres"][number];
  readonly decimal: Entries["decimal"]["operators" | "postgres"][number];
}

/** The needs that the columns of a kind meet. */
export interface NeedsByKind {
  readonly text: Entries["text"]["meets"][number];
  readonly number: Entries["number"]["meets"][number];
  readonly bigint: Entries["bigint"]["meets"][number];
  readonly date: Entries["date"]["meets"][number];
  readonly boolean: Entries["boolean"]["meets"][number];
  readonly bytes: Entries["bytes"]["meets"][number];
  readonly array: Entries["array"]["meets"][number];
  readonly json: Entries["json"]["meets"][number];
  readonly vector: Entries["vector"]["meets"][number];
  readonly decimal: Entries["decimal"]["meets"][number];
}

const met: ReadonlyMap<Kind, ReadonlySet<Need>> = new Map(
  Object.entries(kinds).map(([kind, { meets }]) => [kind as Kind, new Set<Need>(meets)]),
);

/** Whether the values of a kind meet a need. */
export function meets(kind: Kind, need: Need): boolean {
  return met.get(kind)?.has(need) === true;
}
