/** The compile cost of a route of each form, its schemas included, in instantiations of TypeScript 5.9. */
export interface FormTypeCost {
  /** A GET with a parameter, an output of four fields and an error. */
  readonly plain: number;
  /** Two outputs by status. */
  readonly outputs: number;
  readonly csv: number;
  readonly file: number;
  /** A POST with a body of four fields, and the bodies of other kinds in its place. */
  readonly jsonBody: number;
  readonly form: number;
  readonly multipart: number;
  readonly severalBodies: number;
  readonly query: number;
  /** A list of a query in one text. */
  readonly style: number;
  readonly ifMatch: number;
  /** A route of a group with `use`, and the same without a group. */
  readonly inGroup: number;
  readonly alone: number;
}

/** Measures the built package. Takes about ten seconds. */
export function formTypeCost(): FormTypeCost;
