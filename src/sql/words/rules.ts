/** The rules of a table as data, for the rooms that only read declarations. */

/** What is asked of the rules of a table. */
interface RuleNames {
  readonly filters: ReadonlyMap<string, object>;
  readonly updated: string | undefined;
  readonly version: string | undefined;
  readonly deleted: string | undefined;
  readonly demandsVersion: boolean;
  readonly left: ReadonlySet<string>;
}

interface RuledTable {
  readonly rules?: RuleNames | undefined;
}

interface RuledColumn {
  readonly readOnly: boolean;
  readonly property: string;
  readonly auto?: string | undefined;
}

/** Whether the database or a rule of the table sets a column, so that no insert or update may give it. */
export function isReadOnly({ readOnly, property, auto }: RuledColumn, { rules }: RuledTable): boolean {
  return readOnly && (auto === undefined || auto === "version" || rules?.left.has(property) !== true);
}

/** Whether rules of a table are not in force, which no spec says. */
export function leavesRules({ rules }: RuledTable): boolean {
  return rules !== undefined && rules.left.size > 0;
}

/** The names of the rules that are in force. */
export function ruleNames({ rules }: RuledTable): readonly string[] {
  if (rules === undefined) return [];
  const { filters, updated, version, demandsVersion } = rules;
  const others = [updated, demandsVersion ? version : undefined].flatMap((one) => one ?? []);
  return [...new Set([...filters.keys(), ...others])];
}

/** Rules without some of them. A version still counts. */
export function lessRules<R extends RuleNames>(rules: R, names: ReadonlySet<string>): R {
  const kept = (one: string | undefined) => (one !== undefined && names.has(one) ? undefined : one);
  const filters = new Map([...rules.filters].filter(([name]) => !names.has(name)));
  return Object.freeze({
    ...rules,
    filters,
    updated: kept(rules.updated),
    deleted: kept(rules.deleted),
    demandsVersion: rules.demandsVersion && kept(rules.version) !== undefined,
    left: new Set([...rules.left, ...names]),
  });
}
