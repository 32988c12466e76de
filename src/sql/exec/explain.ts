/** The plan by which the server would carry out a request, as text. The request itself is not carried out. */

import type { RequestCall } from "./call.js";
import { ask, asOne } from "./execute.js";
import { requireInteractive } from "./gathered.js";
import { type Prepared, plainText, type Request } from "./prepared.js";

/** Asks for the server's plan of a request. */
export function explained({ prepared, values }: Request, call: RequestCall): Promise<string> {
  const { before, after, text } = call.session.grammar.explain;
  const { table, sql, pieces, inUtc, zoned } = prepared;
  const question: Prepared = {
    table,
    sql: before + sql,
    givesRows: after === undefined,
    bigints: false,
    inUtc,
    zoned,
    pieces: pieces === undefined ? undefined : [before, ...pieces],
  };
  const plan = async (inside: RequestCall) => {
    const { rows } = await ask({ prepared: question, values }, inside);
    return text(after === undefined ? rows : (await ask(plainText(table, after, true), inside)).rows);
  };
  return asOne(question, call, () => {
    // The server stores the plan for its connection: the second statement needs the same connection.
    if (after === undefined || call.session.isTransaction) return plan(call);
    const work = async (session: RequestCall["session"]) => {
      requireInteractive(session);
      return plan({ ...call, session });
    };
    return call.session.atomically(work, { signal: call.signal });
  });
}
