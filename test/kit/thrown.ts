/** The error of a promise or a call that must fail. */
import { SqlError } from "rowtype";

/** The SqlError that a promise rejects with. Anything else fails the test. */
export async function sqlErrorOf(promise: Promise<unknown>): Promise<SqlError> {
  return asSqlError(
    await promise.then(
      () => undefined,
      (error: unknown) => error,
    ),
  );
}

/** The SqlError that a call throws. */
export function sqlErrorIn(call: () => unknown): SqlError {
  try {
    call();
  } catch (error) {
    return asSqlError(error);
  }
  return asSqlError(undefined);
}

function asSqlError(error: unknown): SqlError {
  if (error instanceof SqlError) return error;
  throw error ?? new Error("an SqlError was expected, and nothing was thrown");
}
