/** The names of the four dialects. What each can do is its grammar record, in the file of its name. */

/** A database family that rowtype renders for. */
export type Dialect = "postgres" | "mariadb" | "sqlite" | "oracle";
