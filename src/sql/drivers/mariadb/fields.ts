/**
 * The values that mysql2 decodes by the settings of its connection, although rowtype needs them unchanged: JSON as
 * text, decimals with all digits. A cast function overrides every setting. But the driver then describes the column to
 * it for every value, which costs ten times the rest of a row. Therefore it is used only when needed.
 */

/** A field of a row, as rowtype needs it. */
export interface MariadbField {
  readonly type: string;
  string(): string | null;
}

/** The settings of a connection that decide how values are decoded. */
export interface ReadingConfig {
  readonly decimalNumbers?: unknown;
  readonly typeCast?: unknown;
}

/** Whether the columns of a result must be read by {@link asText}. */
export function needCast(fields: readonly unknown[], config: ReadingConfig | undefined): boolean {
  // Otherwise the driver would call the pool's own function.
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
  /** MariaDB's details of a text type. */
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

/** Reads exact decimals, times and JSON as text, regardless of the settings of the pool. */
export function asText(
  field: MariadbField & { readonly extendedFormat?: string },
  next: () => unknown,
): unknown {
  return textual.has(field.type) || field.extendedFormat === "json" ? field.string() : next();
}
