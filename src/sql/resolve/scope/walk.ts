/** Walks resolved expressions: their aggregates, the fields that they read, and whether two are the same. */
import type { Grammar } from "../../dialect/grammar/grammar.js";
import type {
  Field,
  From,
  Layout,
  OrderTerm,
  PagingClause,
  ParameterPlace,
  ResolvedAggregate,
  ResolvedCondition,
  ResolvedExpression,
  ResolvedJoin,
  ResolvedQuery,
} from "./resolved.js";

/** The direct parts of an expression. */
export function partsOf(expression: ResolvedExpression): readonly ResolvedExpression[] {
  switch (expression.kind) {
    case "call":
      return [...expression.operands, ...expression.params];
    case "fragment":
      return expression.holes;
    case "aggregate": {
      const { operand, filter, listing } = expression;
      const parts = filter === undefined ? [operand] : [operand, ...expressionsOf(filter)];
      if (listing === undefined) return parts;
      const { separator, orderBy } = listing;
      const ordered = orderBy.map((term) => term.operand);
      return separator === undefined ? [...parts, ...ordered] : [...parts, ...ordered, separator];
    }
    case "case": {
      const parts = expression.whens.flatMap(({ condition, result }) => [
        ...expressionsOf(condition),
        result,
      ]);
      return expression.otherwise === undefined ? parts : [...parts, expression.otherwise];
    }
    case "test":
      return expressionsOf(expression.condition);
    case "window": {
      const { of, partitionBy, orderBy } = expression;
      return [of, ...partitionBy, ...orderBy.map(({ operand }) => operand)];
    }
    case "subquery":
    case "nested":
      return expression.reads;
    default:
      return [];
  }
}

/** The expressions that a condition compares. */
export function expressionsOf(condition: ResolvedCondition): readonly ResolvedExpression[] {
  switch (condition.kind) {
    case "group":
      return condition.members.flatMap(expressionsOf);
    case "comparison":
      return [condition.left, condition.right];
    case "membership":
      return [condition.left, condition.list];
    case "range":
      return [condition.operand, condition.low, condition.high];
    case "null test":
      return [condition.operand];
    case "truth":
      return [condition.text];
    case "negation":
      return expressionsOf(condition.of);
    case "exists":
      return [condition.rows];
    case "among":
      return [condition.left, condition.rows];
  }
}

/** Whether an expression reads one of these fields, as far as is known. Text of the program may read any field. */
export function mayRead(expression: ResolvedExpression, fields: readonly Field[]): boolean {
  if (expression.kind === "fragment") return true;
  if (expression.kind === "field") return fields.some((field) => isSameField(field, expression));
  return partsOf(expression).some((part) => mayRead(part, fields));
}

// A field in another form has its own description.
function isSameField(one: Field, other: Field): boolean {
  return one.table === other.table && one.column.property === other.column.property;
}

/** The parameters of an expression, without constants. */
export function parametersOf(expression: ResolvedExpression): readonly ParameterPlace[] {
  if (expression.kind === "subquery") return parametersIn(expression.query);
  if (expression.kind === "nested") {
    const { query, paging, table } = expression;
    const outside = (table?.where ?? []).flatMap(expressionsOf).flatMap(parametersOf);
    return [...parametersIn(query), ...outside, ...countsOf(paging)];
  }
  if (expression.kind !== "parameter") return partsOf(expression).flatMap(parametersOf);
  return expression.constant === undefined ? [expression] : [];
}

/** The parameters of a query. */
export function parametersIn(query: ResolvedQuery | ResolvedAggregate): readonly ParameterPlace[] {
  const { joins, where } = query;
  const conditions = [...joins.flatMap(conditionsOf), ...where];
  const sources = layoutsIn(query).flatMap(({ rows }) => rows ?? []);
  const read = sources.flatMap(parametersIn);
  if (query.kind === "aggregate") return [...read, ...parametersAmong([query.expression], conditions)];
  const { items = [], distinctOn, groupBy, orderBy, paging } = query;
  const written = [...items, ...orderBy.map(({ operand }) => ({ expression: operand }))];
  const expressions = [...written.map(({ expression }) => expression), ...distinctOn, ...groupBy];
  return [...read, ...parametersAmong(expressions, [...conditions, ...query.having]), ...countsOf(paging)];
}

function conditionsOf({ on, through }: ResolvedJoin): readonly ResolvedCondition[] {
  if (through === undefined) return [on];
  return through.found === undefined ? [on, through.on] : [on, through.on, through.found.on];
}

/** The tables that a statement reads: its own, the joined ones, and those between. */
export function layoutsIn({ from, joins }: From): readonly Layout[] {
  const joined = joins.flatMap(({ table, through }) => [table, through?.table, through?.found?.table]);
  return [from, ...joined.flatMap((layout) => layout ?? [])];
}

