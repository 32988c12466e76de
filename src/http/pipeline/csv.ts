/** Rows as lines of CSV (RFC 4180): the columns of a layout, each cell quoted where it must be. */
import { describeType } from "../../core/errors.js";
import { isZod4, peel } from "../../schema/inspect.js";
import { readerOf } from "../../schema/reader/reader-of.js";
import type { AnySchema } from "../../schema/schema-reader.js";
import type { CsvLayout } from "../contract/kind.js";
import { outputText } from "./output-text.js";
import type { RowFormat } from "./row-chunks.js";

/** The end of a line. */
const END = "\r\n";
/** What a spreadsheet takes for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** How rows are written as CSV. */
export function csvFormat(layout: CsvLayout, row: AnySchema): RowFormat {
  const { columns, delimiter, hasHeader, escapesFormulas } = layout;
  const numeric = numericColumns(row);
  const mustQuote = new RegExp(`["\r\n${delimiter.replace(/[\]\\^-]/, "\\$&")}]`);
  const quoted = (text: string) =>
    text === "" || mustQuote.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const cellOf = (value: unknown, isNumber: boolean): string => {
    const text = typeof value === "string" ? value : textOf(value);
    if (text === undefined) return "";
    const isText = typeof value !== "number" && typeof value !== "boolean" && !isNumber;
    return quoted(isText && escapesFormulas && FORMULA.test(text) ? `'${text}` : text);
  };
  return {
    start: hasHeader ? columns.map(quoted).join(delimiter) + END : "",
    end: "",
    text: (encoded, given) => {
      if (typeof encoded !== "object" || encoded === null)
        throw new TypeError(`a row of CSV is an object, not ${describeType(encoded)}`);
      const cells = columns.map((name) =>
        cellOf(Reflect.get(encoded, name), numeric.has(name) || typeof member(given, name) === "bigint"),
      );
      return cells.join(delimiter) + END;
    },
  };
}

/** The text of a value that is no text; `undefined` for nothing. @throws for a number that CSV cannot say either */
function textOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  const json = outputText(value, true);
  if (json === undefined || json === "null") return undefined;
  // A value whose JSON form is text, as that of a date is.
  return json.startsWith('"') ? String(JSON.parse(json)) : json;
}

/** Exact decimals are numbers, although their values are texts. */
function numericColumns(row: AnySchema): ReadonlySet<string> {
  const fields = Object.entries(readerOf(row).fields() ?? {});
  return new Set(fields.filter(([, schema]) => isDecimal(schema)).map(([name]) => name));
}

function isDecimal(schema: unknown): boolean {
  if (!isZod4(schema)) return false;
  const { def } = peel(schema).inner._zod;
  return "format" in def && def.format === "decimal";
}

function member(row: unknown, name: string): unknown {
  return typeof row === "object" && row !== null ? Reflect.get(row, name) : undefined;
}
