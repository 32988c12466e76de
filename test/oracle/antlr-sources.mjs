// A resolve hook of Node: `antlr4` is taken from the sources in its package, not from the code that it exports.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const exported = pathToFileURL(createRequire(import.meta.url).resolve("antlr4"));
export const source = new URL("../src/antlr4/index.node.js", exported).href;

export async function resolve(specifier, context, next) {
  return specifier === "antlr4" ? { url: source, shortCircuit: true } : next(specifier, context);
}
