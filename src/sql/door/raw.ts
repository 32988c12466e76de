/** `db.sql`: the caller's own SQL text, with bound values and rows decoded by a schema. */

import type { $ZodObject, output } from "zod/v4/core";
import { boundCall } from "../builder/bound.js";
import { inTransaction } from "../builder/builder.js";
import type { MaybePromise } from "../contract/driver.js";
import { callOf } from "../exec/call.js";
import type { DecodedRow } from "../exec/decode.js";
import { fetchAffected, send } from "../exec/execute.js";
import { areOptions, type CallParams } from "../exec/params.js";
import type { ResultReader } from "../exec/prepared.js";
import { RawStatement } from "../exec/raw.js";
import type { Session } from "../exec/session.js";
import type { Bound } from "../types/bound.js";
import type { TransactionOn } from "../types/on-dialect.js";
import type {
  InText,
  NoSchemas,
  SqlArguments,
  SqlParamSchemas,
  SqlParams,
  SqlParamsArgument,
  SqlParamsOf,
} from "../types/sql-text.js";
import type { Dialect } from "../words/dialect.js";
import { declaredParams } from "./raw-params.js";
import { RowReader } from "./raw-row.js";

/** Where your own SQL text runs: a database, or a transaction of it. */
export interface RunsSql<out D extends Dialect> {
  /**
   * Your own SQL text with `:name` for each value; a Zod object, whose keys are the column names, decodes the
   * rows. For statements that the builders cannot express: the text is not checked.
   * @example
   * const top = db.sql("SELECT name, sum(score) AS total FROM games WHERE day = :day GROUP BY name",
   *   z.object({ name: z.string(), total: z.int() }));
   * const rows = await top.exec({ day: new Date() }); // { name: string; total: number }[]
   */
  sql<const T extends string, S extends $ZodObject, const P extends SqlParamSchemas = NoSchemas>(
    text: T,
    row: S,
    options?: SqlOptions<P & InText<T, P>>,
  ): Sql<output<S>[], SqlParamsOf<T, P, D>, D>;
  /** Your own SQL text without rows; returns the number of rows that it changed. */
  sql<const T extends string, const P extends SqlParamSchemas = NoSchemas>(
    text: T,
    row?: undefined,
    options?: SqlOptions<P & InText<T, P>>,
  ): Sql<number, SqlParamsOf<T, P, D>, D>;
}

/** Executable SQL text. `R` is the type of its result, `P` its parameters by name. */
export interface Sql<R, P = SqlParams, D extends Dialect = Dialect> {
  /**
   * Sends the text with these values for its `:name`s. If it has none, the options take their place.
   * @throws {SqlError} `DECODE_FAILED` for a row that does not fit the schema.
   */
  exec(...args: SqlArguments<P>): Promise<R>;
  execTx(tx: TransactionOn<D>, ...args: SqlParamsArgument<P>): Promise<R>;
  /** A call of `exec` with these values for `atomic`: checked now. */
  bind(...args: SqlParamsArgument<P>): Bound<R, D>;
}

/** The options of `sql`. */
export interface SqlOptions<P extends SqlParamSchemas = SqlParamSchemas> {
  /** Zod schemas of some of the parameters: they type and check them, and determine how they are bound. */
  readonly params?: P | undefined;
}

/** Makes a text executable. With a schema it returns rows; without one it returns the number of changed rows. */
export function makeSql(
  session: Session,
  text: unknown,
  schema: $ZodObject | undefined,
  options: unknown,
): Sql<unknown> {
  // The text is checked at the first execution: `exec` reports errors, as a builder does.
  let made:
    | { readonly raw: RawStatement; readonly reader: ResultReader<DecodedRow[]> | undefined }
    | undefined;
  const ready = () => {
    made ??= make(session, text, schema, options);
    return made;
  };
  const exec: Sql<unknown>["exec"] = async (params, given) => {
    const { raw, reader } = ready();
    if (given === undefined && raw.takesNothing && areOptions(params)) return exec(undefined, params);
    // The parameters, or an error if they are not an object.
    const request = raw.request(params as CallParams);
    const call = callOf(session, given, "SQL");
    const sent = (): MaybePromise<unknown> =>
      reader === undefined ? fetchAffected(request, call) : send(request, call, reader);
    return raw.changes ? call.session.changing(sent, call.signal) : sent();
  };
  return Object.freeze({
    exec,
    execTx: async (tx, params) => exec(params, inTransaction(tx)),
    bind: (params) => {
      const check = (given: CallParams) => {
        const { raw, reader } = ready();
        raw.request(given);
        return { isOne: () => raw.isPlain, isSure: reader === undefined };
      };
      const call = boundCall(session, [params as CallParams], check, (tx, given) =>
        exec(given, inTransaction(tx)),
      );
      // The mark of a bound call exists only as a type.
      return call as unknown as Bound<unknown>;
    },
  } satisfies Sql<unknown>);
}

function make({ grammar }: Session, text: unknown, schema: $ZodObject | undefined, options: unknown) {
  const rows = schema === undefined ? undefined : new RowReader(schema, grammar);
  const raw = new RawStatement(text, rows?.output, grammar, declaredParams(options, grammar));
  if (rows === undefined) return { raw, reader: undefined };
  const reader: ResultReader<DecodedRow[]> = {
    read: (result) => rows.read(result),
    facts: ({ length }) => ({ rowsReturned: length }),
  };
  return { raw, reader };
}
