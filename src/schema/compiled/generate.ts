/**
 * The only place where text becomes code. Generated code consists of texts of this package, of values passed in under a
 * name, and of literals. It contains nothing else of a declaration.
 */
import * as zod from "zod/v4/core";

/** Whether code may be generated: not if a policy or the application forbids it. */
export function mayGenerate(): boolean {
  // Zod asks the runtime once: a browser reports at most one violation of its policy.
  return zod.globalConfig.jitless !== true && zod.util.allowsEval.value;
}

/**
 * Runs a function body in which each value has its name. The caller makes the names from letters and digits.
 * @returns the value that the body returns.
 */
export function generated(values: ReadonlyMap<string, unknown>, body: string): unknown {
  return new Function(...values.keys(), `"use strict";\n${body}`)(...values.values());
}

/** A text as a literal of JavaScript, on one line. */
export function literal(text: string): string {
  // Lone surrogates are escaped too.
  return JSON.stringify(text).replace(LINE_ENDS, (one) => (one === "\u2028" ? "\\u2028" : "\\u2029"));
}

const LINE_ENDS = /[\u2028\u2029]/g;
