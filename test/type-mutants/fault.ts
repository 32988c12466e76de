/** A fault as a tired person makes it in a type: data, which `judge.ts` plants one at a time. */

/** One fault of a file. */
export interface Fault {
  /** What stands in the source, exactly once. */
  readonly text: string;
  /** What stands there instead. */
  readonly put: string;
  /** What users of the type lose. */
  readonly breaks: string;
  /** Why no test can see it; a fault without this must be found. */
  readonly unseen?: string;
}

/** Faults by the file of `src` that they are in. */
export type Faults = Readonly<Record<string, readonly Fault[]>>;
