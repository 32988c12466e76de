/**
 * The values that mysql2 reads by the settings of its connection, where rowtype wants them as they are: JSON as text,
 * decimals with every digit. A function that reads each value says so for all settings, and makes the driver describe
 * the column to it for every value, which costs ten times the rest of a row; so it is given only where it is needed.
 */

/** What rowtype asks of a field of a row. */
export interface MariadbField {
  readonly type: string;
  string(): string | null;
}

/** What of the configuration of a connection decides how values are read. */
export interface ReadingConfig {
  readonly decimalNumbers?: unknown;
  readonly typeCast?: unknown;
}

/** Whether the columns of a result have to be read by {@link asText}. */
export function needCast(fields: readonly unknown[], config: ReadingConfig | undefined): boolean {
  // A function of the pool's own would be called in place of none.
  if (config === undefined || typeof config.typeCast === "function") return true;
  const { decimalNumbers } = config;
  return fields.some((field) => {
    const { extendedFormat, columnType } = Object(field) as Column;
    return (
      extendedFormat === "json" ||
      columnType === JSON_TYPE ||
      (decimalNumbers === true && isDecimal(columnType))
    );
  });
}

interface Column {
  /** What MariaDB says of a text beyond its type. */
  readonly extendedFormat?: unknown;
  /** The number of its type in the protocol. */
  readonly columnType?: unknown;
}

const JSON_TYPE = 245;

function isDecimal(columnType: unknown): boolean {
  return columnType === 0 || columnType === 246;
}

const textual: ReadonlySet<string> = new Set([
  "DECIMAL",
  "NEWDECIMAL",
  "DATE",
  "NEWDATE",
  "DATETIME",
  "TIMESTAMP",
]);

/** Reads exact decimals, times and JSON as the text that they are, whatever the settings of the pool. */
export function asText(
  field: MariadbField & { readonly extendedFormat?: string },
  next: () => unknown,
): unknown {
  return textual.has(field.type) || field.extendedFormat === "json" ? field.string() : next();
}
