/**
 * `rowtype/testing`: a database that sends nothing. It records the statements and answers with given rows, so
 * that code with a database is tested without a server.
 */
import { listed, quoted } from "../../core/errors.js";
import {
  type Control,
  type Driver,
  type DriverConnection,
  type DriverCursor,
  type DriverRequest,
  type DriverResult,
  type NativeRequest,
  type NativeResult,
  PAGE_ROWS,
  type ResultCheck,
} from "../contract/driver.js";
import { grammars } from "../dialect/grammars.js";
import { type Database, makeDatabase } from "../door/database.js";
import { translatorOf } from "../driver-errors/by-dialect.js";
import type { Dialect } from "../words/dialect.js";
import { DeclarationError } from "../words/errors.js";
import { type AnswerRow, driverValues } from "./answer.js";

export type { AnswerRow } from "./answer.js";

/** A statement as the driver would receive it. */
export interface RecordedStatement {
  /** The native text. */
  readonly sql: string;
  /** The values of the placeholders, in the form that the driver receives. */
  readonly params: readonly unknown[];
}

/** A transaction. Its savepoints are not listed separately. */
export interface RecordedTransaction {
  readonly outcome: "open" | "committed" | "rolled back";
  readonly statements: readonly RecordedStatement[];
}

/**
 * The answers to statements: one list of rows for each, in order, and an empty one for further statements; or a
 * function that is called for each. An error that the function throws fails the statement: an `SqlError`
 * unchanged, any other as an error of the dialect's driver, so `{ code: "23505" }` is a `UNIQUE_VIOLATION` on
 * PostgreSQL.
 */
export type Answers =
  | readonly (readonly AnswerRow[])[]
  | ((statement: RecordedStatement) => readonly AnswerRow[] | Promise<readonly AnswerRow[]>);

/** The records of a database that sends nothing. */
export interface Recorded {
  /** Every statement, in order, without those that begin and end transactions. */
  readonly statements: readonly RecordedStatement[];
  readonly transactions: readonly RecordedTransaction[];
}

/**
 * A database that sends nothing. Not an interface that extends `Database`: it would not be assignable to a
 * database of any dialect.
 */
export type Recording<D extends Dialect = Dialect> = Database<D> & Recorded;

/**
 * Creates a database that sends nothing, records its statements and answers with the given rows. Rows have the
 * caller's form, by property; a number of changed rows is the length of the list.
 * @throws {DeclarationError} for an unknown dialect.
 * @example
 * import { recording } from "rowtype/testing";
 * const db = recording("postgres", [[{ id: 1, email: "ann@example.org" }]]);
 * await db.repository(User).query().fields("id", "email").exec();
 * console.log(db.statements); // [{ sql: 'SELECT "id", "email" FROM "users"', params: [] }]
 */
export function recording<D extends Dialect>(dialect: D, answers: Answers = []): Recording<D> {
  const grammar = grammars.get(dialect);
  if (grammar === undefined)
    throw new DeclarationError(`unknown dialect ${quoted(dialect)}; dialects: ${listed(grammars.keys())}`);
  const recorder = new Recorder(dialect, answers);
  const { statements, transactions } = recorder;
  return Object.freeze({ ...makeDatabase(dialect, grammar, recorder), statements, transactions });
}

interface OpenTransaction extends RecordedTransaction {
  outcome: RecordedTransaction["outcome"];
  readonly statements: RecordedStatement[];
}

class Recorder implements Driver {
  readonly statements: RecordedStatement[] = [];
  readonly transactions: OpenTransaction[] = [];
  readonly translate: Driver["translate"];
  readonly #dialect: Dialect;
  readonly #answers: Answers;

  constructor(dialect: Dialect, answers: Answers) {
    this.#dialect = dialect;
    this.#answers = answers;
    this.translate = translatorOf(dialect);
  }

  run(request: DriverRequest): Promise<DriverResult> {
    return this.#answer(request, undefined);
  }

  native(request: NativeRequest): Promise<NativeResult> {
    return this.#answerNative(request, undefined);
  }

  get makesUpRows(): boolean {
    return true;
  }

  ping(): void {
    // `ping` always succeeds, and is not recorded as a statement.
  }

  async runChecked(request: DriverRequest, check: ResultCheck): Promise<DriverResult> {
    const result = await this.#answer(request, undefined);
    check(result);
    return result;
  }

  async open(request: DriverRequest): Promise<DriverCursor> {
    return this.#inPages(request, undefined);
  }

  async connect(): Promise<DriverConnection> {
    let transaction: OpenTransaction | undefined;
    const ends: ReadonlyMap<Control, OpenTransaction["outcome"]> = new Map([
      ["commit", "committed"],
      ["rollback", "rolled back"],
    ]);
    return {
      run: (request) => this.#answer(request, transaction),
      native: (request) => this.#answerNative(request, transaction),
      open: async (request) => this.#inPages(request, transaction),
      begin: async () => {
        transaction = { outcome: "open", statements: [] };
        this.transactions.push(transaction);
      },
      control: async (command) => {
        if (transaction !== undefined) transaction.outcome = ends.get(command) ?? transaction.outcome;
      },
      release: () => undefined,
    };
  }

  #inPages(request: DriverRequest, transaction: OpenTransaction | undefined): DriverCursor {
    let left: DriverResult["rows"] | undefined;
    return {
      next: async () => {
        left ??= (await this.#answer(request, transaction)).rows;
        const page = left.slice(0, PAGE_ROWS);
        left = left.slice(PAGE_ROWS);
        return page;
      },
      close: async () => undefined,
    };
  }

  async #answerNative(
    { text, values }: NativeRequest,
    transaction: OpenTransaction | undefined,
  ): Promise<NativeResult> {
    const rows = (await this.#given(text, values, transaction)) ?? [];
    return { rows: [...rows], affected: rows.length };
  }

  /** Records a statement, and returns the caller's answer to it. */
  async #given(
    sql: string,
    values: readonly unknown[],
    transaction: OpenTransaction | undefined,
  ): Promise<readonly AnswerRow[] | undefined> {
    const statement = Object.freeze({ sql, params: Object.freeze([...values]) });
    const position = this.statements.push(statement) - 1;
    transaction?.statements.push(statement);
    const answers = this.#answers;
    return typeof answers === "function" ? answers(statement) : answers[position];
  }

  async #answer(request: DriverRequest, transaction: OpenTransaction | undefined): Promise<DriverResult> {
    const { sql, params, batch = [params], prepared } = request;
    const { givesRows, output = [], named } = prepared;
    const rows: AnswerRow[] = [];
    const each: number[] = [];
    for (const values of batch) {
      const answer = await this.#given(sql, values, transaction);
      rows.push(...(answer ?? []));
      each.push(answer?.length ?? 0);
    }
    const affected = rows.length;
    if (!givesRows) return { rows: [], affected, each };
    const columns = named === true ? output.map(({ name }) => name) : undefined;
    return { rows: rows.map((row) => driverValues(row, output, this.#dialect)), affected, columns };
  }
}
