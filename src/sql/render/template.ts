/** Reads the templates of a grammar: text with places for operands and parameters. */

/**
 * The parts of a template: text at the even places, and at the odd ones what stands there, `f` for the operands or
 * the number of a parameter.
 */
export function partsOf(template: string): readonly string[] {
  let parts = templates.get(template);
  if (parts === undefined) {
    parts = template.split(/\{(f|\d)\}/);
    templates.set(template, parts);
  }
  return parts;
}

const templates = new Map<string, readonly string[]>();
