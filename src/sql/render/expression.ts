/** Writes resolved expressions and conditions, which stand in each other. */
import type {
  Aggregate,
  Call,
  Case,
  Condition,
  Expression,
  OrderTerm,
  Windowed,
} from "../resolve/resolved.js";
import { partsOf } from "./template.js";
import type { Writer } from "./writer.js";

/** Writes an expression. */
export function writeExpression(writer: Writer, expression: Expression): void {
  switch (expression.kind) {
    case "field":
    case "literal":
      writer.sql(expression.sql);
      return;
    case "parameter":
      writer.param(expression);
      return;
    case "call":
      writeCall(writer, expression);
      return;
    case "aggregate":
      writeAggregate(writer, expression);
      return;
    case "case":
      writeCase(writer, expression);
      return;
    case "window":
      writeWindow(writer, expression);
  }
}

function writeCall(writer: Writer, { template, operands, separator, params }: Call): void {
  for (const [i, part] of partsOf(template).entries()) {
    if (i % 2 === 0) writer.sql(part);
    else if (part === "f") writeEach(writer, operands, separator);
    else {
      const param = params[Number(part)];
      if (param !== undefined) writeExpression(writer, param);
    }
  }
}

function writeEach(writer: Writer, expressions: readonly Expression[], separator: string): void {
  writer.each(expressions, separator, (one) => writeExpression(writer, one));
}

function writeAggregate(writer: Writer, { template, operand, filter }: Aggregate): void {
  writeIn(writer, template, operand);
  if (filter === undefined) return;
  writer.sql(" FILTER (WHERE ");
  writeCondition(writer, filter);
  writer.sql(")");
}

/** Writes a template that has an operand and no parameters. */
function writeIn(writer: Writer, template: string, operand: Expression): void {
  for (const [i, part] of partsOf(template).entries()) {
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
  writeExpression(writer, of);
  const clauses: (() => void)[] = [];
  if (partitionBy.length > 0) clauses.push(() => writeEach(writer.sql("PARTITION BY "), partitionBy, ", "));
  if (orderBy.length > 0) clauses.push(() => writeOrder(writer, orderBy));
  if (clauses.length === 0 && whole !== undefined) clauses.push(() => writer.sql(whole));
  if (frame !== undefined) clauses.push(() => writer.sql(frame));
  writer.sql(" OVER (").each(clauses, " ", (write) => write());
  writer.sql(")");
}

/** `ORDER BY …`. */
export function writeOrder(writer: Writer, terms: readonly OrderTerm[]): void {
  writer.sql("ORDER BY ").each(terms, ", ", ({ template, operand }) => writeIn(writer, template, operand));
}

const logics = { AND: " AND ", OR: " OR " } as const;

/** Writes one condition, a group in parentheses. */
export function writeCondition(writer: Writer, condition: Condition): void {
  switch (condition.kind) {
    case "group":
      writer
        .sql("(")
        .each(condition.members, logics[condition.logic], (member) => writeCondition(writer, member));
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
      writer.list(() => writeExpression(writer, condition.left), condition.form, condition.list);
      return;
    case "range":
      writeExpression(writer, condition.operand);
      writeExpression(writer.sql(condition.word), condition.low);
      writeExpression(writer.sql(" AND "), condition.high);
      return;
    case "null test":
      writeExpression(writer, condition.operand);
      writer.sql(condition.test);
  }
}
