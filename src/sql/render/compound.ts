/**
 * Writes compound queries: from left to right, whatever the server's own precedence, and with the columns of each
 * query in the order and under the names of the first.
 */
import { termOf } from "../ast/order.js";
import type { CompoundParts, CompoundStatement, QueryStatement } from "../ast/statement.js";
import type { Grammar } from "../dialect/grammar.js";
import { isNameAlone, orderTemplate, writeOrderBy, writePaging } from "./clauses.js";
import { comparable, layoutOf } from "./layout.js";
import type { Plan } from "./plan.js";
import { type Item, itemsOf, writeQuery } from "./select.js";
import { Writer } from "./writer.js";

/** `SELECT … UNION SELECT … ORDER BY … LIMIT …`. */
export function renderCompound({ table, spec }: CompoundStatement, grammar: Grammar): Plan {
  const writer = new Writer(table, grammar);
  const mixed = mixedDates(spec, grammar);
  const items = writer.comparing(() => operandItems(writer, spec.base, mixed));
  const names = items.map(({ name }) => name).join(", ");
  const wraps = needsTable(spec, items, grammar);
  if (wraps) writer.sql(`SELECT ${names} FROM (`);
  writer.comparing(() => writeOperations(writer, spec, items, names, mixed));
  if (wraps) writer.sql(`) ${grammar.quote("rows")}`);
  const byName = new Map(items.map((item) => [item.output.name, item]));
  writeOrderBy(writer, spec.order_by, (name) => {
    const item = byName.get(name);
    if (item === undefined) throw new TypeError(`order by ${name} was not checked`);
    return { text: item.name, nullable: item.output.nullable };
  });
  writePaging(writer, spec);
  return writer.finish(items.map(({ output }) => output));
}

// An order by more than names is not to be had behind a set operation.
function needsTable(
  { order_by: orderBy = [] }: CompoundParts,
  items: readonly Item[],
  grammar: Grammar,
): boolean {
  return orderBy.map(termOf).some((term) => {
    const nullable = items.some(({ output }) => output.name === term.field && output.nullable);
    return term.distance !== undefined || !isNameAlone(orderTemplate(term, nullable, grammar));
  });
}

/** What stands before, between and behind the queries on both sides of an operation. */
interface Step {
  readonly open: string;
  readonly between: string;
  readonly close: string;
}

function writeOperations(
  writer: Writer,
  { base, operands }: CompoundParts,
  items: readonly Item[],
  names: string,
  mixed: ReadonlySet<string>,
): void {
  const steps = operands.map(({ operation }, i): Step => {
    const { operations, intersectBindsFirst } = writer.grammar.compound;
    const words = operations[operation];
    if (typeof words !== "string") return numbered(words.numbered, names, nameBeside(items, writer.grammar));
    const before = operands.slice(0, i).map((one) => one.operation);
    const isIntersect = operation.startsWith("intersect");
    const looser = intersectBindsFirst && isIntersect && before.some((one) => !one.startsWith("intersect"));
    return looser
      ? { open: "(", between: `) ${words} `, close: "" }
      : { open: "", between: ` ${words} `, close: "" };
  });
  // What surrounds everything up to an operation begins before the first query.
  for (const { open } of [...steps].reverse()) writer.sql(open);
  writeOperand(writer, base, items, names, mixed);
  for (const [i, { query }] of operands.entries()) {
    const step = steps[i];
    if (step === undefined) continue;
    writer.sql(step.between);
    writeOperand(writer, query, items, names, mixed);
    writer.sql(step.close);
  }
}

function nameBeside(items: readonly Item[], { quote }: Grammar): string {
  let name = "row";
  while (items.some((item) => item.name.toLowerCase() === quote(name))) name += "_";
  return quote(name);
}

// Equal rows are told apart by their number among each other: what is left of them, or in both, is then a set.
function numbered(words: string, names: string, number: string): Step {
  const rows = `SELECT ${names}, ROW_NUMBER() OVER (PARTITION BY ${names}) AS ${number} FROM (`;
  return { open: `SELECT ${names} FROM (${rows}`, between: `) ${words} ${rows}`, close: "))" };
}

function writeOperand(
  writer: Writer,
  query: QueryStatement,
  like: readonly Item[],
  names: string,
  mixed: ReadonlySet<string>,
): void {
  const { order_by: orderBy, limit, limit_param: limitParam, offset, offset_param: offsetParam } = query.spec;
  const bounds = [orderBy, limit, limitParam, offset, offsetParam];
  const isBounded = bounds.some((one) => one !== undefined);
  const inParentheses = writer.grammar.compound.bounded === "parentheses";
  if (isBounded) writer.sql(inParentheses ? "(" : `SELECT ${names} FROM (`);
  writer.inTable(query.table, () => {
    writeQuery(writer, query, itemsLike(writer, query, like, mixed));
  });
  if (isBounded) writer.sql(")");
}

// The items of another query, in the order and under the names of those of the first.
function itemsLike(
  writer: Writer,
  query: QueryStatement,
  like: readonly Item[],
  mixed: ReadonlySet<string>,
): Item[] {
  const own = new Map(operandItems(writer, query, mixed).map((item) => [item.output.name, item]));
  return like.map(({ name, output }) => {
    const item = own.get(output.name);
    if (item === undefined) throw new TypeError(`operand without ${output.name} was not checked`);
    return { ...item, name };
  });
}

// Dates that are kept in several ways are written in one.
function operandItems(writer: Writer, query: QueryStatement, mixed: ReadonlySet<string>): Item[] {
  return writer.inTable(query.table, () =>
    itemsOf(writer, query.spec.fields).map((item) => {
      const place = mixed.has(item.output.name) ? writer.layout.places.get(item.output.name) : undefined;
      if (place === undefined) return item;
      const { name: text, output } = comparable(place);
      const decode = place.dates?.decodeComparable ?? output.decode;
      return { ...item, output: { ...output, decode }, ownName: text, write: () => writer.sql(text) };
    }),
  );
}

/** The fields of dates that the queries keep in different ways. */
function mixedDates({ base, operands }: CompoundParts, grammar: Grammar): ReadonlySet<string> {
  const ways = new Map<string, string>();
  const mixed = new Set<string>();
  for (const { table, spec } of [base, ...operands.map(({ query }) => query)])
    for (const { column, dates } of layoutOf(table, grammar).places.values()) {
      const { property } = column;
      const isSelected = spec.fields === undefined || spec.fields.includes(property);
      if (dates === undefined || !isSelected) continue;
      if ((ways.get(property) ?? dates.comparable) !== dates.comparable) mixed.add(property);
      ways.set(property, dates.comparable);
    }
  return mixed;
}
