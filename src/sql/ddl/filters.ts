/** Checks the filters of a table by the words of a dialect, before any statement holds them. */
import { quoted } from "../../core/errors.js";
import type { AnyTable } from "../declare/declaration.js";
import type { Grammar } from "../dialect/grammar/grammar.js";
import { writeJoined } from "../render/expression.js";
import { startWriting } from "../render/start.js";
import { resolveFilter } from "../resolve/visible.js";
import { DeclarationError, isSqlError, UnsupportedError } from "../words/errors.js";

/**
 * @throws {DeclarationError} for a filter with an operator or a value that its columns do not take. What only this dialect
 * lacks is left to the statements: `without` may leave the filter out.
 */
export function checkFilters(table: AnyTable, grammar: Grammar): void {
  for (const name of table.rules?.declared.keys() ?? []) {
    try {
      const writer = startWriting({ table }, grammar);
      writeJoined(writer, resolveFilter(table, name, grammar), " AND ");
      // A constant knows its value.
      for (const { binders } of writer.finish().slots) for (const make of binders) make()(undefined);
    } catch (error) {
      if (!isSqlError(error)) throw error;
      if (error instanceof UnsupportedError) continue;
      const message = `filter ${quoted(name)} of table ${quoted(table.name)} cannot work: ${error.message}`;
      throw new DeclarationError(message);
    }
  }
}
