/** How a term of an order is written, as a template: where NULLs go is settled here. */
import type { Direction } from "../dialect/grammar.js";
import type { Resolution } from "./resolution.js";

/**
 * The template of a term.
 * @param nulls where NULLs go; where nothing is said, NULL is the greatest value.
 * @param nullable where no NULL can be, nothing is said about it.
 */
export function orderTemplate(
  direction: Direction,
  nulls: "first" | "last" | undefined,
  nullable: boolean,
  { grammar }: Resolution,
): string {
  const wanted = nulls ?? (direction === "desc" ? "first" : "last");
  return grammar.orderTerm("{f}", direction, nullable ? wanted : undefined);
}

/** Whether the template of a term has its operand by itself, and in no expression. */
export function isNameAlone(template: string): boolean {
  return template.lastIndexOf("{f}") === 0;
}
