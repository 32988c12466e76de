/** Writes resolved expressions and conditions, which contain each other. */
import type {
  Among,
  Case,
  Fragment,
  GroupAggregate,
  Listing,
  OrderTerm,
  ResolvedCall,
  ResolvedCondition,
  ResolvedExpression,
  Windowed,
} from "../resolve/scope/resolved.js";
import { templateParts } from "./template.js";
import type { Writer } from "./writer.js";

/** Writes an expression. */
export function writeExpression(writer: Writer, expression: ResolvedExpression): void {
  switch (expression.kind) {
    case "field":
    case "literal":
      writer.sql(expression.sql);
      return;
    case "parameter":
      writer.param(expression);
      return;
    case "proposed":
      writer.proposed?.(expression);
      return;
    case "call":
      writeCall(writer, expression);
      return;
    case "fragment":
      writeFragment(writer, expression);
      return;
    case "aggregate":
      writeAggregate(writer, expression);
      return;
    case "case":
      writeCase(writer, expression);
      return;
    case "test":
      writeInParentheses(writer, expression.condition);
      return;
    case "window":
      writeWindow(writer, expression);
      return;
    case "subquery":
      writer.inner(expression.query);
      return;
    case "nested":
      writer.inner(expression);
  }
}

function writeFragment(writer: Writer, { texts, holes }: Fragment): void {
  writer.sql("(");
  for (const [i, text] of texts.entries()) {
    const hole = holes[i];
    writer.sql(text);
    if (hole !== undefined) writeExpression(writer, hole);
  }
  writer.sql(")");
}

function writeCall(writer: Writer, { template, operands, separator, params, zoned }: ResolvedCall): void {
  if (zoned === true) writer.zoned = true;
  for (const [i, part] of templateParts(template).entries()) {
    if (i % 2 === 0) writer.sql(part);
    else if (part === "f") writeEach(writer, operands, separator);
    else {
      const param = params[Number(part)];
      if (param !== undefined) writeExpression(writer, param);
    }
  }
}

/** Writes expressions, separated. */
export function writeEach(
  writer: Writer,
  expressions: readonly ResolvedExpression[],
  separator: string,
): Writer {
  return writer.each(expressions, separator, (one) => writeExpression(writer, one));
}

/** @param window writes the text after an aggregate of a window. */
function writeAggregate(
  writer: Writer,
  { template, operand, filter, listing }: GroupAggregate,
  window: () => void = () => undefined,
): void {
  const writeEnd = () => {
    if (filter !== undefined) {
      writer.sql(" FILTER (WHERE ");
      writeCondition(writer, filter);
      writer.sql(")");
    }
    window();
  };
  const parts = templateParts(template);
  for (const [i, part] of parts.entries()) {
    if (i % 2 === 0) writer.sql(part);
    else if (part === "f") writeExpression(writer, operand);
    else if (part === "0" || listing === undefined) writeEnd();
    else writeListing(writer, listing, part);
  }
  // A compound sum has its own places for the filter and window of each aggregate.
  if (!parts.some((part, i) => i % 2 === 1 && part === "0")) writeEnd();
}

function writeListing(writer: Writer, { separator, orderBy }: Listing, part: string | undefined): void {
  writer.needsLongText = true;
  if (part === "2" && orderBy.length > 0) writeOrder(writer, orderBy);
  else if (part === "1" && separator !== undefined) writeExpression(writer, separator);
}

/** Writes a template that has an operand and no parameters. */
function writeIn(writer: Writer, template: string, operand: ResolvedExpression): void {
  for (const [i, part] of templateParts(template).entries()) {
    if (i % 2 === 0) writer.sql(part);
    else writeExpression(writer, operand);
  }
}

function writeCase(writer: Writer, { whens, otherwise }: Case): void {
  writer.sql("CASE");
  for (const { condition, result } of whens) {
    writer.sql(" WHEN ");
    writeCondition(writer, condition);
    writer.sql(" THEN ");
    writeExpression(writer, result);
  }
  if (otherwise !== undefined) {
    writer.sql(" ELSE ");
    writeExpression(writer, otherwise);
  }
  writer.sql(" END");
}

