/** The compile cost of rowtype, in instantiations of TypeScript 5.9. */
export interface TypeCost {
  /** 100 tables of 20 columns and 500 queries. */
  readonly total: number;
  /** One of those queries, without the declarations of the tables. */
  readonly perQuery: number;
  /** The first `where` of a program, on a table of 60 columns. */
  readonly firstWhere60: number;
  /** One more `where` in a chain, each on another column. */
  readonly furtherWhere: number;
  /** A first `where` with a misspelt field, including the text of the error. */
  readonly misspeltWhere60: number;
  /** One call of `fields` with three names. */
  readonly fieldsOfThree: number;
  /** A chain of 160 `where`. */
  readonly chain160: number;
  /** A first query of a program over 20 columns that selects a sum of a product with a parameter. */
  readonly firstSum: number;
  /** One whose condition is on a function of a function. */
  readonly firstOperandWhere: number;
  /** One that counts rows by months. */
  readonly firstDateGroup: number;
  /** One that selects raw text with two holes. */
  readonly firstRaw: number;
  /** One with all of these. */
  readonly firstOfAll: number;
  /** A first query of a program over 20 columns with two conditions by `value`. */
  readonly firstValues: number;
  /** One with a `value` in a condition of a group. */
  readonly firstValueInGroup: number;
  /** One with a range by values. */
  readonly firstRangeOfValues: number;
  /** A first full join by a relation, over two tables of 20 columns. */
  readonly firstFullJoin: number;
  /** A first join by two pairs of fields. */
  readonly firstJoinByPairs: number;
  /** A first left join by a range, written with two comparisons. */
  readonly firstJoinByRange: number;
  /** A first subquery by a condition. */
  readonly firstExistsByCondition: number;
  /** A first insert with the rows of another table inside. */
  readonly firstNestedInsert: number;
  /** `db.sql` with 40 names in a text of 1,700 characters. */
  readonly sqlNames40: number;
}

/** The compiler's settings in every measurement of types, as `compilerOptions` of a tsconfig. */
export const compilerOptions: Readonly<Record<string, unknown>>;

/** Measures the built package. Takes a few seconds. */
export function typeCost(): Promise<TypeCost>;
/** The number of instantiations of files, texts by name, which must compile. */
export function costOf(files: Readonly<Record<string, string>>): number;
