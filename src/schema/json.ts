/** JSON Schema under construction, and the two directions in which a schema is described. */

/** JSON Schema under construction. */
export type Json = { [keyword: string]: unknown };

/** The direction in which a schema is described: accepted or returned values. */
export type Io = "input" | "output";
