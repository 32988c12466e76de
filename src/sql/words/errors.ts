/**
 * Every error of the SQL half: one base with a stable `code`, and a subclass for errors with further facts. Messages
 * name tables, fields and parameters, but never contain the value of a parameter. The errors are listed in
 * `docs/errors.md`.
 */
import {
  DeclarationError as AnyDeclarationError,
  bounded,
  brand,
  CodedError,
  counted,
  familyOf,
  isReadable,
  quoted,
  visible,
} from "../../core/errors.js";
import type { Dialect } from "./dialect.js";

/** The codes of mistakes in a builder or spec, found before anything is sent. */
export type BuildErrorCode =
  | "INVALID_FIELD"
  | "INVALID_PARAM"
  | "INVALID_OPERATOR"
  | "INVALID_DIRECTION"
  | "INVALID_NULLS"
  | "INVALID_CONDITION"
  | "INVALID_AGGREGATE"
  | "INVALID_RELATION"
  | "INVALID_ALIAS"
  | "FAN_OUT"
  | "UNSTABLE_ORDER"
  | "INVALID_SPEC"
  | "UNSAFE_UPDATE"
  | "UNSAFE_DELETE"
  | "UNSUPPORTED";

/** The codes of mistakes in the values passed to an executing method. */
type ParameterErrorCode = "MISSING_PARAM" | "EXTRA_PARAM" | "PARAM_TYPE";

/** The codes of violated database constraints. */
type ConstraintErrorCode =
  | "UNIQUE_VIOLATION"
  | "FOREIGN_KEY_VIOLATION"
  | "NOT_NULL_VIOLATION"
  | "CHECK_VIOLATION";

/** The codes of errors of the server, the connection or the transaction. */
export type QueryErrorCode =
  | "NO_CONNECTION"
  | "TRANSACTION_CLOSED"
  | "TRANSACTION_REQUIRED"
  | "QUERY_FAILED"
  | "DEADLOCK"
  | "SERIALIZATION_FAILURE"
  | "LOCK_TIMEOUT"
  | "CONNECTION_LOST"
  | "UNKNOWN_OUTCOME"
  | "READ_ONLY"
  | "RECURSION_LIMIT"
  | "ABORTED";

/** The codes of migrations that are not applied, or only partly. */
export type MigrationErrorCode =
  | "MIGRATION_REFUSED"
  | "MIGRATION_CHANGED"
  | "MIGRATION_MISSING"
  | "MIGRATION_FAILED"
  | "MIGRATION_INTERRUPTED"
  | "MIGRATION_LOCKED"
  | "MIGRATION_INVALID";

/** Every code that an {@link SqlError} can have. */
export type SqlErrorCode =
  | BuildErrorCode
  | ParameterErrorCode
  | ConstraintErrorCode
  | QueryErrorCode
  | MigrationErrorCode
  | "DRIFT"
  | "NO_ROWS"
  | "MULTIPLE_ROWS"
  | "STALE_VERSION"
  | "CALLBACK_FAILED"
  | "DECODE_FAILED"
  | "DECLARATION";

/** The base of every error of `rowtype`'s SQL half. */
export abstract class SqlError<Code extends SqlErrorCode = SqlErrorCode> extends CodedError<Code> {
  static {
    brand(SqlError, "sql");
  }

  /** The change of the call was stored before its rows could be read: its driver has no transactions. */
  declare readonly stored?: true;

