/**
 * The kinds of column values, for the compiler and at run time: the operators of each kind, and the needs of
 * expressions that it meets. A new kind is an entry here, an entry in `sql/kind/kinds.ts`, and a form on each dialect;
 * a missing one does not compile. The lists are literals: the compiler compares them with the unions of their types.
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
type Need = NeedsByKind[Kind];

// The unions are written next to the lists: deriving each costs up to twenty instantiations, and an error would name
// the derived type in place of its members. The compiler checks below that lists and unions agree.

/** The operators of each kind that every dialect has. */
export interface OperatorsByKind {
  readonly text:
    | "="
    | "!="
    | ">"
    | ">="
    | "<"
    | "<="
    | "IN"
    | "NOT IN"
    | "LIKE"
    | "NOT LIKE"
    | "ILIKE"
    | "NOT ILIKE"
    | "CONTAINS"
    | "STARTS WITH"
    | "ENDS WITH"
    | "ICONTAINS"
    | "ISTARTS WITH"
    | "IENDS WITH";
  readonly number: "=" | "!=" | ">" | ">=" | "<" | "<=" | "IN" | "NOT IN";
  readonly bigint: "=" | "!=" | ">" | ">=" | "<" | "<=" | "IN" | "NOT IN";
  readonly date: "=" | "!=" | ">" | ">=" | "<" | "<=" | "IN" | "NOT IN";
  readonly boolean: "=" | "!=" | "IN" | "NOT IN";
  readonly bytes: "=" | "!=";
  readonly array: "=" | "!=";
  readonly json: never;
  readonly vector: never;
  readonly decimal: "=" | "!=" | ">" | ">=" | "<" | "<=" | "IN" | "NOT IN";
}

/** The operators of each kind on PostgreSQL. */
export interface PostgresOperatorsByKind {
  readonly text:
    | "="
    | "!="
    | ">"
    | ">="
    | "<"
    | "<="
    | "IN"
    | "NOT IN"
    | "LIKE"
    | "NOT LIKE"
    | "ILIKE"
    | "NOT ILIKE"
    | "CONTAINS"
    | "STARTS WITH"
    | "ENDS WITH"
    | "ICONTAINS"
    | "ISTARTS WITH"
    | "IENDS WITH"
    | "~"
    | "~*"
    | "!~"
    | "!~*";
  readonly number: "=" | "!=" | ">" | ">=" | "<" | "<=" | "IN" | "NOT IN";
  readonly bigint: "=" | "!=" | ">" | ">=" | "<" | "<=" | "IN" | "NOT IN";
  readonly date: "=" | "!=" | ">" | ">=" | "<" | "<=" | "IN" | "NOT IN";
  readonly boolean: "=" | "!=" | "IN" | "NOT IN";
  readonly bytes: "=" | "!=";
  readonly array: "=" | "!=" | "@>" | "<@" | "&&";
  readonly json: never;
  readonly vector: never;
  readonly decimal: "=" | "!=" | ">" | ">=" | "<" | "<=" | "IN" | "NOT IN";
}

/** The needs that the columns of a kind meet. */
export interface NeedsByKind {
  readonly text: "text" | "an order" | "a scalar" | "BETWEEN" | "NOT BETWEEN";
  readonly number: "a number" | "an order" | "a scalar" | "BETWEEN" | "NOT BETWEEN";
  readonly bigint: "a number" | "an order" | "a scalar" | "BETWEEN" | "NOT BETWEEN";
  readonly date: "a date" | "an order" | "a scalar" | "BETWEEN" | "NOT BETWEEN";
  readonly boolean: "a scalar";
  readonly bytes: never;
  readonly array: never;
  readonly json: never;
  readonly vector: "a vector";
  readonly decimal: "a number" | "an order" | "a scalar" | "BETWEEN" | "NOT BETWEEN";
}

type Entries = typeof kinds;
type Same<A, B> = [A, B] extends [B, A] ? true : false;
type Alike<K extends Kind> = [
  Same<Entries[K]["operators"][number], OperatorsByKind[K]>,
  Same<Entries[K]["operators" | "postgres"][number], PostgresOperatorsByKind[K]>,
  Same<Entries[K]["meets"][number], NeedsByKind[K]>,
];
type None<T extends never> = T;
/** Does not compile if the lists of a kind differ from its unions. */
type Unlike = None<{ [K in Kind]: Alike<K> extends [true, true, true] ? never : K }[Kind]>;

const met: ReadonlyMap<Kind | Unlike, ReadonlySet<Need>> = new Map(
  Object.entries(kinds).map(([kind, { meets }]) => [kind as Kind, new Set<Need>(meets)]),
);

/** Whether the values of a kind meet a need. */
export function meets(kind: Kind, need: Need): boolean {
  return met.get(kind)?.has(need) === true;
}
