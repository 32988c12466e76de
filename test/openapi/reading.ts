import type { fromJSON, OpenAPI, OpenAPIParseError } from "../../src/openapi/index.js";

/** Reads a text to its end: the description, and the problems that `onProblem` is called with. */
export function reading(
  read: typeof fromJSON,
  text: string,
): { readonly doc: OpenAPI; readonly problems: readonly OpenAPIParseError[] } {
  const problems: OpenAPIParseError[] = [];
  const doc = read(text, { onProblem: (problem) => void problems.push(problem) });
  return { doc, problems };
}