  /** A {@link DeclarationError} of the SQL half is an instance, though both halves share its class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: every error of this half inherits it, and asks about its own class.
    if (Function.prototype[Symbol.hasInstance].call(this, value)) return true;
    // biome-ignore lint/complexity/noThisInStatic: only the base class includes them.
    return this === SqlError && value instanceof DeclarationError && isSqlError(value);
  }
}

/** Whether an error is one of ours, also of another copy of this package. */
export function isSqlError(error: unknown): error is SqlError {
  return familyOf(error) === "sql";
}

/** The same error without the position of a record or a call, which is not known. */
export function unplaced(error: unknown): unknown {
  if (isSqlError(error) && "index" in error) Object.defineProperty(error, "index", { value: undefined });
  return error;
}

/** The same error, which says that the change of its call is stored. */
export function storedYet(error: unknown): unknown {
  if (isSqlError(error)) Object.defineProperty(error, "stored", { value: true, enumerable: true });
  return error;
}

/** Whether an error says so. */
export function isStored(error: unknown): boolean {
  return Object(error).stored === true;
}

/** A declaration (`column`, `table`) that cannot work. It is an {@link SqlError} too. */
export class DeclarationError extends AnyDeclarationError {
  static {
    brand(DeclarationError, "sql");
  }
}

/** One mistake in a builder or spec. */
export interface Problem {
  readonly code: BuildErrorCode;
  readonly message: string;
  /** The place in the spec: `where[0].group[1].field`. */
  readonly path?: string;
}

/** A builder or spec that cannot be rendered. Its code is the code of the first problem. */
export class BuildError extends SqlError<BuildErrorCode> {
  readonly problems: readonly Problem[];

  constructor(problems: readonly [Problem, ...Problem[]]) {
    if (!Array.isArray(problems) || problems.length === 0 || !problems.every(isReadable))
      throw new DeclarationError("a BuildError is made of a list of problems");
    const [first, ...more] = problems;
    super(first.code, more.length === 0 ? first.message : `${first.message} (and ${more.length} more)`);
    this.problems = Object.freeze(
      problems.map(({ code, message, path }) =>
        Object.freeze({
          code,
          message: bounded(message),
          ...(path === undefined ? {} : { path: visible(path) }),
        }),
      ),
    );
  }
}

/** A feature that the dialect does not support. */
export class UnsupportedError extends SqlError<"UNSUPPORTED"> {
  readonly dialect: Dialect;
  readonly feature: string;
  readonly hint: string;

  constructor(dialect: Dialect, feature: string, hint: string) {
    super("UNSUPPORTED", `${visible(dialect)} does not support ${visible(feature)}: ${visible(hint)}`);
    this.dialect = dialect;
    this.feature = feature;
    this.hint = hint;
  }
}

/** A parameter, or a key of a record, that is missing, unknown or of the wrong type. */
export class ParameterError extends SqlError<ParameterErrorCode> {
  readonly param: string;
  readonly table: string;
  /** The position of the record in a batch, from 0. */
  readonly index: number | undefined;
  /** The path to the key in the record of a nested insert: `lines[2].qty`. */
  readonly path: string | undefined;

  constructor(
    code: ParameterErrorCode,
    param: string,
    table: string,
    message: string,
    index?: number,
    options?: ErrorOptions,
    path?: string,
  ) {
    super(code, ofRecord(index, message), options);
    this.param = param;
    this.table = table;
    this.index = index;
    this.path = path === undefined ? undefined : visible(path);
  }

  /** The same error with the position of the record in a batch. */
  at(index: number): ParameterError {
    return new ParameterError(
      this.code,
      this.param,
      this.table,
      this.message,
      index,
      causeOf(this),
      this.path,
    );
  }

  /** The same error with the path of the record around the key, and the position of the outermost record. */
  within(around: string, index?: number): ParameterError {
    const path = [around, this.param].filter((part) => part !== "").join(".");
    const message = around === "" ? this.message : `${visible(around)}: ${this.message}`;
    return new ParameterError(this.code, this.param, this.table, message, index, causeOf(this), path);
  }
}

/** A statement that requires a row found none. */
export class NoRowsError extends SqlError<"NO_ROWS"> {
  readonly table: string;

  constructor(table: string) {
    super("NO_ROWS", `no rows found in ${quoted(table)}`);
    this.table = table;
  }
}

/** A change of one row matched several rows; nothing was changed. */
export class MultipleRowsError extends SqlError<"MULTIPLE_ROWS"> {
  readonly table: string;
  /** The position of the record in a batch, from 0. */
  readonly index: number | undefined;

