/**
 * Binders of a text's parameters as one generated function. A `switch` distinguishes the names of a call, and each
 * placeholder has its own code that calls its binder. Checking and binding the values of a kept builder takes half the
 * time of a loop over the placeholders (`npm run bench`).
 */
import { generated, literal, mayGenerate } from "../../schema/compiled/generate.js";
import type { GivenConstant } from "../words/rendered.js";
import type { Binder } from "./binder.js";

/** A placeholder: the name of its parameter, its encoder, and its other checks. */
export interface BoundPlace {
  readonly name: string;
  /** The position of its constant among those of the builder, if it is one of these. */
  readonly hole?: number | undefined;
  /** Whether it is a constant: no call gives it. */
  readonly isConstant?: boolean;
  readonly bind: Binder;
  /** The binders of the other uses of the placeholder, which encode the same value. */
  readonly checks: readonly Binder[] | undefined;
}

/** The values of the placeholders; undefined if a name is missing or unknown, which other code reports. */
export type BindAll = (
  params: Readonly<Record<string, unknown>>,
  constants?: readonly GivenConstant[],
) => unknown[] | undefined;

/** A text with fewer calls does not justify its own function. */
export const MANY_CALLS = 64;

/** Longer code takes longer to compile than it saves. */
const MOST_PLACES = 100;

/**
 * Binds calls that give each parameter and nothing else.
 * @returns undefined where no code may be generated, or where a loop serves better.
 * @throws {ParameterError} as the binders do, in the order of the placeholders.
 */
export function generatedBind(places: readonly BoundPlace[]): BindAll | undefined {
  if (places.length === 0 || places.length > MOST_PLACES || !mayGenerate()) return undefined;
  const names = [...new Set(places.flatMap(({ name, isConstant }) => (isConstant === true ? [] : [name])))];
  const held = new Map<string, unknown>([["hasOwn", Object.hasOwn]]);
  const cases = names.map((name, i) => `case ${literal(name)}: v${i} = params[name]; break;`);
  const binds = places.flatMap(({ name, hole, isConstant, bind, checks = [] }, i) => {
    held.set(`bind${i}`, bind);
    const constant = hole === undefined ? "undefined" : `constants[${hole}].value`;
    const value = isConstant === true ? constant : `v${names.indexOf(name)}`;
    return [
      `const b${i} = bind${i}(${value});`,
      ...checks.map((check, j) => {
        held.set(`check${i}_${j}`, check);
        return `check${i}_${j}(${value});`;
      }),
    ];
  });
  const variables = ["given = 0", ...names.map((_, i) => `v${i}`)].join(", ");
  const body = `return (params, constants) => {
  let ${variables};
  for (const name in params) {
    if (!hasOwn(params, name)) return undefined;
    switch (name) {
      ${cases.join("\n      ")}
      default: return undefined;
    }
    given++;
  }
  if (given !== ${names.length}${names.map((_, i) => ` || v${i} === undefined`).join("")}) return undefined;
  ${binds.join("\n  ")}
  return [${places.map((_, i) => `b${i}`).join(", ")}];
};`;
  // The body returns a function of parameters.
  return generated(held, body) as BindAll;
}
