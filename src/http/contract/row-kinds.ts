/** The kinds that are rows: answers of lines of JSON, CSV, or what the request asks for, and bodies of lines of JSON. */
import { DeclarationError } from "../../core/errors.js";
import { isZod4 } from "../../schema/inspect.js";
import { readerOf } from "../../schema/reader/reader-of.js";
import type { AnySchema } from "../../schema/schema-reader.js";
import { isSchema } from "./any-schema.js";
import { known, type OptionNames } from "./configured.js";
import {
  type AnswerKind,
  type BodyKind,
  type CsvLayout,
  isKind,
  kindInside,
  kindOf,
  misplaced,
} from "./kind.js";
import type { OutputOf, SchemaLike } from "./schema-types.js";
import type { WireInput, WireOutput } from "./wire-types.js";

/** Rows that an answer sends, as they come: a list, a generator, the stream of a query. */
export type GivenRows<Row> = Iterable<Row> | AsyncIterable<Row>;

/** Rows that a client sends. */
export type SentRows<Row> = Iterable<Row> | AsyncIterable<Row>;

/** Lines of JSON, as an answer or as a body. */
export interface LinesKind<S>
  extends AnswerKind<GivenRows<OutputOf<S>>, AsyncIterable<WireOutput<S>>>,
    BodyKind<AsyncIterable<OutputOf<S>>, SentRows<WireInput<S>>> {}

/** How CSV is written. */
export interface CsvOptions {
  /** Separates the cells; one character, default `,`. */
  readonly delimiter?: string | undefined;
  /** Whether the first line holds the names of the columns; default `true`. */
  readonly header?: boolean | undefined;
  /**
   * `escape`, the default, puts a `'` before text that a spreadsheet would take for a formula; `keep` writes it as it
   * is, for readers that are programs.
   */
  readonly formulas?: "escape" | "keep" | undefined;
}

const OPTIONS: OptionNames<CsvOptions> = { delimiter: true, header: true, formulas: true };

/** A schema of an object, which knows its keys. */
type ObjectLike = SchemaLike & { readonly shape: unknown };

/**
 * Rows as lines of JSON (NDJSON). Those of an answer are written as outputs are. Those of a body are decoded and
 * validated as the function reads them: a bad one ends the iteration with the error that is the answer.
 * @throws DeclarationError for what is no schema
 * @example
 * import { GET, ndjson } from "rowtype/http";
 * const all = GET("/people.ndjson", { output: ndjson(Person.schema) }, ({ signal }) => people.query().stream({}, { signal }));
 */
export function ndjson<S extends SchemaLike>(row: S): LinesKind<S> {
  return kindOf({ name: "ndjson", types: [NDJSON], row: rowOf("ndjson", row) });
}

/**
 * Rows as CSV (RFC 4180, UTF-8). The columns are the keys of the object, in their order.
 * @throws DeclarationError for what is no object of known keys
 */
export function csv<S extends ObjectLike>(
  row: S,
  options: CsvOptions = {},
): AnswerKind<GivenRows<OutputOf<S>>, string> {
  const schema = rowOf("csv", row);
  return kindOf({
    name: "csv",
    types: [CSV],
    row: schema,
    csv: layoutOf("csv", schema, known(options, OPTIONS, "csv")),
  });
}

/**
 * Rows in the form that the request's `Accept` asks for: a list of JSON, NDJSON or CSV.
 * @throws DeclarationError for what is no object of known keys
 */
export function rows<S extends ObjectLike>(row: S): AnswerKind<GivenRows<OutputOf<S>>, WireOutput<S>[]> {
  const schema = rowOf("rows", row);
  return kindOf({
    name: "rows",
    types: [JSON_LIST, NDJSON, CSV],
    row: schema,
    csv: layoutOf("rows", schema, {}),
  });
}

const JSON_LIST = "application/json";
const NDJSON = "application/x-ndjson";
const CSV = "text/csv";

function rowOf(of: string, given: unknown): AnySchema {
  if (isKind(given)) throw new DeclarationError(misplaced(given, `inside ${of}()`));
  if (!isSchema(given)) throw new DeclarationError(`${of}() takes the Zod schema of a row`);
  const inside = kindInside(given);
  if (inside !== undefined) throw new DeclarationError(misplaced(inside, `inside ${of}()`));
  return given;
}

function layoutOf(of: string, row: AnySchema, options: CsvOptions): CsvLayout {
  const reader = readerOf(row);
  const columns = Object.keys(reader.fields() ?? {});
  if (columns.length === 0 || isOpen(row))
    throw new DeclarationError(
      `${of}() takes the schema of an object whose keys are known: they are the columns`,
    );
  const { delimiter = ",", header = true, formulas = "escape" } = options;
  if (typeof delimiter !== "string" || !/^[^"\r\n]$/u.test(delimiter))
    throw new DeclarationError(`${of}(): the delimiter is one character, no quote and no end of a line`);
  if (typeof header !== "boolean") throw new DeclarationError(`${of}(): header is true or false`);
  if (formulas !== "escape" && formulas !== "keep")
    throw new DeclarationError(`${of}(): formulas is "escape" or "keep"`);
  return Object.freeze({ columns, delimiter, hasHeader: header, escapesFormulas: formulas === "escape" });
}

/** Whether an object may have keys that it does not declare, which would be no columns. */
function isOpen(row: AnySchema): boolean {
  if (!isZod4(row) || !("catchall" in row._zod.def)) return readerOf(row).others() === "read";
  const { catchall } = row._zod.def;
  return isZod4(catchall) && catchall._zod.def.type !== "never";
}
