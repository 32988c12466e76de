/** The names of joined tables, and of queries whose rows a condition connects with those of the statement. */
import { quoted } from "../../../core/errors.js";
import { isName, notName } from "../../words/names.js";
import type { Resolution } from "../scope/resolution.js";

/**
 * Whether a table may have a name in addition to those of a statement; adds a problem if not.
 * @param what what is named, as errors say it.
 */
export function mayName(
  name: unknown,
  what: "a joined table" | "a query",
  path: string,
  resolution: Resolution,
): name is string {
  const { own, joined } = resolution.scope;
  const refuse = (message: string) => {
    resolution.add("INVALID_ALIAS", message, `${path}.as`);
    resolution.refuseName(name);
    return false;
  };
  if (!isName(name)) return refuse(notName(name, "a table"));
  // A row has its own fields and the joined parts, and some servers ignore the case of names.
  const same = (other: string) => other.toLowerCase() === name.toLowerCase();
  for (const field of own.fields.keys())
    if (same(field) || field.startsWith(`${name}.`))
      return refuse(`${what} cannot be named ${quoted(name)}: a field has that name; give it another`);
  if (![...joined.keys()].some(same)) return true;
  return refuse(
    what === "a query"
      ? `a query cannot be named ${quoted(name)}: a joined table has that name; give it another`
      : `two joined tables are named ${quoted(name)}`,
  );
}
