/** The queries in conditions: those that builders offer. */
import { describeType } from "../../core/errors.js";
import {
  HasQuery,
  InnerQuery,
  type InnerStatement,
  NoQuery,
  type Offered,
  type Shown,
} from "../ast/inner-query.js";

/** The statement of a builder that offers a query; a message for any other value. */
export function queryOffered(
  offered: Offered | undefined,
  value: unknown,
  what: string,
): InnerStatement | string {
  if (offered === undefined) return `${what} takes a query, not ${describeType(value)}`;
  const { statement } = offered;
  if (statement.kind === "insert" || statement.kind === "modify" || statement.kind === "remove")
    return `${what} takes a query, and ${statement.kind} changes rows`;
  return statement;
}

/** The query of a value of an untyped caller. Whether it fits the outer statement is checked with that statement. */
export function innerQuery(value: unknown, what: string, shown: Shown): InnerQuery | NoQuery {
  const offered = HasQuery.own(value)?.offered;
  const statement = queryOffered(offered, value, what);
  return typeof statement === "string"
    ? new NoQuery(statement)
    : new InnerQuery(statement, shown, offered, offered?.constants);
}
