/**
 * JSON Schema while it is being made, and the two directions that a schema is described for.
 */

/** JSON Schema while it is being made. */
export type Json = { [keyword: string]: unknown };

/** Which direction a schema is described for: what is taken, or what is given. */
export type Io = "input" | "output";
