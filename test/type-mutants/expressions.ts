/** Faults in the types of expressions and conditions: what they give, what they ask, the parameters that they bring. */
import type { Faults } from "./fault.js";

export const ofExpressions: Faults = {
  "sql/types/expressions.ts": [
    {
      text: `ListingValue<T, F | FieldsOf<C>, L | LeafOf<C>>;`,
      put: `ListingValue<any, F | FieldsOf<C>, L | LeafOf<C>>;`,
      breaks: "a list of filtered rows is any",
    },
    {
      text: `export interface RankingValue<out T, out F extends string = never, out L = never> {
  /** One value for each row, over the rows around it. */
  over<const G extends string = never>(window?: Window<G>): Value<T, F | G, L>;`,
      put: `export interface RankingValue<out T, out F extends string = never, out L = never> {
  /** One value for each row, over the rows around it. */
  over<const G extends string = never>(window?: Window<G>): Value<any, F | G, L>;`,
      breaks: "the place of a row is any",
    },
    {
      text: `type EdgeResult<A, W> = undefined extends W ? A : OrNull<A>;`,
      put: `type EdgeResult<A, W> = A;`,
      breaks: "firstValue of a frame that may be empty is never null",
    },
    {
      text: `  | (W extends { readonly orderBy: readonly (readonly [infer O, unknown])[] } ? O : never);`,
      put: `  | never;`,
      breaks: "the order of a window asks nothing",
    },
    {
      text: `  ): CaseValue<T, T0, V, F | FieldsOf<C>, L | LeafOf<C> | Param<N, V>>;`,
      put: `  ): CaseValue<T, T0, V, F | FieldsOf<C>, L | LeafOf<C>>;`,
      breaks: "the label of a CASE brings no parameter",
    },
    {
      text: `  ): CaseValue<T, T0, V, F | FieldsOf<C> | SideFields<A>, L | LeafOf<C> | Label<A, V>>;`,
      put: `  ): CaseValue<T, T0, V, F | FieldsOf<C> | SideFields<A>, L | Label<A, V>>;`,
      breaks: "the condition of a label that is an operand brings no parameter",
    },
    {
      text: `  else<N extends string>(param: N): Value<T, F, L | Param<N, V>>;`,
      put: `  else<N extends string>(param: N): Value<T0, F, L | Param<N, V>>;`,
      breaks: "a CASE with else may be null",
    },
    {
      text: `extends CaseWhen<T, T0, V, F, L>, Value<T0, F, L> {`,
      put: `extends CaseWhen<T, T0, V, F, L>, Value<T, F, L> {`,
      breaks: "a CASE without else is never null",
    },
    {
      text: `type Label<A, V> = A extends Parameter<infer N> ? Param<N, V> : SideLeaves<A>;`,
      put: `type Label<A, V> = SideLeaves<A>;`,
      breaks: "param(name) as a label brings no parameter",
    },
    {
      text: `      ? LooseExpression<E>
      : Exclude`,
      put: `      ? never
      : Exclude`,
      breaks: "an expression of one row stands beside groups ungrouped",
    },
  ],
  "sql/types/conditions.ts": [
    {
      text: `export interface FittingCondition<M extends AnyModel> {
  readonly [fields]: M["field"];`,
      put: `export interface FittingCondition<M extends AnyModel> {
  readonly [fields]: string;`,
      breaks: "a group takes a condition on a field that is not there",
    },
    {
      text: `    FieldLeaves<M> | KindLeaves<M["dialect"]> | FreeLeaf | PathLeaves<M> | AskLeaves<M>
  >;`,
      put: `    unknown
  >;`,
      breaks: "a group asks nothing of its conditions",
    },
  ],
  "sql/types/leaves.ts": [
    {
      text: `    readonly boolean?: OperatorsByDialect<D>["boolean"] | NullTest;`,
      put: `    readonly boolean?: OperatorsByDialect<D>["number"] | NullTest;`,
      breaks: "a condition on an expression of truth has an order",
    },
    {
      text: `    readonly text?: OperatorsByDialect<D>["text"] | RangeTest | NullTest;`,
      put: `    readonly text?: OperatorsByDialect<"postgres">["text"] | RangeTest | NullTest;`,
      breaks: "a condition on an expression of text has the operators of PostgreSQL everywhere",
    },
    {
      text: `    readonly any?: NullTest;`,
      put: `    readonly any?: unknown;`,
      breaks: "a condition on bytes takes any operator",
    },
    {
      text: `readonly on: { readonly [P in M["field"]]?: M["columns"][P]["tests"] };`,
      put: `readonly on: { readonly [P in M["field"]]?: unknown };`,
      breaks: "a condition takes any operator of any field",
    },
  ],
  "sql/types/asks.ts": [
    {
      text: `    | { [To in M["relation"]]: Rows<To, TargetName<M, To>, M["dialect"]> }[M["relation"]]`,
      put: `    | { [To in M["relation"]]: Rows<To, unknown, M["dialect"]> }[M["relation"]]`,
      breaks: "exists takes a query of a table that the relation does not lead to",
    },
    {
      text: `    | Values<{ readonly [F in M["field"]]?: Wide<M["columns"][F]["value"]> }, M["dialect"]>`,
      put: `    | Values<{ readonly [F in M["field"]]?: unknown }, M["dialect"]>`,
      breaks: "inQuery takes a query of values of another type",
    },
    {
      text: `    | Alikes<{ readonly [F in M["field"]]?: Alike<M, F>["field"] }>`,
      put: `    | Alikes<{ readonly [F in M["field"]]?: M["field"] }>`,
      breaks: "compare takes fields of two types",
    },
    {
      text: `        [To in M["relation"]]: KindOfRelation<M, To> extends "many"`,
      put: `        [To in M["relation"]]: KindOfRelation<M, To> extends string`,
      breaks: "of takes a relation to one",
    },
    {
      text: `          ? Gathered<To, RelationTarget<M, To>["field"], LeavesIn<RelationTarget<M, To>>>`,
      put: `          ? Gathered<To, string, LeavesIn<RelationTarget<M, To>>>`,
      breaks: "an aggregate of related rows is of a field that they do not have",
      unseen: "What the aggregate asks names its field too, and is refused; count(field) asks nothing.",
    },
  ],
  "sql/expression/aggregates.ts": [
    {
      text: `export function count(): AggregateValue<Is<number>>;`,
      put: `export function count(): AggregateValue<Is<any>>;`,
      breaks: "count is any",
    },
    {
      text: `): AggregateValue<Of<F, "amountOrNull">, F, Leaf<F, "a number", never>>;`,
      put: `): AggregateValue<Of<F, "amount">, F, Leaf<F, "a number", never>>;`,
      breaks: "the sum of nothing is not null",
    },
    {
      text: `): AggregateValue<Fn<"amountOrNull", T>, F, L | ColumnNeed<T, "a number">>;`,
      put: `): AggregateValue<Fn<"amountOrNull", T>, F, L>;`,
      breaks: "the sum of an expression asks nothing",
    },
    {
      text: `export function avg<F extends string>(
  field: F,
): AggregateValue<Of<F, "averageOrNull">, F, Leaf<F, "a number", never>>;`,
      put: `export function avg<F extends string>(
  field: F,
): AggregateValue<Of<F, "averageOrNull">, F>;`,
      breaks: "avg takes a text",
    },
    {
      text: `export function min<F extends string>(
  field: F,
): AggregateValue<Of<F, "orNull">, F, Leaf<F, "an order", never>>;`,
      put: `export function min<F extends string>(
  field: F,
): AggregateValue<Of<F, "same">, F, Leaf<F, "an order", never>>;`,
      breaks: "min of no rows is not null",
    },
    {
      text: `export function max<T, F extends string, L>(
  operand: OperandExpression<T, F, L, "plain">,
)`,
      put: `export function max<T, F extends string, L>(
  operand: OperandExpression<T, F, L>,
)`,
      breaks: "max takes an aggregate",
    },
    {
      text: `export function countDistinct<F extends string, L>(
  operand: OperandExpression<unknown, F, L, "plain">,
): AggregateValue<Is<number>, F, L>;`,
      put: `export function countDistinct<F extends string, L>(
  operand: OperandExpression<unknown, F, L, "plain">,
): AggregateValue<Is<number>, F>;`,
      breaks: "countDistinct loses the parameters of its operand",
    },
  ],
  "sql/expression/arithmetic.ts": [
    {
      text: `): Value<Sum<Of<F, "same">, Of<G, "same">>, F | G, Leaf<F, "a number", never> | Leaf<G, "a number", never>>;
  // Repeats`,
      put: `): Value<Sum<Of<F, "same">, Of<G, "same">>, F | G, Leaf<F, "a number", never>>;
  // Repeats`,
      breaks: "the second operand of a calculation may be a text",
    },
    {
      text: `): Value<Fn<"amount", Of<F, "same">>, F, Leaf<F, "a number", never> | Beside<N, Of<F, "same">>>;`,
      put: `): Value<Fn<"amount", Of<F, "same">>, F, Leaf<F, "a number", never>>;`,
      breaks: "a parameter of a calculation is lost",
    },
    {
      text: `    Fn<"orNull", Sum<Of<F, "same">, Of<G, "same">>>,`,
      put: `    Sum<Of<F, "same">, Of<G, "same">>,`,
      breaks: "the quotient of two fields is never null",
    },
    {
      text: `    Fn<"orNull", Fn<"amount", Of<F, "same">>>,`,
      put: `    Fn<"amount", Of<F, "same">>,`,
      breaks: "the quotient of a field and a parameter is never null",
    },
    {
      text: `  readonly [result]: Fn<"orNull", Calculated<A, B>>;`,
      put: `  readonly [result]: Calculated<A, B>;`,
      breaks: "a quotient of expressions, as an operand, is never null",
    },
    {
      text: `  readonly as: Value<
    Fn<"orNull", Calculated<A, B>>,`,
      put: `  readonly as: Value<
    Calculated<A, B>,`,
      breaks: "a quotient of expressions is never null",
    },
    {
      text: `  | ColumnNeed<SideResult<A | B>, "a number">`,
      put: `  | never`,
      breaks: "a calculation with expressions asks nothing of their columns",
    },
    {
      text: `  | Neighbour<A, B>
  | Neighbour<B, A>;`,
      put: `  | Neighbour<B, A>;`,
      breaks: "a parameter before an expression is lost",
    },
    {
      text: `    right: B & NumberSide<B> & BesideOperand<A, B>,
  ): CalculatedValue<A, B>;`,
      put: `    right: B & NumberSide<B>,
  ): CalculatedValue<A, B>;`,
      breaks: "a calculation has two parameters without a schema",
    },
  ],
  "sql/expression/scalars.ts": [
    {
      text: `type TextOf<F extends string, L = never> = Value<Of<F, "text">, F, Leaf<F, "text", never> | L>;`,
      put: `type TextOf<F extends string, L = never> = Value<Of<F, "text">, F, L>;`,
      breaks: "upper takes a number",
    },
    {
      text: `type TextOf<F extends string, L = never> = Value<Of<F, "text">, F, Leaf<F, "text", never> | L>;`,
      put: `type TextOf<F extends string, L = never> = Value<Of<F, "text">, F, Leaf<F, "text", never>>;`,
      breaks: "the parameters of substring and replace are lost",
    },
    {
      text: `  L | ColumnNeed<T, "text">,
  R
>;
/** A function of a field of numbers. */`,
      put: `  L | ColumnNeed<T, "text">
>;
/** A function of a field of numbers. */`,
      breaks: "a function of an aggregate gathers no rows",
    },
    {
      text: `): Value<Is<string>, F[number], Leaf<F[number], "text", never>>;`,
      put: `): Value<Is<string>, F[number]>;`,
      breaks: "concat takes numbers",
    },
    {
      text: `): TextOf<F, Param<S, number> | Param<N, number>>;`,
      put: `): TextOf<F, Param<S, number>>;`,
      breaks: "substring loses its length",
    },
    {
      text: `): TextOf<F, Param<S, string> | Param<N, string>>;`,
      put: `): TextOf<F, Param<S, any> | Param<N, string>>;`,
      breaks: "replace searches for any",
    },
    {
      text: `export function sqrt<F extends string>(field: F): NumberOf<F, "numberOrNull">;`,
      put: `export function sqrt<F extends string>(field: F): NumberOf<F, "number">;`,
      breaks: "the square root of a number below 0 is not null",
    },
    {
      text: `): NumberFn<"numberOrNull", T, F, L, R>;`,
      put: `): NumberFn<"number", T, F, L, R>;`,
      breaks: "the square root of an expression is never null",
    },
    {
      text: `): NumberOf<F, "number", Param<N, number>>;`,
      put: `): NumberOf<F, "number">;`,
      breaks: "power brings no parameter",
    },
    {
      text: `export function currentDate(): Value<Is<string>> {`,
      put: `export function currentDate(): Value<Is<Date>> {`,
      breaks: "the server's date is a Date",
    },
    {
      text: `): Value<Of<F, "value">, F, Leaf<F, "=", N>>;`,
      put: `): Value<Of<F, "same">, F, Leaf<F, "=", N>>;`,
      breaks: "coalesce with a parameter may be null",
    },
    {
      text: `  operand: A & WithSchema<A>,`,
      put: `  operand: A,`,
      breaks: "coalesce begins with a parameter without a schema",
    },
    {
      text: `  ? First<SideResult<A>, FirstOf<B>>
  : Fn<"value", SideResult<A>>;`,
      put: `  ? First<SideResult<A>, FirstOf<B>>
  : SideResult<A>;`,
      breaks: "coalesce of an expression with a parameter may be null",
    },
    {
      text: `  SideLeaves<A> | SideLeaves<B[number]> | Neighbour<Named<B[number]>, A>,`,
      put: `  SideLeaves<A> | SideLeaves<B[number]>,`,
      breaks: "coalesce of an expression loses its parameter",
    },
    {
      text: `): Value<Of<F, "orNull">, F, Leaf<F, "=", N>>;`,
      put: `): Value<Of<F, "same">, F, Leaf<F, "=", N>>;`,
      breaks: "nullIf is never null",
    },
    {
      text: `  Fn<"orNull", SideResult<A>>,
  SideFields<A> | ArgumentFields<B>,`,
      put: `  SideResult<A>,
  SideFields<A> | ArgumentFields<B>,`,
      breaks: "nullIf of an expression is never null",
    },
    {
      text: `  readonly integer: "number";`,
      put: `  readonly integer: "amount";`,
      breaks: "a bigint that is cast to integer is a bigint",
    },
    {
      text: `): Value<Of<F, CastResults[To]>, F, Leaf<F, "a scalar", never>>;`,
      put: `): Value<Of<F, CastResults[To]>, F>;`,
      breaks: "cast takes JSON",
    },
    {
      text: `): Value<Of<F, "number">, F, Leaf<F, "a vector", never> | Param<N, readonly number[]>> {`,
      put: `): Value<Of<F, "number">, F, Param<N, readonly number[]>> {`,
      breaks: "distance takes a field that is no vector",
    },
  ],
  "sql/expression/dates.ts": [
    {
      text: `type Count = Exclude<NumberLike, IsDecimal<string | null>>;`,
      put: `type Count = NumberLike;`,
      breaks: "dateAdd moves by a decimal",
    },
    {
      text: `  | (A extends Parameter<infer P> ? Param<P, V> : SideLeaves<A>)`,
      put: `  | SideLeaves<A>`,
      breaks: "param(name) in dateAdd is lost",
    },
    {
      text: `  | (A extends Parameter<string> ? never : ColumnNeed<SideResult<A>, N>);`,
      put: `  | never;`,
      breaks: "dateAdd and dateDiff ask nothing of their fields",
    },
    {
      text: `): Value<Of<F, "date">, F, Leaf<F, "a date", never>>;`,
      put: `): Value<Of<F, "same">, F>;`,
      breaks: "dateTrunc takes a text",
    },
    {
      text: `): Value<Of<F, "number">, F, Leaf<F, "a date", never>>;`,
      put: `): Value<Of<F, "number">, F>;`,
      breaks: "datePart takes a text",
    },
    {
      text: `  Fn<"number", NullWith<Given<A, Date>, Given<B, Date>>>,
  SideFields<A | B>,
  Asked<A | B, Date, "a date">,`,
      put: `  Fn<"number", Given<A, Date>>,
  SideFields<A | B>,
  Asked<A | B, Date, "a date">,`,
      breaks: "dateDiff to a nullable date is never null",
    },
    {
      text: `  Fn<"number", NullWith<Given<A, Date>, Given<B, Date>>>,
  SideFields<A | B>,
  Asked<A | B, Date, "a date"> | ZoneLeaves<Z>,`,
      put: `  Fn<"number", Given<A, Date>>,
  SideFields<A | B>,
  Asked<A | B, Date, "a date"> | ZoneLeaves<Z>,`,
      breaks: "dateDiff to a nullable date in a zone is never null",
    },
    {
      text: `  Asked<A, Date, "a date"> | Asked<N, number, "a number"> | ZoneLeaves<Z>,`,
      put: `  Asked<A, Date, "a date"> | ZoneLeaves<Z>,`,
      breaks: "dateAdd in a zone takes a text as its number of units",
    },
    {
      text: `): Value<Fn<"date", Given<A, Date>>, SideFields<A>, `,
      put: `): Value<Is<Date>, SideFields<A>, `,
      breaks: "dateTrunc of a nullable field in a zone is never null",
    },
    {
      text: `): Value<Fn<"number", Given<A, Date>>, SideFields<A>, `,
      put: `): Value<Is<number>, SideFields<A>, `,
      breaks: "datePart of a nullable field in a zone is never null",
    },
    {
      text: `type ZoneLeaves<Z> = Z extends Parameter<infer P> ? Param<P, string> : SideLeaves<Z>;`,
      put: `type ZoneLeaves<Z> = Z extends Parameter<infer P> ? Param<P, string> : never;`,
      breaks: "a zone that is a parameter with a schema is lost",
    },
    {
      text: `type ZoneSide = string | Parameter<string> | OperandExpression<Is<string>, never, unknown, "plain">;`,
      put: `type ZoneSide = string | Parameter<string> | OperandExpression;`,
      breaks: "any expression is a zone",
    },
    {
      text: `): Value<Is<Date>, never, Param<N, Date>>;`,
      put: `): Value<Is<Date>, never>;`,
      breaks: "dateTrunc of a parameter loses it",
    },
  ],
  "sql/expression/extremes.ts": [
    {
      text: `  | ColumnNeed<SideResult<S>, "a scalar">`,
      put: `  | never`,
      breaks: "greatest takes JSON",
    },
    {
      text: `    : Fn<"value", AnyOf<SideResult<S>>>;`,
      put: `    : AnyOf<SideResult<S>>;`,
      breaks: "greatest with a parameter may be null",
    },
    {
      text: `  ? Is<SqlTypeError<"give one of these parameters a schema">>`,
      put: `  ? Is<any>`,
      breaks: "greatest of parameters without a schema is any",
    },
  ],
  "sql/expression/listings.ts": [
    {
      text: `  Is<string | null>,
  SideFields<A | O[number][0]>,`,
      put: `  Is<string>,
  SideFields<A | O[number][0]>,`,
      breaks: "textAgg of no rows is not null",
    },
    {
      text: `ColumnNeed<SideResult<A>, "text"> | ParamIn<S, string> | SideLeaves<S>`,
      put: `ColumnNeed<SideResult<A>, "text"> | SideLeaves<S>`,
      breaks: "the separator of textAgg brings no parameter",
    },
    {
      text: `ColumnNeed<SideResult<A>, "text"> | ParamIn`,
      put: `ParamIn`,
      breaks: "textAgg takes numbers",
    },
    {
      text: `  SideLeaves<A | O[number][0]> | ColumnNeed<SideResult<A>, "a scalar">
> {`,
      put: `  SideLeaves<A | O[number][0]>
> {`,
      breaks: "listAgg takes JSON",
    },
    {
      text: `  ListResult<SideResult<A>>,
  SideFields<A | O[number][0]>,`,
      put: `  ListResult<SideResult<A>>,
  SideFields<A>,`,
      breaks: "listAgg is ordered by a field that is not there",
    },
  ],
  "sql/expression/condition.ts": [
    {
      text: `): Condition<F, Leaf<F, O, N>>;
export function c<T`,
      put: `): Condition<F, Leaf<F, O, never>>;
export function c<T`,
      breaks: "c brings no parameter",
    },
    {
      text: `): Condition<F, L | TestOf<T, O, N>>;`,
      put: `): Condition<F, TestOf<T, O, N>>;`,
      breaks: "c of an expression loses the parameters in it",
    },
    {
      text: `): Condition<F, Leaf<F, RangeTest, L | H>>;
export function between<T`,
      put: `): Condition<F, Leaf<F, RangeTest, L>>;
export function between<T`,
      breaks: "between loses its upper bound",
    },
    {
      text: `export function and<const C extends readonly Condition[]>(
  ...conditions: C
): Condition<FieldsOf<C[number]>, LeafOf<C[number]>> {`,
      put: `export function and<const C extends readonly Condition[]>(
  ...conditions: C
): Condition<FieldsOf<C[number]>, any> {`,
      breaks: "what and asks is any",
    },
    {
      text: `export function or<const C extends readonly Condition[]>(
  ...conditions: C
): Condition<FieldsOf<C[number]>, LeafOf<C[number]>> {`,
      put: `export function or<const C extends readonly Condition[]>(
  ...conditions: C
): Condition<FieldsOf<C[number]>, LeafOf<C[0]>> {`,
      breaks: "or sees its first condition only",
    },
    {
      text: `export function not<const C extends Condition>(condition: C): Condition<FieldsOf<C>, LeafOf<C>> {`,
      put: `export function not<const C extends Condition>(condition: C): Condition<FieldsOf<C>, never> {`,
      breaks: "not loses the parameters of its condition",
    },
  ],
  "sql/types/sql-text.ts": [
    {
      text: `            ? Declared<P[Name]>`,
      put: `            ? any`,
      breaks: "a parameter of a text with a schema is any",
    },
    {
      text: `          : SqlTypeError<"the text has no parameter of this name">;`,
      put: `          : unknown;`,
      breaks: "a text has schemas of parameters that it does not have",
    },
    {
      text: `[How] extends ["value"] ? SqlValueOn[D] : readonly SqlValue[];`,
      put: `SqlValueOn[D];`,
      breaks: "a list that is written out takes one value",
    },
    {
      text: `    : [params: P, options?: ExecOptions];`,
      put: `    : [params?: P, options?: ExecOptions];`,
      breaks: "a text may be executed without its parameters",
    },
    {
      text: `  readonly sqlite: SqlValue;`,
      put: `  readonly sqlite: SqlValue | readonly SqlValue[];`,
      breaks: "SQLite has arrays",
    },
    {
      text: `  ? Rest extends \`:\${infer After}\`
    ? MarksIn<After, Found>`,
      put: `  ? Rest extends \`:\${infer After}\`
    ? MarksIn<Rest, Found>`,
      breaks: "a cast of PostgreSQL is a parameter",
    },
  ],
};
