/**
 * postgres.js applies the caller's `transform` to the names of columns and to rows, also of a raw query. While an answer
 * to a query of rowtype is read, which nothing interrupts, the two functions are taken away.
 */
import type { SentQuery } from "./postgresjs-query.js";

interface Transform {
  readonly column: { from?: unknown };
  readonly row: { from?: unknown };
}

/** A query whose answer is read as if the handle had no transform. */
export function untransformed(query: SentQuery, options: object): SentQuery {
  const { transform } = options as { readonly transform?: Transform };
  const parts = [transform?.column, transform?.row].filter((part) => typeof part?.from === "function");
  if (parts.length === 0) return query;
  let statement: unknown;
  // The client looks at the statement of a query before it reads columns or values, and not before that.
  Object.defineProperty(query, "statement", {
    configurable: true,
    enumerable: true,
    get: () => {
      for (const part of parts) if (part !== undefined) takeAway(part);
      return statement;
    },
    set: (value: unknown) => {
      statement = value;
    },
  });
  return query;
}

function takeAway(part: { from?: unknown }): void {
  const { from } = part;
  if (from === undefined) return;
  part.from = undefined;
  // Before anything else is done than to read what has come for this connection.
  queueMicrotask(() => {
    part.from = from;
  });
}
