/** The names that callers give inside one statement: to parameters, expressions, joined tables. */
import { quoted } from "../../core/errors.js";

/** The form of such a name. */
export const NAME: RegExp = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;

/** Whether it can name a part of a row, or of a query. */
export function isName(name: unknown): name is string {
  return typeof name === "string" && NAME.test(name) && name !== "__proto__";
}

/** The message for a value that is not such a name. */
export function notName(name: unknown, what: string): string {
  return `${quoted(name)} cannot name ${what}: letters, digits and _, at most 63`;
}

/** Stands for the name of a field where a value is that of an expression without a name. */
export const EXPRESSION = "its value";

/** A field in a message, or the expression without a name. */
export function fieldOrExpression(property: string): string {
  return property === EXPRESSION ? "the expression" : `field ${quoted(property)}`;
}
