/**
 * The effect of a type change on the values of a MariaDB column. The server converts any value to any type: a date to
 * the number of its digits, a number to the enum member at that position, a boolean to "1". Conversions for which
 * PostgreSQL has no cast are refused; if only some values have a counterpart, the rows are checked first.
 */
import type { ColumnInfo } from "../../../declare/declaration.js";
import type { ColumnChange } from "../../diff/compare.js";
import type { CatalogColumn } from "../../words/catalog.js";
import { CONVERT_BY_HAND } from "../type-refusal.js";

/** How the values are converted. */
type Conversion =
  | { readonly refused: string }
  /** The condition that each value must meet first, if there is one; `column` is quoted. */
  | { readonly condition: ((column: string) => string) | undefined };

type Family =
  | "whole numbers"
  | "booleans"
  | "doubles"
  | "decimals"
  | "text"
  | "members"
  | "dates"
  | "bytes"
  | "JSON"
  | "lists"
  | "other values";

/** The server's conversion of the values of a column. */
export function conversionOf({ actual, declared }: ColumnChange, info: ColumnInfo | undefined): Conversion {
  const from = familyOf(actual);
  const to = declaredFamily(declared, info);
  if (from === to || from === "other values" || to === "other values") return { condition: undefined };
  if (!CASTS[from].includes(to))
    return { refused: `the server makes ${to} of ${from} that mean something else: ${CONVERT_BY_HAND}` };
  return { condition: conditionOf(from, to, declared) };
}

const FAMILIES: readonly (readonly [RegExp, Family])[] = [
  [/^tinyint\(1\)/, "booleans"],
  [/^(?:tinyint|smallint|mediumint|int|bigint|year)\b/, "whole numbers"],
  [/^(?:float|double)\b/, "doubles"],
  [/^decimal\b/, "decimals"],
  [/^(?:enum|set)\b/, "members"],
  [/^(?:char|varchar|tinytext|text|mediumtext|longtext|uuid)\b/, "text"],
  [/^(?:datetime|timestamp|date)\b/, "dates"],
  [/^(?:binary|varbinary|tinyblob|blob|mediumblob|longblob)\b/, "bytes"],
];

function familyOf({ type }: CatalogColumn): Family {
  return FAMILIES.find(([pattern]) => pattern.test(type))?.[1] ?? "other values";
}

function declaredFamily(column: CatalogColumn, info: ColumnInfo | undefined): Family {
  switch (info?.storage?.kind) {
    case "boolean":
      return "booleans";
    case "json":
      return "JSON";
    case "array":
      return "lists";
    default:
      return familyOf(column);
  }
}

const NUMBERS: readonly Family[] = ["whole numbers", "doubles", "decimals"];

const CASTS: Readonly<Record<Exclude<Family, "other values">, readonly Family[]>> = {
  "whole numbers": [...NUMBERS, "text", "booleans"],
  booleans: NUMBERS,
  doubles: [...NUMBERS, "text"],
  decimals: [...NUMBERS, "text"],
  text: [...NUMBERS, "booleans", "members", "dates", "JSON", "lists"],
  members: ["text"],
  dates: ["text"],
  bytes: [],
  JSON: [],
  lists: [],
};

function conditionOf(
  from: Family,
  to: Family,
  { type }: CatalogColumn,
): ((column: string) => string) | undefined {
  switch (to) {
    case "booleans":
      return (column) => `${column} IN ${from === "text" ? "('0', '1')" : "(0, 1)"}`;
    // A text of digits would be taken for the number of a member.
    case "members":
      return type.startsWith("enum") ? (column) => `${column} IN ${type.slice("enum".length)}` : undefined;
    case "JSON":
      return (column) => `json_valid(${column})`;
    case "lists":
      return (column) => `json_type(${column}) = 'ARRAY'`;
    default:
      return undefined;
  }
}
