/** The compile cost of queries over several tables, in instantiations of TypeScript 5.9. */
export interface RelationTypeCost {
  /** 100 tables of 20 columns with their relations. */
  readonly declared: number;
  /** The same with 200 queries in eight shapes, of which a table has two. */
  readonly total: number;
  /** One of those queries. */
  readonly perQuery: number;
  /** The first query of a program, by each shape that was asked for. */
  readonly first: Readonly<Record<string, number>>;
  /** A left join of forty tables and one more. */
  readonly forty: number;
}

/** Measures the built package. Takes about ten seconds. */
export function relationTypeCost(firsts: readonly string[]): RelationTypeCost;
