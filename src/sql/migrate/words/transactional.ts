/** Which dialects roll changes of the schema back. */
import type { Dialect } from "../../words/dialect.js";

/** Whether a transaction of the dialect undoes changes of the schema. */
export function hasTransactionalDdl(dialect: Dialect): boolean {
  return dialect === "postgres" || dialect === "sqlite";
}