  constructor(table: string, index?: number) {
    const message = `several rows of ${quoted(table)} match, and no row was changed: use execMany to change all of them`;
    super("MULTIPLE_ROWS", ofRecord(index, message));
    this.table = table;
    this.index = index;
  }
}

/** A change of a row that is there in another version than the one that was read; nothing was changed. */
export class StaleVersionError extends SqlError<"STALE_VERSION"> {
  readonly table: string;
  /** The position of the record in a batch, from 0. */
  readonly index: number | undefined;

  constructor(table: string, index?: number) {
    const message = `the row of ${quoted(table)} was changed since its version was read: read it again`;
    super("STALE_VERSION", ofRecord(index, message));
    this.table = table;
    this.index = index;
  }
}

/** A value from the database that does not fit the schema. */
export class DecodeError extends SqlError<"DECODE_FAILED"> {
  readonly table: string;
  readonly field: string;
  readonly kind: string;

  constructor(table: string, field: string, kind: string, options?: ErrorOptions) {
    super(
      "DECODE_FAILED",
      `field ${quoted(field)}${table === "" ? "" : ` of ${quoted(table)}`} does not hold ${visible(kind)}`,
      options,
    );
    this.table = table;
    this.field = field;
    this.kind = kind;
  }
}

/** A lifecycle callback failed; the error that it threw is the `cause`. The call was rolled back. */
export class CallbackError extends SqlError<"CALLBACK_FAILED"> {
  readonly table: string;
  /** The position of the record in a batch, from 0. */
  readonly index: number | undefined;
  /** The path to the record in that of a nested insert: `lines[2]`. */
  readonly path: string | undefined;

  constructor(table: string, index: number | undefined, options: ErrorOptions, path?: string) {
    const at = [
      ...(index === undefined ? [] : [`record ${counted(index)}`]),
      ...(path === undefined || path === "" ? [] : [visible(path)]),
    ];
    const where = at.length === 0 ? "" : ` on ${at.join(", ")}`;
    super("CALLBACK_FAILED", `a callback of the repository of ${quoted(table)} failed${where}`, options);
    this.table = table;
    this.index = index;
    this.path = path === undefined ? undefined : visible(path);
  }
}

/** A constraint of the database was violated. */
export class ConstraintError extends SqlError<ConstraintErrorCode> {
  /** The constraint's name, if the server reports it. */
  readonly constraint: string | undefined;
  /** The properties that the constraint covers, if known. */
  readonly fields: readonly string[];
  /** The position of the record in a batch, from 0, if it is known. */
  readonly index: number | undefined;

  constructor(
    code: ConstraintErrorCode,
    message: string,
    facts: {
      readonly constraint?: string | undefined;
      readonly fields?: readonly string[];
      readonly index?: number | undefined;
    },
    options?: ErrorOptions,
  ) {
    const { constraint, fields = [], index } = isReadable(facts) ? facts : {};
    super(code, ofRecord(index, message), options);
    this.constraint = constraint;
    this.fields = Object.freeze(Array.isArray(fields) ? [...fields] : []);
    this.index = index;
  }

  /** The same error with the position of the record in a batch. */
  at(index: number): ConstraintError {
    const { constraint, fields } = this;
    return new ConstraintError(this.code, this.message, { constraint, fields, index }, causeOf(this));
  }
}

/** An error of the server, the connection or the transaction; `cause` is the driver's error. */
export class QueryError extends SqlError<QueryErrorCode> {
  /** The position of the record in a batch, from 0, if it is known. */
  readonly index: number | undefined;

  constructor(code: QueryErrorCode, message: string, options?: ErrorOptions, index?: number) {
    super(code, ofRecord(index, message), options);
    this.index = index;
  }

  /** The same error with the position of the record in a batch. */
  at(index: number): QueryError {
    return new QueryError(this.code, this.message, causeOf(this), index);
  }
}

function ofRecord(index: number | undefined, message: string): string {
  return index === undefined ? message : `record ${counted(index)}: ${bounded(message)}`;
}

function causeOf(error: Error): ErrorOptions {
  return error.cause === undefined ? {} : { cause: error.cause };
}
