/**
 * Whether a table has no rows, so that a step blocks nobody. A table counts as empty only if it does not exist or its
 * rows can be read: rows that this role may not see exist all the same.
 */
import * as z from "zod";
import type { Grammar } from "../../dialect/grammar/grammar.js";
import { qualifiedName } from "../../dialect/grammar/names.js";
import { isSqlError } from "../../words/errors.js";
import type { Runs } from "../words/reading.js";

/** A table by its name; without a schema it is the one that the unqualified name refers to. */
export interface NamedTable {
  readonly schema: string | null;
  readonly name: string;
}

/** The facts about a table before its rows are read. */
type Known = "not there" | "no rows" | "rows may be hidden" | "rows can be seen";

/** How a dialect looks at the rows of a table. */
export interface LooksAtRows {
  readonly grammar: Grammar;
  readonly lookAt: (runs: Runs, table: NamedTable) => Promise<Known>;
  /** The end of a query that reads one row. */
  readonly oneRow: string;
}

/** Whether a table has no rows, or does not exist. */
export async function isEmptyTable(
  runs: Runs,
  { grammar, lookAt, oneRow }: LooksAtRows,
  table: NamedTable,
): Promise<boolean> {
  const known = await lookAt(runs, table);
  if (known !== "rows can be seen") return known !== "rows may be hidden";
  const { schema, name } = table;
  const spelled = qualifiedName({ name, namespace: schema ?? undefined }, grammar);
  const text = `SELECT 1 AS ${grammar.quote("n")} FROM ${spelled} ${oneRow}`;
  try {
    return (await runs.sql(text, Count).exec()).length === 0;
  } catch (error) {
    // The right to read it may be missing; where an error ends the transaction, `lookAt` has asked before.
    if (!grammar.failureEndsTransaction && isSqlError(error) && error.code === "QUERY_FAILED") return false;
    throw error;
  }
}

const Count = z.object({ n: z.int() });

/** Looks whether a table exists, by a query that counts the tables of its name. */
export async function thereIf(runs: Runs, text: string, { schema, name }: NamedTable): Promise<Known> {
  const given = schema === null ? { name } : { schema, name };
  const [found] = await runs.sql(text, Count).exec(given);
  return found?.n === 0 ? "not there" : "rows can be seen";
}
