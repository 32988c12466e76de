/** Entries that the grammars of several dialects share. */
import type { ReferentialAction, Storage } from "../../declare/declaration.js";
import type { ComparisonOperator, TextOperator } from "../../words/operators.js";
import type { ConflictForm } from "./conflict-form.js";
import type { DdlGrammar } from "./ddl-grammar.js";
import type {
  CompoundGrammar,
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

/** An operator that takes a pattern, and its language. */
interface PatternForm {
  readonly form: OperatorForm;
  /** The wildcard for any characters. */
  readonly any: string;
  /** Escapes a text, so that each of its characters is literal. */
  readonly escaped: (text: string) => string;
}

/** A form of `LIKE`, in whose patterns a backslash escapes. */
export function likePattern(form: OperatorForm): PatternForm {
  return { form, any: "%", escaped: (text) => text.replace(/[\\%_]/g, "\\$&") };
}

/** The operators that search for plain text, from a case-sensitive and a case-insensitive pattern operator. */
export function textForms(
  exact: PatternForm,
  folded: PatternForm,
): Readonly<Record<TextOperator, OperatorForm>> {
  const sought = ({ form, any, escaped }: PatternForm, before: "" | "any", after: "" | "any") => ({
    ...form,
    bind: (text: unknown) => `${before && any}${escaped(String(text))}${after && any}`,
  });
  return {
    CONTAINS: sought(exact, "any", "any"),
    "STARTS WITH": sought(exact, "", "any"),
    "ENDS WITH": sought(exact, "any", ""),
    ICONTAINS: sought(folded, "any", "any"),
    "ISTARTS WITH": sought(folded, "", "any"),
    "IENDS WITH": sought(folded, "any", ""),
  };
}

/** The comparison operators, which all dialects write in the same form. */
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
 * @param most the maximum number of items in one list.
 */
export function writtenOutLists(most: number): Readonly<Record<"IN" | "NOT IN", OperatorForm>> {
  const form = (word: string, list: ListForm) => ({ open: "", between: ` ${word} (`, close: ")", list });
  return {
    IN: form("IN", { empty: "1 = 0", most, joint: " OR " }),
    "NOT IN": form("NOT IN", { empty: "1 = 1", most, joint: " AND " }),
  };
}

/** A plan with one line for each row. */
export function explainedBy(before: string, after?: string): ExplainForm {
  return { before, after, text: (rows) => rows.map(([line]) => String(line)).join("\n") };
}

const noRegex: Missing = {
  feature: "regular expression operators",
  hint: "use LIKE or ILIKE, or match in the application",
};

const noArrayOperators: Missing = {
  feature: "array operators",
  hint: "arrays are stored as JSON here; compare whole arrays with = and !=",
};

/** The operators that only PostgreSQL has, for the other dialects. */
export const onlyOnPostgres: Readonly<Record<"~" | "~*" | "!~" | "!~*" | "@>" | "<@" | "&&", Missing>> = {
  "~": noRegex,
  "~*": noRegex,
  "!~": noRegex,
  "!~*": noRegex,
  "@>": noArrayOperators,
  "<@": noArrayOperators,
  "&&": noArrayOperators,
};

/** `DISTINCT ON`, which only PostgreSQL has. */
export const noDistinctOn: Missing = {
  feature: "DISTINCT ON",
  hint: "order the rows and keep the first of each group in the application",
};

/** Vectors, for dialects without them. */
export const noVectors: Missing = { feature: "vectors", hint: "use PostgreSQL with pgvector" };

/** Row locks, for dialects where a transaction locks the whole database. */
export const noLocks: Missing = {
  feature: "row locks",
  hint: "a transaction that writes locks the whole database; leave out the row lock",
};

/** `ON CONFLICT (…) DO …`; the proposed row has the name `excluded`. */
export const onConflict: ConflictForm = {
  nothing: (key, among) =>
    key.length === 0 ? " ON CONFLICT DO NOTHING" : ` ON CONFLICT (${key.join(", ")})${among} DO NOTHING`,
  update: (key, among) => ` ON CONFLICT (${key.join(", ")})${among} DO UPDATE SET `,
  proposed: (column) => `excluded.${column}`,
  namesKey: true,
};

/** `LIMIT n OFFSET n`. */
export const limitOffset: Grammar["paging"] = [
  { part: "limit", before: " LIMIT ", after: "" },
  { part: "offset", before: " OFFSET ", after: "" },
];

/**
 * `column ASC NULLS LAST`, with the NULLS keywords only if the dialect's default differs, so that an index
 * serves the order.
 * @param nullsSortAs the dialect's default order of NULLs.
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

/** Compound queries as in the standard, but evaluated from left to right. */
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
  namesFields: true,
  bounded: "parentheses",
  mostQueries: 10_000,
};

/** `CREATE … IF NOT EXISTS` and `DROP … IF EXISTS`. */
export const existence: Pick<DdlGrammar, "unlessExists" | "ifExists"> = {
  unlessExists: (create) =>
    create.replace(/^CREATE (TABLE|VIEW|(?:\w+ )?INDEX) /, "CREATE $1 IF NOT EXISTS "),
  ifExists: (drop) => drop.replace(/^DROP (TABLE|VIEW) /, "DROP $1 IF EXISTS "),
};

/** A text between single quotes. */
export function quotedText(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** Every action that a reference may have. */
export const everyAction: ReadonlySet<ReferentialAction> = new Set<ReferentialAction>([
  "restrict",
  "cascade",
  "set null",
  "set default",
]);

const EXACT = /^\s*(?:numeric|decimal|dec|number)\b\s*(?:\(\s*(\d+))?/i;
const DOUBLE_DIGITS = 15;

/** Why pages cannot be ordered by numbers of a type that keeps more digits than a reader gets. */
export function roundedNumbers(type: string, { kind, integer }: Storage): Missing | undefined {
  const exact = kind === "number" && integer !== true ? EXACT.exec(type) : null;
  if (exact === null || Number(exact[1]) <= DOUBLE_DIGITS) return undefined;
  return {
    feature: `pages ordered by numbers of more than ${DOUBLE_DIGITS} digits that are read as doubles`,
    hint: "declare the field with decimal(…), or order by another one",
  };
}
