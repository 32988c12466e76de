/**
 * Errors of `rowtype` as errors of `rowtype/http`. It recognises them by their mark and their code, and loads nothing
 * of the SQL half.
 */
import { type CodedError, familyOf } from "../../core/errors.js";
import {
  Conflict,
  NotFound,
  PreconditionFailed,
  UnprocessableEntity,
  ValidationFailed,
} from "../contract/errors.js";

/** The errors that {@link mapSqlErrors} returns. */
type MappedSqlError =
  | typeof Conflict
  | typeof UnprocessableEntity
  | typeof NotFound
  | typeof PreconditionFailed
  | typeof ValidationFailed;

/**
 * Maps an error of the database for a client: a unique key that is taken is a `Conflict`, any other violated constraint
 * an `UnprocessableEntity`, a missing row a `NotFound`, a row that was changed since its version was read a
 * `PreconditionFailed` where the handler declares that, else a `Conflict`. All other errors stay failures, and so do these on handlers
 * that do not declare them. `details.reason` names properties, never values, constraints or columns. A value that a
 * parameter cannot hold, for example a cursor of other pages, is a `ValidationFailed` that names the parameter, on
 * every handler that has parameters or a body.
 * @example
 * import { createEngine } from "rowtype/http";
 * import { mapSqlErrors } from "rowtype/http/sql";
 * const api = createEngine().withErrorMapper(mapSqlErrors);
 */
export function mapSqlErrors(error: unknown): MappedSqlError | readonly MappedSqlError[] | undefined {
  if (familyOf(error) !== "sql") return undefined;
  // Every error of a family has a code; constraints have fields, and parameters a name.
  const { code, fields, param } = error as CodedError & Facts;
  switch (code) {
    case "UNIQUE_VIOLATION":
      return withReason(Conflict, fields, "is taken");
    case "FOREIGN_KEY_VIOLATION":
      return withReason(UnprocessableEntity, fields, "breaks a reference");
    case "CHECK_VIOLATION":
      return withReason(UnprocessableEntity, fields, "is not allowed");
    case "NOT_NULL_VIOLATION":
      return withReason(UnprocessableEntity, fields, "is required");
    case "NO_ROWS":
      return NotFound;
    case "STALE_VERSION":
      return [PreconditionFailed, Conflict].map((one) =>
        one.withDetails({ reason: "was changed since it was read" }),
      );
    case "PARAM_TYPE":
      return typeof param === "string" ? notTaken(param) : undefined;
    default:
      return undefined;
  }
}

interface Facts {
  readonly fields?: unknown;
  readonly param?: unknown;
}

function notTaken(param: string): typeof ValidationFailed {
  return ValidationFailed.withDetails({
    fields: [{ field: param, message: "not a value that is taken here" }],
  });
}

function withReason(
  error: typeof Conflict | typeof UnprocessableEntity,
  fields: unknown,
  reason: string,
): MappedSqlError {
  if (!Array.isArray(fields) || fields.length === 0) return error;
  return error.withDetails({ reason: `${fields.join(", ")} ${reason}` });
}
