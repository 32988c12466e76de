/** The way in which builders that read call their statement. */
import type { Statement } from "../ast/statement.js";
import { callOf } from "../exec/call.js";
import type { DecodedRow } from "../exec/decode.js";
import { fetchRows } from "../exec/execute.js";
import { explained } from "../exec/explain.js";
import type { CallParams } from "../exec/params.js";
import { rowsOneByOne } from "../exec/stream.js";
import type { Operation } from "../words/events.js";
import type { ExecOptions } from "../words/options.js";
import type { Builder } from "./builder.js";
import type { StatementDraft } from "./draft/statement-draft.js";

/** A builder whose statement is the same in every call. */
type ReadingBuilder = Builder<Statement, StatementDraft>;

/** The server's plan for a call. It takes no locks, so it needs no transaction. */
export async function serverPlanOf(
  builder: ReadingBuilder,
  params: CallParams,
  options: ExecOptions | undefined,
  operation: Operation,
): Promise<string> {
  if (builder.isLast(params, options)) return serverPlanOf(builder, undefined, params, operation);
  const request = builder.draft.request(builder.given(params));
  return explained(request, callOf(builder.place.session, options, operation));
}

/** All rows of a call. */
export async function allOf(
  builder: ReadingBuilder,
  params: CallParams,
  options: ExecOptions | undefined,
  operation: Operation,
): Promise<DecodedRow[]> {
  if (builder.isLast(params, options)) return allOf(builder, undefined, params, operation);
  const request = builder.draft.request(builder.given(params));
  const call = builder.call(options, operation);
  const answer = fetchRows(request, call);
  const rows = answer instanceof Promise ? await answer : answer;
  const scanned = builder.scanned(rows, call);
  if (scanned !== undefined) await scanned;
  return rows;
}

/** The rows of a call, one at a time. Each iteration sends the call again. */
export function rowsOf(
  builder: ReadingBuilder,
  params: CallParams,
  options: ExecOptions | undefined,
  operation: Operation,
): AsyncIterable<DecodedRow> {
  return rowsOneByOne(() => {
    const isLast = builder.isLast(params, options);
    const call = builder.call(isLast ? params : options, operation);
    const request = builder.draft.request(builder.given(isLast ? undefined : params));
    return {
      request,
      call,
      callsBack: () => builder.callsBack(),
      onRow: (row) => builder.scanned([row], call),
    };
  });
}
