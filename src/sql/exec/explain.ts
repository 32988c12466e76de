/** The plan that the server would carry out a statement by, as text. The statement itself is not carried out. */

import type { Command } from "./command.js";
import { ask, asOne, type Call } from "./execute.js";
import type { Prepared } from "./prepared.js";

/** Asks for the plan of a statement with these values. */
export function explained(prepared: Prepared, values: readonly unknown[], call: Call): Promise<string> {
  const { before, after, text } = call.session.grammar.explain;
  const { table, sql, pieces } = prepared;
  const question: Command = {
    table,
    sql: before + sql,
    bigints: false,
    pieces: pieces === undefined ? undefined : [before, ...pieces],
  };
  const plan = async (inside: Call) => {
    const { rows } = await ask(question, values, after === undefined, inside);
    if (after === undefined) return text(rows);
    return text((await ask({ table, sql: after, bigints: false }, [], true, inside)).rows);
  };
  return asOne(question, call, () => {
    // What is kept for a second statement is kept for its connection.
    if (after === undefined || call.session.isTransaction) return plan(call);
    return call.session.atomically((session) => plan({ ...call, session }), { signal: call.signal });
  });
}
