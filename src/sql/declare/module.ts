/**
 * A module of tables: relations name the exports of it, so that two tables may name each other. Used by
 * `repositories` and the diagrams.
 */
import { describeType, isList, listed, quoted } from "../../core/errors.js";
import { DeclarationError } from "../words/errors.js";
import {
  asList,
  betweenOf,
  type FieldPair,
  type Many,
  type One,
  type Relation,
  referredKey,
  relatedFields,
} from "../words/relations.js";
import { ruleNames } from "../words/rules.js";
import type { AnyTable } from "./declaration.js";
import { fieldOf } from "./relation.js";
import { checkReferences, type RelationSide } from "./relation-references.js";
import { isTable } from "./table.js";

/** The tables of a module by the names of their exports. */
export type TableModule = ReadonlyMap<string, AnyTable>;

/**
 * The exports of a module that are tables.
 * @throws {DeclarationError} for what is not a module, or has an export that cannot be read.
 */
export function readModule(module: unknown, taker: string): TableModule {
  if (typeof module !== "object" || module === null || isList(module) || isTable(module))
    throw new DeclarationError(
      `${taker} takes a module of tables (import * as tables), not ${isTable(module) ? "a table" : describeType(module)}`,
    );
  const tables = new Map<string, AnyTable>();
  try {
    for (const name of Object.keys(module)) {
      const value: unknown = Reflect.get(module, name);
      if (isTable(value)) tables.set(name, value);
    }
  } catch (cause) {
    // An export that is not there yet: the modules import each other.
    throw new DeclarationError(`${taker} was given a module that cannot be read: does it import itself?`, {
      cause,
    });
  }
  return tables;
}

/**
 * Checks all relations of the tables of a module.
 * @throws {DeclarationError} for the first that cannot work.
 */
export function checkRelations(tables: TableModule): void {
  for (const table of tables.values())
    for (const [name, relation] of Object.entries(table.relations))
      checkRelation(table, relation, tables, `relation ${quoted(name)} of table ${quoted(table.name)}`);
}

function checkRelation(table: AnyTable, relation: Relation, tables: TableModule, where: string): void {
  const target = tables.get(relation.to);
  if (target === undefined)
    throw new DeclarationError(
      `${where} leads to ${quoted(relation.to)}, which is not a table of the module; tables: ${listed(tables.keys())}`,
    );
  checkRules(relation, target, where);
  if (relation.kind === "many" && relation.through !== undefined) {
    // The relations of the table between are checked as its own.
    const between = betweenOf(relation, table, target, tables);
    if (typeof between === "string") throw new DeclarationError(`${where} ${between}`);
    return;
  }
  const pairs = relatedFields(relation, table, target);
  if (pairs === undefined) throw new DeclarationError(`${where} ${miscounted(relation, table, target)}`);
  for (const pair of pairs) checkPair(pair, table, target, where);
  checkKey(relation, pairs, table, target, where);
  const [mine, theirs]: [RelationSide, RelationSide] = [
    { table, columns: pairs.map((pair) => fieldOf(pair.mine, table, where)) },
    { table: target, columns: pairs.map((pair) => fieldOf(pair.theirs, target, where)) },
  ];
  const [holder, held] = relation.kind === "one" ? [mine, theirs] : [theirs, mine];
  checkReferences(holder, held, where);
}

type Direct = One<string, string, null, string> | Many;

function miscounted(relation: Direct, table: AnyTable, target: AnyTable): string {
  const fields = asList(relation.field);
  const key = referredKey(relation, table, target);
  if (relation.kind === "one" && relation.key === undefined && fields.length === 1)
    return `leads to table ${quoted(target.name)}, whose primary key is not one field: name its fields, or a key by { key }`;
  const holder = relation.kind === "one" ? target : table;
  const which = key.length === 0 ? "it has none" : `${key.length} (${listed(key)})`;
  return `names ${fields.length} fields (${listed(fields)}), as many as the key of table ${quoted(holder.name)} are needed: ${which}`;
}

function checkPair({ mine, theirs }: FieldPair, table: AnyTable, target: AnyTable, where: string): void {
  const [ours, other] = [fieldOf(mine, table, where), fieldOf(theirs, target, where)];
  if (ours.kind !== other.kind)
    throw new DeclarationError(
      `${where} compares ${quoted(mine)} (${ours.kind}) with ${quoted(theirs)} (${other.kind}) of table ${quoted(target.name)}: fields of one kind are needed`,
    );
}

/** A relation refers to a key, and its fields are in the order of that key. */
function checkKey(
  relation: Direct,
  pairs: readonly FieldPair[],
  table: AnyTable,
  target: AnyTable,
  where: string,
): void {
  const isOne = relation.kind === "one";
  const held = isOne ? target : table;
  const key = pairs.map(({ mine, theirs }) => (isOne ? theirs : mine));
  if (!isKey(key, held)) {
    const names = key.map(quoted).join(", ");
    const otherwise = isOne ? "declare it unique, or use many" : "declare it unique";
    throw new DeclarationError(
      `${where} needs a key, and ${names} is not a declared key of table ${quoted(held.name)}: ${otherwise}`,
    );
  }
  if (relation.key !== undefined) return;
  const fields = asList(relation.field);
  const crossed = fields.findIndex((field, i) => field !== key[i] && key.includes(field));
  if (crossed < 0) return;
  throw new DeclarationError(
    `${where} pairs ${quoted(fields[crossed])} with ${quoted(key[crossed])} of the key of table ${quoted(held.name)} (${listed(key)}), which has a field of that name: name the fields in that order, or the order by { key }`,
  );
}

function isKey(fields: readonly string[], { keys }: AnyTable): boolean {
  return keys.some((key) => key.length === fields.length && key.every((one) => fields.includes(one)));
}

function checkRules({ without }: Relation, target: AnyTable, where: string): void {
  const known = ruleNames(target);
  const unknown = without?.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const all = known.length === 0 ? "which has none" : `rules: ${listed(known)}`;
  throw new DeclarationError(
    `${where} leaves out ${quoted(unknown)}, which is no rule of table ${quoted(target.name)}; ${all}`,
  );
}
