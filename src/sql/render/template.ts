/** Writes the templates of a grammar: text with places for a field and parameters. */
import type { Writer } from "./writer.js";

/**
 * Writes a template of the grammar.
 * @param field writes what stands for `{f}`.
 * @param params write what stands for `{0}`, `{1}`.
 */
export function writeTemplate(
  writer: Writer,
  template: string,
  field: () => void,
  params: readonly (() => void)[] = [],
): void {
  for (const [i, part] of partsOf(template).entries()) {
    // Text and places take turns.
    if (i % 2 === 0) writer.sql(part);
    else if (part === "f") field();
    else params[Number(part)]?.();
  }
}

const templates = new Map<string, readonly string[]>();

function partsOf(template: string): readonly string[] {
  const kept = templates.get(template) ?? template.split(/\{(f|\d)\}/);
  templates.set(template, kept);
  return kept;
}
