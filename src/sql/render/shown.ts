/** A plan in the form that `render` shows. */
import type { Grammar } from "../dialect/grammar/grammar.js";
import type { Rendered } from "../words/rendered.js";
import type { Plan } from "./plan.js";

/** The text of a plan, with the setting that is sent with it if its rows contain nested rows. */
export function shownText({ rendered, nests }: Plan, { allowingLongText }: Grammar): Rendered {
  if (nests !== true || allowingLongText === undefined) return rendered;
  const { sql, native } = rendered;
  return {
    ...rendered,
    sql: allowingLongText(sql),
    native: { ...native, sql: allowingLongText(native.sql) },
  };
}
