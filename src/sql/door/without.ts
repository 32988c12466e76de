/** Reads the names of rules that a repository leaves out. */
import { describeType, isList, listed, quoted } from "../../core/errors.js";
import type { AnyTable } from "../declare/declaration.js";
import { BuildError } from "../words/errors.js";
import { ruleNames } from "../words/rules.js";

/**
 * The rules to leave out.
 * @throws {BuildError} `INVALID_FIELD` for a name that no rule of the table has.
 */
export function readNames(names: unknown, table: AnyTable): readonly string[] {
  const refuse = (message: string) => {
    throw new BuildError([{ code: "INVALID_FIELD", message, path: "without" }]);
  };
  const known = [...ruleNames(table), ...(table.rules?.left ?? [])];
  const all = known.length === 0 ? "which has none" : `rules: ${listed(known)}`;
  if (!isList(names) || names.length === 0)
    refuse(`without takes the names of rules of table ${quoted(table.name)}; ${all}`);
  return (names as readonly unknown[]).map((name) => {
    if (typeof name === "string" && known.includes(name)) return name;
    const what = typeof name === "string" ? quoted(name) : describeType(name);
    return refuse(`unknown rule ${what} of table ${quoted(table.name)}; ${all}`) as never;
  });
}
