/** The names in a spec: those that its table declares, and those that are the client's own and could be others. */
import { Person } from "./people.js";

/** The names in the text that the table declares, and those that stand for a whole part of it. */
const declared = new Set(["people", "rows", "row", ...Object.values(Person.columns).map(({ name }) => name)]);

/** The names that a spec itself gives. */
export function aliasesIn(spec: unknown): string[] {
  if (typeof spec !== "object" || spec === null) return [];
  const own = "alias" in spec && typeof spec.alias === "string" ? [spec.alias] : [];
  return [...own, ...Object.values(spec).flatMap(aliasesIn)];
}

/** The names that may stand in the text of a spec. */
export function namesFor(spec: unknown): ReadonlySet<string> {
  return new Set([...declared, ...aliasesIn(spec)]);
}

const paramKeys = new Set(["param", "low_param", "high_param", "limit_param", "offset_param"]);

/** A spec of the same shape, in which every name that is the client's own is another one. */
export function renamed(
  spec: unknown,
  toParam: (name: string) => string,
  toAlias: (name: string) => string,
): unknown {
  const visit = (node: unknown, inSet: boolean): unknown => {
    if (Array.isArray(node)) return node.map((one) => visit(one, inSet));
    if (typeof node !== "object" || node === null) return node;
    const entries = Object.entries(node).map(([key, value]) => {
      if (typeof value !== "string") return [key, visit(value, key === "set" || key === "conflict_set")];
      const isField = Object.hasOwn(Person.columns, value);
      if (key === "alias") return [key, toAlias(value)];
      if (key === "field") return [key, isField || value === "*" ? value : toAlias(value)];
      if (paramKeys.has(key) || inSet) return [key, isField && inSet ? value : toParam(value)];
      return [key, value];
    });
    return Object.fromEntries(entries);
  };
  return visit(spec, false);
}

/** A spec with what it sets in the order of the columns, in which a schema gives it. */
export function sorted(spec: unknown): unknown {
  if (Array.isArray(spec)) return spec.map(sorted);
  if (typeof spec !== "object" || spec === null) return spec;
  const order = Object.keys(Person.columns);
  const entries = Object.entries(spec).map(([key, value]) => [key, sorted(value)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => order.indexOf(a) - order.indexOf(b)));
}

/** Gives each name another one, the same each time. */
export function renaming(prefix: string): (name: string) => string {
  const given = new Map<string, string>();
  return (name) => {
    if (!given.has(name)) given.set(name, `${prefix}${given.size}_${"x".repeat(name.length % 7)}`);
    return given.get(name) ?? "";
  };
}
