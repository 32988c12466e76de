/**
 * The clauses that several statements have. They write checked specs: every field names a column, and every
 * word of SQL is taken from a table here or in the grammar, never from the spec.
 */
import { DistanceCondition } from "../ast/expression.js";
import { type OrderTerm, termOf } from "../ast/order.js";
import type { ConditionSpec, OrderBySpec, PagingSpec } from "../ast/spec.js";
import type { Filter } from "../ast/statement.js";
import { operandOf } from "../check/operators.js";
import type { ColumnInfo } from "../declaration.js";
import { type Grammar, isMissing, type OperatorForm } from "../dialect/grammar.js";
import type { Operator } from "../types/operators.js";
import {
  cappedBinder,
  listBinder,
  numberBinder,
  operandBinder,
  patternBinder,
  type Target,
} from "../value/binder.js";
import { comparesDates, specialDates, writeBound, writeDateComparison } from "./dates.js";
import { writeDistance } from "./distance.js";
import { comparable } from "./layout.js";
import { writeTemplate } from "./template.js";
import type { Form, Writer } from "./writer.js";

const logics: ReadonlyMap<string, string> = new Map([
  ["AND", " AND "],
  ["OR", " OR "],
]);
const ranges: ReadonlyMap<string, string> = new Map([
  ["BETWEEN", " BETWEEN "],
  ["NOT BETWEEN", " NOT BETWEEN "],
]);
const nullTests: ReadonlyMap<string, string> = new Map([
  ["IS NULL", " IS NULL"],
  ["IS NOT NULL", " IS NOT NULL"],
]);

/** `WHERE …`, or nothing. */
export function writeWhere(writer: Writer, where: readonly Filter[] | undefined): void {
  if (where === undefined || where.length === 0) return;
  writer.sql(" WHERE ").each(where, " AND ", (condition) => {
    if (!(condition instanceof DistanceCondition)) return writeCondition(writer, condition);
    const { distance, comparison, limit } = condition;
    const { table } = writer;
    writer.sql("(");
    writeDistance(writer, distance);
    writer.sql(comparison === "<" ? ") < " : ") <= ");
    writer.param(limit, () => numberBinder({ param: limit, table }));
  });
}

/**
 * `ORDER BY …`, or nothing.
 * @param nameOf the text of a name that is no field, or of a field that has another name there.
 */
export function writeOrderBy(
  writer: Writer,
  orderBy: readonly OrderBySpec[] | undefined,
  nameOf: (name: string) => Ordered,
): void {
  if (orderBy === undefined || orderBy.length === 0) return;
  const terms = orderBy.map(termOf);
  writer.sql(" ORDER BY ").each(terms, ", ", (term) => {
    const { field, distance } = term;
    const { text, nullable, write, comparable: compared } = nameOf(field);
    // What follows orders those that are equal here; nothing follows the last term, and an index may serve it.
    const isLast = term === terms.at(-1);
    const named = orderTemplate(term, nullable, writer.grammar);
    const template = compared === undefined || isLast ? named : named.replaceAll("{f}", () => compared);
    if (distance !== undefined)
      writeTemplate(writer, template, () => writeDistance(writer, { ...distance, field }));
    // A name alone every server knows there; in an expression not all do.
    else if (write !== undefined && !isNameAlone(template)) writeTemplate(writer, template, write);
    else writer.sql(template.replaceAll("{f}", () => text));
  });
}

/** How a term of an order is written, as a template. */
export function orderTemplate({ direction, nulls }: OrderTerm, nullable: boolean, grammar: Grammar): string {
  // Without a word from the user NULL is the greatest value. Where no NULL can be, nothing is said about it.
  const wanted = nulls ?? (direction === "desc" ? "first" : "last");
  return grammar.orderTerm("{f}", direction, nullable ? wanted : undefined);
}

/** Whether the template of a term has its field by itself, and in no expression. */
export function isNameAlone(template: string): boolean {
  return template.lastIndexOf("{f}") === 0;
}

/** A field in an order. */
export function fieldOrder(writer: Writer, field: string): Ordered {
  const { column, name: text, ownName, dates } = writer.place(field);
  const isPlain = dates === undefined || dates.isExact || text !== ownName;
  return { text, nullable: column.nullable, comparable: isPlain ? undefined : dates.comparable };
}

/** What stands in an order for a name. */
export interface Ordered {
  readonly text: string;
  readonly nullable: boolean;
  /** Makes equal dates equal values `{f}`, where several stored ones are one. */
  readonly comparable?: string | undefined;
  /** Writes the expression that the name stands for, where it stands for one. */
  readonly write?: () => void;
}

