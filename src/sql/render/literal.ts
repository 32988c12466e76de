/** Writes conditions whose values stand in the text: that of an index takes no parameters. */
import type { AnyTable } from "../declare/declaration.js";
import type { Grammar } from "../dialect/grammar/grammar.js";
import type { ParameterPlace, ResolvedCondition } from "../resolve/scope/resolved.js";
import { UnsupportedError } from "../words/errors.js";
import { writeJoined } from "./expression.js";
import { startWriting } from "./start.js";

/**
 * The text of conditions, joined by AND.
 * @throws {UnsupportedError} for a list, and for bytes.
 */
export function conditionText(
  table: AnyTable,
  conditions: readonly ResolvedCondition[],
  grammar: Grammar,
): string {
  const writer = startWriting({ table }, grammar);
  writer.carry = (parameter) => literalOf(parameter, grammar);
  writeJoined(writer, conditions, " AND ");
  if (writer.places > 0) throw refused(grammar, "a list");
  return writer.finish().rendered.native.sql;
}

function literalOf({ binder }: ParameterPlace, grammar: Grammar): string {
  // A constant knows its value.
  const value = binder()(undefined);
  switch (typeof value) {
    case "number":
    case "bigint":
      return String(value);
    case "boolean":
      return grammar.ddl.flag(value);
    case "string":
      return grammar.ddl.text(value);
    default:
      throw refused(grammar, "bytes");
  }
}

function refused({ dialect }: Grammar, what: string): UnsupportedError {
  return new UnsupportedError(
    dialect,
    `an index of the rows that a filter by ${what} leaves`,
    "give the index its own where",
  );
}
