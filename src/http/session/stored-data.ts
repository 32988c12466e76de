/** The application's data about its user, in their stored form. Checked in both directions: a store is outside. */

import { DeclarationError, describeType, isList, readParts } from "../../core/errors.js";
import type { SessionData } from "./store.js";

/** A copy with only the fields of sessions, as JSON keeps them. @throws DeclarationError */
export function storedData(given: unknown): SessionData {
  const read = readParts(given);
  if (read === undefined) throw odd("the user", given);
  const { userId, tenantId, email, scopes, roles, meta }: Partial<Record<keyof SessionData, unknown>> = read;
  if (typeof userId !== "string" || userId === "") throw odd("userId", userId);
  if (meta !== undefined && (typeof meta !== "object" || meta === null)) throw odd("meta", meta);
  const data = {
    userId,
    tenantId: text(tenantId, "tenantId"),
    email: text(email, "email"),
    scopes: names(scopes, "scopes"),
    roles: names(roles, "roles"),
    meta,
  };
  try {
    return JSON.parse(JSON.stringify(data));
  } catch (cause) {
    // A bigint, a circle, a `toJSON` that throws.
    throw new DeclarationError("JSON cannot keep the meta of a session", { cause });
  }
}

function text(value: unknown, what: string): string | undefined {
  // A column that may be NULL returns null.
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") throw odd(what, value);
  return value;
}

function names(value: unknown, what: string): readonly string[] | undefined {
  if (value === undefined) return undefined;
  if (!isList(value) || !value.every((name) => typeof name === "string")) throw odd(what, value);
  return value;
}

function odd(what: string, value: unknown): DeclarationError {
  return new DeclarationError(`${what} of a session cannot be ${describeType(value)}`);
}