/** Writes the part of a statement that says which rows: so many, and from where on. */
export function writePaging(writer: Writer, spec: PagingSpec): void {
  const { limit, limit_param: limitParam, offset, offset_param: offsetParam } = spec;
  const skips = offset !== undefined || offsetParam !== undefined;
  if (!skips && limit === undefined && limitParam === undefined) return;
  const { paging, noLimit } = writer.grammar;
  for (const { part, before, after } of paging) {
    const param = part === "limit" ? limitParam : offsetParam;
    const count = part === "limit" ? (limit ?? (skips ? noLimit : undefined)) : offset;
    if (param !== undefined) {
      const { table } = writer;
      const most = part === "limit" ? limit : undefined;
      // Places with one most could share a placeholder, but what has none must not get the value of one that has.
      const form = most === undefined ? countForm : undefined;
      writer
        .sql(before)
        .param(param, () => cappedBinder({ param, table }, most), form)
        .sql(after);
    } else if (count !== undefined) writer.sql(`${before}${count}${after}`);
  }
}

const countForm: Form = { operand: "count", column: undefined };

/** Writes one condition, a group in parentheses. */
export function writeCondition(writer: Writer, condition: ConditionSpec): void {
  if ("group" in condition) {
    writer
      .sql("(")
      .each(condition.group, known(logics.get(condition.logic), "logic"), (member) =>
        writeCondition(writer, member),
      );
    writer.sql(")");
  } else if ("low_param" in condition) {
    const { column, name } = writer.place(condition.field);
    writer.sql(name).sql(known(ranges.get(condition.operator), "range"));
    writeOperand(writer, condition.low_param, column, "first");
    writeOperand(writer.sql(" AND "), condition.high_param, column, "last");
  } else if ("right_field" in condition) {
    const { column } = writer.place(condition.field);
    const form = formOf(writer, condition.operator, column);
    const [left, right] = besideEachOther(writer, condition.field, condition.right_field);
    writer.sql(form.open).sql(left).sql(form.between).sql(right).sql(form.close);
  } else if ("param" in condition) {
    const { column, name } = writer.place(condition.field);
    writeComparison(writer, { left: () => writer.sql(name), target: column, column, ...condition });
  } else {
    writer.sql(writer.place(condition.field).name);
    writer.sql(known(nullTests.get(condition.operator ?? "IS NULL"), "null test"));
  }
}

/** Something that a parameter is compared with. */
export interface Comparison {
  readonly left: () => void;
  readonly operator: Operator;
  readonly param: string;
  /** What its values are. */
  readonly target: Target;
  /** The column that they are of, where they are of one as they are. */
  readonly column: ColumnInfo | undefined;
}

/** Writes the comparison of a column or an expression with a parameter. */
export function writeComparison(writer: Writer, { left, operator, param, target, column }: Comparison): void {
  const { grammar, table } = writer;
  const form = formOf(writer, operator, column);
  const operand = operandOf(operator);
  // Places of one column may share a placeholder; an expression has its own type.
  const shared: Form | undefined = column === undefined ? undefined : { operand, column };
  const dates = specialDates(target.storage, grammar);
  if (dates !== undefined && comparesDates(operator)) {
    const binder = () => operandBinder(target, grammar, { param, table });
    writeDateComparison(writer, left, operator, { name: param, binder, form: shared }, dates);
    return;
  }
  if (dates !== undefined && operand === "list") {
    const binder = () => listBinder(target, grammar, { param, table }, dates.spread);
    const compared = dates.spread === undefined ? () => writeTemplate(writer, dates.comparable, left) : left;
    writer.list(compared, form, param, binder, shared);
    return;
  }
  if (operand === "list") {
    const binder = () => listBinder(target, grammar, { param, table });
    writer.list(left, form, param, binder, shared);
    return;
  }
  writer.sql(form.open);
  left();
  writer.sql(form.between);
  if (operand === "value")
    writer.param(param, () => operandBinder(target, grammar, { param, table }), shared);
  else writer.param(param, () => patternBinder(target, form, { param, table }), shared);
  writer.sql(form.close);
}

function writeOperand(writer: Writer, param: string, column: ColumnInfo, end: "first" | "last"): void {
  const { grammar, table } = writer;
  const binder = () => operandBinder(column, grammar, { param, table });
  const form: Form = { operand: "value", column };
  const dates = specialDates(column.storage, grammar);
  if (dates === undefined) writer.param(param, binder, form);
  else writeBound(writer, { name: param, binder, form }, dates[end]);
}

/** Two fields as they are compared with each other. */
function besideEachOther(writer: Writer, left: string, right: string): readonly [string, string] {
  const places = [writer.place(left), writer.place(right)] as const;
  const [a, b] = places;
  const areAlike = a.dates?.comparable === b.dates?.comparable && a.dates?.isExact !== false;
  return areAlike ? [a.name, b.name] : [comparable(a).name, comparable(b).name];
}

function formOf(
  { grammar, table }: Writer,
  operator: Operator,
  column: ColumnInfo | undefined,
): OperatorForm {
  const { largeObjects } = grammar;
  if ((operator === "=" || operator === "!=") && column !== undefined && largeObjects?.holds(column, table))
    return largeObjects.operators[operator];
  const form = known(grammar.operators[operator], operator);
  if (isMissing(form)) throw new TypeError(`operator ${operator} was not checked`);
  return form;
}

function known<T>(entry: T | undefined, what: string): T {
  if (entry === undefined) throw new TypeError(`${what} was not checked`);
  return entry;
}
