/** `db.sql`: text of the caller's own, with bound values and rows that a schema decodes. */
import type { $ZodObject } from "zod/v4/core";
import { inTransaction } from "../builder/builder.js";
import type { MaybePromise } from "../contract/driver.js";
import type { Reading } from "../exec/command.js";
import type { Row } from "../exec/decode.js";
import { callOf, fetchAffected, send } from "../exec/execute.js";
import { areOptions, type Params } from "../exec/params.js";
import { RawCommand } from "../exec/raw.js";
import type { Session } from "../exec/session.js";
import type { SqlValue } from "../value/scalar.js";
import type { ExecOptions, TransactionHandle } from "../words/options.js";
import { RowReader } from "./raw-row.js";

/** The parameters of a text, by name. */
export type SqlParams = Readonly<Record<string, SqlValue>>;

/** Text of the caller's own. `R` is what it gives. */
export interface Sql<R> {
  /**
   * Sends the text with these values behind its `:name`s. Where there are none, options stand in their place.
   * @throws {SqlError} `DECODE_FAILED` for a row that does not fit the schema.
   */
  exec(params?: SqlParams | ExecOptions, options?: ExecOptions): Promise<R>;
  execTx(tx: TransactionHandle, params?: SqlParams): Promise<R>;
}

/** Makes a text executable: with a schema it gives rows, and without one how many rows it changed. */
export function makeSql(session: Session, text: unknown, schema: $ZodObject | undefined): Sql<unknown> {
  // Nothing is looked at before the first execution: errors come from `exec`, as a builder's do.
  let made: { readonly command: RawCommand; readonly reading: Reading<Row[]> | undefined } | undefined;
  const exec: Sql<unknown>["exec"] = async (params, options) => {
    made ??= make(session, text, schema);
    const { command, reading } = made;
    if (options === undefined && command.takesNothing && areOptions(params)) return exec(undefined, params);
    // Parameters, or what is refused as none.
    const values = command.bind(params as Params);
    const call = callOf(session, options, "SQL");
    const sent = (): MaybePromise<unknown> =>
      reading === undefined ? fetchAffected(command, values, call) : send(command, values, call, reading);
    return command.changes ? call.session.changing(sent, call.signal) : sent();
  };
  return Object.freeze({
    exec,
    execTx: async (tx, params) => exec(params, inTransaction(tx)),
  } satisfies Sql<unknown>);
}

function make({ grammar }: Session, text: unknown, schema: $ZodObject | undefined) {
  const reader = schema === undefined ? undefined : new RowReader(schema, grammar);
  const command = new RawCommand(text, reader?.output ?? [], grammar);
  if (reader === undefined) return { command, reading: undefined };
  const reading: Reading<Row[]> = {
    givesRows: true,
    read: (result) => reader.read(result),
    tell: ({ length }) => ({ rowsReturned: length }),
  };
  return { command, reading };
}
