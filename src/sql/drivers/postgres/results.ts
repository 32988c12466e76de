/** Results of PostgreSQL in rowtype's form. */
import type { DriverRequest, DriverResult } from "../../contract/driver.js";
import { QueryError } from "../../words/errors.js";
import type { ManyAnswers } from "./own-queries.js";
import type { PostgresResult } from "./query.js";

/** The result of a request. */
export function resultOf(
  { rows, rowCount, fields }: PostgresResult,
  { prepared }: DriverRequest,
): DriverResult {
  const affected = rowCount ?? 0;
  // With `rowMode: "array"` every row is an array.
  const result = { rows: rows as unknown[][], affected };
  return prepared.named === true ? { ...result, columns: fields.map(({ name }) => name) } : result;
}

/** The results of the requests that were executed. */
export function resultsOf({ results }: ManyAnswers, requests: readonly DriverRequest[]): DriverResult[] {
  return requests.flatMap((request, i) => {
    const result = results[i];
    return result === undefined ? [] : [resultOf(result, request)];
  });
}

/** After a failed statement, COMMIT is answered with ROLLBACK, without an error. */
export function requireCommitted({ command }: PostgresResult): void {
  if (command === "ROLLBACK")
    throw new QueryError("QUERY_FAILED", "the transaction was rolled back: a statement in it had failed");
}
