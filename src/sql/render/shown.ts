/** A plan in the form that `render` shows. */
import type { Grammar } from "../dialect/grammar/grammar.js";
import type { GivenConstant, Rendered } from "../words/rendered.js";
import type { Plan } from "./plan.js";

/**
 * The text of a plan, with the setting that is sent with it if its rows contain nested rows.
 * @param constants those of the builder.
 */
export function shownText(
  { rendered: own, holes, nests }: Plan,
  { allowingLongText }: Grammar,
  constants: readonly GivenConstant[],
): Rendered {
  const rendered =
    holes === undefined ? own : { ...own, constants: { ...own.constants, ...valuesAt(holes, constants) } };
  if (nests !== true || allowingLongText === undefined) return rendered;
  const { sql, native } = rendered;
  return {
    ...rendered,
    sql: allowingLongText(sql),
    native: { ...native, sql: allowingLongText(native.sql) },
  };
}

function valuesAt(
  holes: Readonly<Record<string, number>>,
  constants: readonly GivenConstant[],
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, hole] of Object.entries(holes)) values[name] = constants[hole]?.value;
  return values;
}
