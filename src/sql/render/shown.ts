/** A plan as `render` shows it. */
import type { Grammar } from "../dialect/grammar/grammar.js";
import type { Rendered } from "../words/rendered.js";
import type { Plan } from "./plan.js";

/** The text of a plan, with the setting that it is sent with where rows stand inside of its rows. */
export function shownText({ rendered, nests }: Plan, { allowingLongText }: Grammar): Rendered {
  if (nests !== true || allowingLongText === undefined) return rendered;
  const { sql, native } = rendered;
  return {
    ...rendered,
    sql: allowingLongText(sql),
    native: { ...native, sql: allowingLongText(native.sql) },
  };
}
