/** Faults in the types of builders: rows, parameters, joins, groups, writes, what stands in other queries. */
import type { Faults } from "./fault.js";

export const ofBuilders: Faults = {
  "sql/types/bound.ts": [
    {
      text: `B[K] extends Bound<infer R> ? R : never;`,
      put: `unknown;`,
      breaks: "the results of bound calls are unknown",
    },
    {
      text: `  atomic<const B extends readonly Bound<unknown, D>[]>(`,
      put: `  atomic<const B extends readonly Bound<unknown>[]>(`,
      breaks: "a call of another dialect is executed together",
    },
  ],
  "sql/types/alike.ts": [
    {
      text: `      : V extends Columns[N]["value"]
        ? N
        : never`,
      put: `      : N`,
      breaks: "fields of two types are compared",
    },
  ],
  "sql/types/params.ts": [
    {
      text: `(type: Each["type"]) => void : never;
} extends infer Sinks
  ? { [Name in keyof Sinks]: Sinks[Name] extends (type: infer T) => void ? T : never }`,
      put: `Each["type"] : never;
} extends infer Sinks
  ? { [Name in keyof Sinks]: Sinks[Name] }`,
      breaks: "a parameter of two places takes what only one of them does",
    },
    {
      text: `  ? [params?: NoParams | ExecOptions, options?: ExecOptions]
  : [P] extends [RequiredParam]
    ? [params: Merged<P>, options?: ExecOptions]`,
      put: `  ? [params?: NoParams | ExecOptions, options?: ExecOptions]
  : [P] extends [RequiredParam]
    ? [params?: Merged<P>, options?: ExecOptions]`,
      breaks: "exec may be called without its parameters",
    },
    {
      text: `? [params?: ParamsObject<P>, options?: ExecOptions]
      : [params: ParamsObject<P>, options?: ExecOptions];`,
      put: `? [params?: ParamsObject<P>, options?: ExecOptions]
      : [params?: ParamsObject<P>, options?: ExecOptions];`,
      breaks: "exec may be called without parameters where some are optional",
    },
    {
      text: `? [params?: ParamsObject<P>, options?: ExecOptions]`,
      put: `? [params: ParamsObject<P>, options?: ExecOptions]`,
      breaks: "exec demands an object where all parameters are optional",
    },
    {
      text: `    ? [params: Merged<P>]
    : `,
      put: `    ? [params?: Merged<P>]
    : `,
      breaks: "execTx may be called without its parameters",
    },
    {
      text: `export type NoParams = Record<string, SqlTypeError<"this builder has no parameters">>;`,
      put: `export type NoParams = Record<string, unknown>;`,
      breaks: "a builder without parameters takes some",
    },
    {
      text: `? Param<N, T, "optional"> : never;`,
      put: `? Param<N, T> : never;`,
      breaks: "the parameters of an optional condition are demanded",
    },
    {
      text: `Partial<Merged<Exclude<Optional, Param<Required["name"], unknown, "optional">>>>`,
      put: `Merged<Exclude<Optional, Param<Required["name"], unknown, "optional">>>`,
      breaks: "optional parameters are demanded",
    },
    {
      text: `(Name extends Required["name"] ? never : undefined)`,
      put: `undefined`,
      breaks: "a parameter that is demanded may be undefined beside optional ones",
    },
  ],
  "sql/types/returning.ts": [
    {
      text: `[Name in M["own" | "alias"] | symbol]`,
      put: `[Name in M["alias"] | symbol]`,
      breaks: "what a change returns may have the name of a field",
    },
  ],
  "sql/types/operands.ts": [
    {
      text: `[Name in M["own" | "alias"] | symbol]`,
      put: `[Name in M["own"] | symbol]`,
      breaks: "an expression may have the name of a joined table",
    },
    {
      text: `E extends Answer ? E`,
      put: `E extends WithLeaves ? E`,
      breaks: "after an expression whose name is taken, exec asks for parameters that nobody named",
    },
    {
      text: `  ? "plain"
  : A extends unknown
    ? RoleOfOperand<A> extends "plain"`,
      put: `  ? "plain"
  : A extends never
    ? RoleOfOperand<A> extends "plain"`,
      breaks: "arithmetic with an aggregate does not gather rows",
    },
    {
      text: `        : Loose<SideFields<A>>
      : RoleOfOperand<A>`,
      put: `        : never
      : RoleOfOperand<A>`,
      breaks: "a field beside an aggregate, in one expression, needs no group",
    },
    {
      text: `  readonly [role]: "plain";
}

/** One of values that have an order. */`,
      put: `  readonly [role]: ExpressionRole;
}

/** One of values that have an order. */`,
      breaks: "conditions take aggregates",
    },
    {
      text: `export interface FittingOperand<M extends AnyModel> {
  readonly [fields]: M["field"];`,
      put: `export interface FittingOperand<M extends AnyModel> {
  readonly [fields]: string;`,
      breaks: "orderBy takes an expression of a field that is not there",
    },
    {
      text: `  readonly [leaves]: FieldLeaves<M> | KindLeaves<M["dialect"]> | FreeLeaf | PathLeaves<M> | AskLeaves<M>;
}

/** One of single rows`,
      put: `  readonly [leaves]: unknown;
}

/** One of single rows`,
      breaks: "orderBy asks nothing of an expression",
    },
    {
      text: `  readonly [fields]: M["field"];
  readonly [leaves]: FieldLeaves<M> | KindLeaves<M["dialect"]> | FreeLeaf | PathLeaves<M> | AskLeaves<M>;
  // A key`,
      put: `  readonly [fields]: string;
  readonly [leaves]: FieldLeaves<M> | KindLeaves<M["dialect"]> | FreeLeaf | PathLeaves<M> | AskLeaves<M>;
  // A key`,
      breaks: "fields takes an expression of a field that is not there",
    },
    {
      text: `  readonly [fields]: M["field"];
  readonly [leaves]: FieldLeaves<M> | KindLeaves<M["dialect"]> | FreeLeaf | PathLeaves<M> | AskLeaves<M>;
  // A key`,
      put: `  readonly [fields]: M["field"];
  readonly [leaves]: unknown;
  readonly alias: string;`,
      breaks: "fields asks nothing of an expression: the sum of a text",
    },
    {
      text: `export interface FittingRange<M extends AnyModel> extends FittingPlain<M> {
  readonly [result]: RangeLike;`,
      put: `export interface FittingRange<M extends AnyModel> extends FittingPlain<M> {
  readonly [result]: unknown;`,
      breaks: "BETWEEN takes an expression of truth",
      unseen: "What has no order is refused by its operators too.",
    },
    {
      text: `A extends WithResult<infer T> ? Exclude<ResultIn<M, T>, null> : never;

/**
 * The parameters of a builder with`,
      put: `A extends WithResult<infer T> ? ResultIn<M, T> : never;

/**
 * The parameters of a builder with`,
      breaks: "the parameter beside an expression may be null",
    },
    {
      text: `  ? P | ParamsOfLeaves<M, A[typeof leaves]>
  : P;`,
      put: `  ? P
  : P;`,
      breaks: "parameters inside an operand are lost",
    },
    {
      text: `  ? P | ParamsOfLeaves<M, A[typeof leaves]> | Param<N, OperandOf<ValueIn<M, A>, O>>`,
      put: `  ? P | Param<N, OperandOf<ValueIn<M, A>, O>>`,
      breaks: "where of an expression loses the parameters in it",
    },
    {
      text: ` | Param<N, OperandOf<ValueIn<M, A>, O>>
  : never;`,
      put: ` | Param<N, any>
  : never;`,
      breaks: "the parameter beside an expression is any",
    },
    {
      text: `    ? M["columns"][T["field"] & M["field"]]["operators"]
    : OperatorsOfResult<M, T>
  : "=";`,
      put: `    ? M["columns"][T["field"] & M["field"]]["operators"]
    : any
  : "=";`,
      breaks: "an expression takes any operator",
    },
    {
      text: `"<" extends OperatorsOn<M, A> ? unknown : SqlTypeError<"these values have no order">;`,
      put: `unknown;`,
      breaks: "BETWEEN takes a path to a truth value",
    },
    {
      text: `export type Neighbour<P, Other> = P extends Parameter<infer N> ? Beside<N, SideResult<Other>> : never;`,
      put: `export type Neighbour<P, Other> = never;`,
      breaks: "a parameter without a schema is lost",
    },
    {
      text: `  : A extends Parameter<infer N>
    ? Param<N, T>
    : never;`,
      put: `  : never;`,
      breaks: "param(name) as an argument of a function is lost",
    },
    {
      text: `  ? A
  : SqlTypeError<"this is not a number">;`,
      put: `  ? A
  : A;`,
      breaks: "arithmetic takes expressions that are not numbers",
    },
    {
      text: `      ? SqlTypeError<"give one of these parameters a schema">
      : unknown
    : unknown;`,
      put: `      ? unknown
      : unknown
    : unknown;`,
      breaks: "two parameters without a schema stand beside each other",
    },
    {
      text: `    ? Fn<"amount", SideResult<B>>
    : B extends`,
      put: `    ? any
    : B extends`,
      breaks: "arithmetic of a parameter and an expression is any",
    },
    {
      text: `    ? First<SideResult<Head>, FirstOf<Rest>>`,
      put: `    ? SideResult<Head>`,
      breaks: "coalesce sees its second operand only",
    },
    {
      text: `[ValueOf<M, A>] extends [Kin<ValueOf<M, B>>]
  ? unknown
  : SqlTypeError<"values of two types cannot be compared">;`,
      put: `unknown;`,
      breaks: "whereFields compares a text with a number",
    },
    {
      text: `type Kin<V> = V extends string ? string : V extends number ? number : V extends boolean ? boolean : V;`,
      put: `type Kin<V> = V;`,
      breaks: "whereFields refuses a text beside an enum",
    },
  ],
  "sql/types/selecting.ts": [
    {
      text: `whereNull(field: M["field"]): Builders`,
      put: `whereNull(field: string): Builders`,
      breaks: "whereNull takes a field that is not there",
    },
    {
      text: `orderBy(field: M["field"] | AliasOf<R, M>, direction`,
      put: `orderBy(field: string, direction`,
      breaks: "orderBy takes a field that is not there",
    },
    {
      text: `    ...none: A & {} extends FittingPlain<M> ? never[] : [never]
  ): Tested<`,
      put: `    ...none: never[]
  ): Tested<`,
      breaks: "where takes an expression that does not fit",
    },
    {
      text: `    ...none: A & {} extends FittingOperand<M> ? never[] : [never]
  ): Builders<R, WithOperand<P, M, A>, M, S>[K];
  /** Adds a term to the order and says`,
      put: `    ...none: never[]
  ): Builders<R, WithOperand<P, M, A>, M, S>[K];
  /** Adds a term to the order and says`,
      breaks: "orderBy takes an expression that does not fit",
    },
    {
      text: `    ...none: A & {} extends FittingRange<M> ? never[] : [never]
  ): Tested<`,
      put: `    ...none: never[]
  ): Tested<`,
      breaks: "whereBetween takes an expression that has no order",
    },
  ],
  "sql/types/changing.ts": [
    {
      text: `    keys: K & Reaching<M, F, K>,
    param: N,`,
      put: `    keys: K,
    param: N,`,
      breaks: "setPath leads to a member that is not there",
    },
    {
      text: `    value: C & Constant<NoInfer<Kept<M["columns"][F]["type"]>>>,`,
      put: `    value: C & Constant<unknown>,`,
      breaks: "a field is set to a value of another type",
    },
    {
      text: `    value: C & Constant<NoInfer<Kept<SettableAt<M["columns"][F]["type"], K>>>>,`,
      put: `    value: C & Constant<unknown>,`,
      breaks: "a member of a JSON field is set to a value of another type",
    },
    {
      text: `    operator: ArithmeticOperator,
    value: C & Constant<NoInfer<M["columns"][F]["value"]>>,`,
      put: `    operator: ArithmeticOperator,
    value: C & Constant<unknown>,`,
      breaks: "arithmetic takes a value of another type",
    },
    {
      text: `  readonly execEach: Changing<S, ForEach<P, (M["row"] | null)[]>>;`,
      put: `  readonly execEach: Changing<S, ForEach<P, M["row"][]>>;`,
      breaks: "execEach of an update gives null where no row was met",
    },
    {
      text: `  readonly execEach: Gated<S, "DELETE", ForEach<P, (M["row"] | null)[]>>;`,
      put: `  readonly execEach: ForEach<P, (M["row"] | null)[]>;`,
      breaks: "execEach of a removal needs a condition",
    },
  ],
};