/** Their quoted names in the text. */
export function qualifiersIn(tables: From, { quote }: Pick<Grammar, "quote">): readonly string[] {
  return layoutsIn(tables).map(({ qualifier, table }) => qualifier ?? quote(table.name));
}

function countsOf(paging: readonly PagingClause[]): readonly ParameterPlace[] {
  return paging.flatMap(({ count }) => (typeof count === "object" ? [count] : []));
}

function parametersAmong(
  expressions: readonly ResolvedExpression[],
  conditions: readonly ResolvedCondition[],
): readonly ParameterPlace[] {
  return [...expressions, ...conditions.flatMap(expressionsOf)].flatMap(parametersOf);
}

/** The parameters of an order. */
export function parametersOfOrder(orderBy: readonly OrderTerm[]): readonly ParameterPlace[] {
  return orderBy.flatMap(({ operand }) => parametersOf(operand));
}

/** The names of the parameters of a condition, each once. */
export function paramsOf(condition: ResolvedCondition): readonly string[] {
  return [
    ...new Set(
      expressionsOf(condition)
        .flatMap(parametersOf)
        .map(({ name }) => name),
    ),
  ];
}

/** The fields that an expression reads. */
export function fieldsOf(expression: ResolvedExpression): readonly Field[] {
  return expression.kind === "field" ? [expression] : partsOf(expression).flatMap(fieldsOf);
}

/** Whether an expression contains an aggregate. */
export function hasAggregate(expression: ResolvedExpression): boolean {
  if (expression.kind === "aggregate") return true;
  // A window is over the groups, so its function does not aggregate their rows.
  if (expression.kind === "window") return windowParts(expression).some(hasAggregate);
  return partsOf(expression).some(hasAggregate);
}

/** Whether an expression is a query, or contains one. */
export function hasQuery(expression: ResolvedExpression): boolean {
  return expression.kind === "subquery" || partsOf(expression).some(hasQuery);
}

/** Whether the text of an expression, such as a function or raw text, contains a query, as far as is known. */
export function mayHoldQuery(expression: ResolvedExpression): boolean {
  if (expression.kind === "subquery") return true;
  if (expression.kind === "call" && QUERY.test(expression.template)) return true;
  if (expression.kind === "fragment" && expression.texts.some((text) => QUERY.test(text))) return true;
  return partsOf(expression).some(mayHoldQuery);
}

const QUERY = /\bSELECT\b/i;

/** Whether an expression is a window function, or contains one. */
export function hasWindow(expression: ResolvedExpression): boolean {
  return expression.kind === "window" || partsOf(expression).some(hasWindow);
}

/**
 * The fields that an expression reads outside an aggregate.
 * @param isGrouped whether an expression as a whole has one value in a group.
 */
export function looseFields(
  expression: ResolvedExpression,
  isGrouped: (expression: ResolvedExpression) => boolean,
): readonly Field[] {
  if (isGrouped(expression)) return [];
  switch (expression.kind) {
    case "field":
      return [expression];
    case "aggregate":
      return [];
    case "window":
      return windowParts(expression).flatMap((part) => looseFields(part, isGrouped));
    default:
      return partsOf(expression).flatMap((part) => looseFields(part, isGrouped));
  }
}

// The function of a window applies to the groups, so its operands are not aggregated.
function windowParts({
  of,
  partitionBy,
  orderBy,
}: Extract<ResolvedExpression, { kind: "window" }>): ResolvedExpression[] {
  const own = of.kind === "aggregate" ? partsOf(of) : [of];
  return [...own, ...partitionBy, ...orderBy.map(({ operand }) => operand)];
}

/** A text that is equal for two equivalent expressions. */
export function shapeOf(expression: ResolvedExpression): string {
  return JSON.stringify(expression, (key, part: unknown) => {
    if (typeof part === "bigint") return `${part}n`;
    if (key === "output" || key === "table") return undefined;
    if (typeof part !== "object" || part === null) return part;
    // The name of a table distinguishes it from the others of the statement.
    if ("fields" in part && part.fields instanceof Map) return { name: (part as Layout).name };
    if (!("kind" in part)) return part;
    // Apart from its name and its form, a field only describes its column.
    if (part.kind === "field") return { field: (part as Field).sql, of: (part as Field).table.name };
    if (part.kind === "parameter" && "name" in part)
      return { param: part.name, constant: "constant" in part ? part.constant : undefined, of: kindOf(part) };
    return part;
  });
}

// A date and its text are different constants.
function kindOf(parameter: object): string | undefined {
  return (parameter as ParameterPlace).form?.column?.kind;
}
