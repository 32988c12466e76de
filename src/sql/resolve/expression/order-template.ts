/** A term of an order as a template that includes the position of NULLs. */
import type { Direction } from "../../dialect/grammar/grammar.js";
import type { Resolution } from "../scope/resolution.js";

/** The position of NULLs in a term. NULL is the greatest value, unless the term says otherwise. */
export function nullsIn(direction: Direction, nulls: "first" | "last" | undefined): "first" | "last" {
  return nulls ?? (direction === "desc" ? "first" : "last");
}

/**
 * The template of a term.
 * @param nulls the position of NULLs; by default NULL is the greatest value.
 * @param nullable if false, the template does not mention NULLs.
 */
export function orderTemplate(
  direction: Direction,
  nulls: "first" | "last" | undefined,
  nullable: boolean,
  { grammar }: Resolution,
): string {
  return grammar.orderTerm("{f}", direction, nullable ? nullsIn(direction, nulls) : undefined);
}

/** Whether the template of a term has its operand alone, not inside an expression. */
export function isNameAlone(template: string): boolean {
  return template.lastIndexOf("{f}") === 0;
}