function writeWindow(writer: Writer, { of, partitionBy, orderBy, whole, frame }: Windowed): void {
  const clauses: (() => void)[] = [];
  if (partitionBy.length > 0) clauses.push(() => writeEach(writer.sql("PARTITION BY "), partitionBy, ", "));
  if (orderBy.length > 0) clauses.push(() => writeOrder(writer, orderBy));
  if (clauses.length === 0 && whole !== undefined) clauses.push(() => writer.sql(whole));
  if (frame !== undefined) clauses.push(() => writer.sql(frame));
  const over = () =>
    void writer
      .sql(" OVER (")
      .each(clauses, " ", (write) => write())
      .sql(")");
  if (of.kind === "aggregate") writeAggregate(writer, of, over);
  else {
    writeExpression(writer, of);
    over();
  }
}

/** `ORDER BY …`. */
export function writeOrder(writer: Writer, terms: readonly OrderTerm[]): void {
  writer.sql("ORDER BY ").each(terms, ", ", ({ template, operand }) => writeIn(writer, template, operand));
}

/** Writes conditions joined by AND or OR: as a chain, or as a balanced tree if a chain would be too deep. */
export function writeJoined(writer: Writer, conditions: readonly ResolvedCondition[], word: string): void {
  const { mostDepth } = writer.grammar;
  if (
    mostDepth === undefined ||
    conditions.length === 1 ||
    depthOf(conditions) <= mostIn(writer, mostDepth)
  ) {
    writer.each(conditions, word, (condition) => writeCondition(writer, condition));
    return;
  }
  const middle = Math.ceil(conditions.length / 2);
  writer.each([conditions.slice(0, middle), conditions.slice(middle)], word, (half) => {
    if (half.length > 1) writer.sql("(");
    writeJoined(writer, half, word);
    if (half.length > 1) writer.sql(")");
  });
}

// The depths of the conditions around a query count, too.
function mostIn({ depth, grammar: { mostSought = 0 } }: Writer, mostDepth: number): number {
  if (depth === 0) return mostDepth;
  return mostDepth / (depth > mostSought / 2 ? 64 : 16);
}

/** The depth of a chain of conditions as a tree: each node joins a condition to all previous ones. */
function depthOf(conditions: readonly ResolvedCondition[]): number {
  let inside = 0;
  for (const condition of conditions)
    if (condition.kind === "group") inside = Math.max(inside, depthOf(condition.members));
    else if (condition.kind === "negation") inside = Math.max(inside, depthOf([condition.of]));
  return conditions.length + inside;
}

const logics = { AND: " AND ", OR: " OR " } as const;

function writeInParentheses(writer: Writer, condition: ResolvedCondition): void {
  // A group has its own parentheses.
  if (condition.kind === "group") writeCondition(writer, condition);
  else {
    writeCondition(writer.sql("("), condition);
    writer.sql(")");
  }
}

/** Writes one condition. A group is written in parentheses. */
export function writeCondition(writer: Writer, condition: ResolvedCondition): void {
  switch (condition.kind) {
    case "group":
      writeJoined(writer.sql("("), condition.members, logics[condition.logic]);
      writer.sql(")");
      return;
    case "comparison": {
      const { form, left, right } = condition;
      writer.sql(form.open);
      writeExpression(writer, left);
      writer.sql(form.between);
      writeExpression(writer, right);
      writer.sql(form.close);
      return;
    }
    case "membership":
      writer.list(() => writeExpression(writer, condition.left), condition);
      return;
    case "range":
      writeExpression(writer, condition.operand);
      writeExpression(writer.sql(condition.word), condition.low);
      writeExpression(writer.sql(" AND "), condition.high);
      return;
    case "null test":
      writeExpression(writer, condition.operand);
      writer.sql(condition.test);
      return;
    case "truth":
      writeExpression(writer, condition.text);
      return;
    case "negation":
      writeInParentheses(writer.sql("NOT "), condition.of);
      return;
    case "exists":
      writer.sql(condition.isNegated ? "NOT EXISTS " : "EXISTS ").sought(condition.rows.query);
      return;
    case "among":
      writeAmong(writer, condition);
  }
}

function writeAmong(writer: Writer, { left, rows, isNegated, through }: Among): void {
  writeExpression(writer, left);
  writer.sql(isNegated ? " NOT IN " : " IN ");
  if (through === undefined) {
    writer.sought(rows.query);
    return;
  }
  const { table, column, value } = through;
  writeExpression(writer.sql("(SELECT "), value);
  writer.sql(" FROM ").inner(rows.query).sql(` ${table} WHERE ${column.sql} IS NOT NULL)`);
}
