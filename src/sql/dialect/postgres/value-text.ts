/** Encoded values as PostgreSQL reads them from a text: bytes as digits, a list in braces. */
import { hexOf } from "../grammar/records.js";

/** The text of a value that is not null. */
export function textOf(value: unknown): string {
  if (value instanceof Uint8Array) return `\\x${hexOf(value)}`;
  return Array.isArray(value) ? listText(value) : String(value);
}

// Lists in a list are its dimensions.
function listText(list: readonly unknown[]): string {
  return `{${list.map(itemText).join(",")}}`;
}

function itemText(item: unknown): string {
  if (item === null || item === undefined) return "NULL";
  if (Array.isArray(item)) return listText(item);
  return `"${textOf(item).replace(/[\\"]/g, "\\$&")}"`;
}
