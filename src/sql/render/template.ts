/** Parses the templates of a grammar: text with places for operands and parameters. */

/**
 * The parts of a template: text at the even indexes, and places at the odd ones: `f` for the operands, or the
 * number of a parameter.
 */
export function templateParts(template: string): readonly string[] {
  let parts = templates.get(template);
  if (parts === undefined) {
    parts = template.split(/\{(f|\d)\}/);
    templates.set(template, parts);
  }
  return parts;
}

const templates = new Map<string, readonly string[]>();
