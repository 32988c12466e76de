/** The records of a nested insert: checked, shown to `onRecord` and bound, all before anything is sent. */
import { describeType, listed, quoted } from "../../../core/errors.js";
import type { RequestCall } from "../../exec/call.js";
import { reading } from "../../exec/params.js";
import { fixedValues, type RecordValues, validRecord } from "../../exec/record.js";
import { ParameterError } from "../../words/errors.js";
import { itemsOf } from "../../words/lists.js";
import type { InsertRequest } from "../draft/insert-draft.js";
import { calledBack, inPlace } from "./called-back.js";
import type { GraphLink, GraphNode } from "./graph.js";

/** Where a record stands in the list of the call, and in the records around it. */
interface Place {
  readonly index: number | undefined;
  readonly path: string;
}

/** A valid record, and those inside it. */
interface ValidRecord {
  readonly place: Place;
  readonly values: RecordValues;
  readonly inside: ReadonlyMap<GraphLink, readonly ValidRecord[]>;
}

/** A bound record, and those inside it. The values of the fields that are filled are still null. */
export interface GraphRecord {
  readonly place: Place;
  readonly insert: InsertRequest;
  readonly inside: ReadonlyMap<GraphLink, readonly GraphRecord[]>;
}

/** The parameters of each node. */
export type GraphParams = ReadonlyMap<GraphNode, RecordValues>;

/**
 * Checks a record and those inside it.
 * @param around the records around it, outermost first.
 * @throws {ParameterError} with the position of the outermost record, and the path to the value.
 */
export function validGraph(
  record: unknown,
  node: GraphNode,
  place: Place,
  around: readonly unknown[] = [],
): ValidRecord {
  const { own, nested } = inPlace(place, () => {
    if (around.includes(record)) throw refusal(node, "", "a record cannot contain itself");
    const parts = split(record, node);
    return { own: validRecord(parts.own, node.part), nested: parts.nested };
  });
  const inside = new Map<GraphLink, readonly ValidRecord[]>();
  for (const link of node.links) {
    const list = inPlace(place, () => listIn(nested, link, node));
    const path = pathTo(place.path, link.relation);
    inside.set(
      link,
      list.map((one, i) => {
        const at = { index: place.index, path: link.isMany ? `${path}[${i}]` : path };
        return validGraph(one, link.node, at, [...around, record]);
      }),
    );
  }
  inPlace(place, () => requireFilled(inside, node));
  return { place, values: own, inside };
}

/** Every field that must have a value is filled, even where a reference to a row is left out. */
function requireFilled(inside: ValidRecord["inside"], node: GraphNode): void {
  const { table, filled, fromAround } = node;
  const given = [...inside].flatMap(([{ isBefore, mine }, list]) =>
    isBefore && list.length > 0 ? mine : [],
  );
  const known = new Set([...fromAround, ...given, ...(table.fixed?.keys() ?? [])]);
  for (const [field, relation] of filled) {
    if (known.has(field) || table.columns[field]?.nullable === true) continue;
    const message = `key ${quoted(relation)} takes a record here: it fills ${quoted(field)}, which cannot be null`;
    throw refusal(node, relation, message);
  }
}

function pathTo(path: string, relation: string): string {
  return path === "" ? relation : `${path}.${relation}`;
}

interface Split {
  readonly own: Record<string, unknown>;
  readonly nested: ReadonlyMap<string, unknown>;
}

/** A record without those inside it. Only its own keys count. */
function split(record: unknown, node: GraphNode): Split {
  const { table, filled, fields, relations } = node;
  if (typeof record !== "object" || record === null || Array.isArray(record))
    throw refusal(node, "", `a record must be an object, not ${describeType(record)}`);
  const own: Record<string, unknown> = Object.create(null);
  const nested = new Map<string, unknown>();
  reading("a record", table, () => {
    for (const key of Object.keys(record)) {
      const value: unknown = Reflect.get(record, key);
      if (relations.has(key)) nested.set(key, value);
      else if (filled.has(key)) {
        const by = quoted(filled.get(key));
        throw refusal(
          node,
          key,
          `key ${quoted(key)} is filled by relation ${by}: leave it out`,
          "EXTRA_PARAM",
        );
      } else if (!fields.has(key)) {
        const known = listed([...fields, ...relations]);
        throw refusal(node, key, `unknown key ${quoted(key)}; keys: ${known}`, "EXTRA_PARAM");
      } else own[key] = value;
    }
  });
  return { own, nested };
}

/** The records of a relation: of a `one`, a list of one or none. */
function listIn(
  nested: ReadonlyMap<string, unknown>,
  { relation, isMany, mayBeMissing }: GraphLink,
  node: GraphNode,
): readonly unknown[] {
  const given = nested.get(relation);
  if (given === undefined)
    throw refusal(node, relation, `key ${quoted(relation)} is missing`, "MISSING_PARAM");
  if (!isMany) {
    if (given !== null) return [given];
    if (mayBeMissing) return [];
    throw refusal(node, relation, `key ${quoted(relation)} takes a record, not null`);
  }
  if (!Array.isArray(given))
    throw refusal(
      node,
      relation,
      `key ${quoted(relation)} takes a list of records, not ${describeType(given)}`,
    );
  return reading("a list of records", node.table, () => itemsOf(given));
}

function refusal(
  { table }: GraphNode,
  param: string,
  message: string,
  code: ParameterError["code"] = "PARAM_TYPE",
): ParameterError {
  return new ParameterError(code, param, table.name, message);
}

/** Calls `onRecord` with a record, and then with those inside it. */
export async function calledBackGraph(
  record: ValidRecord,
  node: GraphNode,
  call: RequestCall,
): Promise<ValidRecord> {
  const { onRecord } = node.draft.source.place.callbacks;
  const { place } = record;
  const values =
    onRecord === null ? record.values : await calledBack(record.values, onRecord, node.part, call, place);
  const inside = new Map<GraphLink, readonly ValidRecord[]>();
  for (const [link, list] of record.inside) {
    const called: ValidRecord[] = [];
    for (const one of list) called.push(await calledBackGraph(one, link.node, call));
    inside.set(link, called);
  }
  return { place, values, inside };
}

/**
 * Binds a record and those inside it, before the values that fill them are known.
 * @throws {ParameterError} with the place of the value.
 */
export function boundGraph(record: ValidRecord, node: GraphNode, params: GraphParams): GraphRecord {
  const { place, values } = record;
  const { draft, table, filled } = node;
  const unknown = Object.fromEntries([...filled.keys()].map((field) => [field, null]));
  const whole: RecordValues = { ...values, ...unknown, ...fixedValues(table) };
  // In the order of a record that gives them itself: both have one text.
  const given = Object.keys(table.columns).filter((property) => Object.hasOwn(whole, property));
  const own = Object.fromEntries(given.map((property) => [property, whole[property]]));
  const insert = inPlace(place, () => draft.request(own, params.get(node) ?? {}, place.index));
  const inside = new Map<GraphLink, readonly GraphRecord[]>();
  for (const [link, list] of record.inside)
    inside.set(
      link,
      list.map((one) => boundGraph(one, link.node, params)),
    );
  return { place, insert, inside };
}
