/** The names of the four dialects. The features of each are in its grammar record, in the file with its name. */

/**
 * A database family that rowtype renders for. It is a literal union next to the list, because the compiler reads it in
 * every program.
 */
export type Dialect = "postgres" | "mariadb" | "sqlite" | "oracle";

export const dialects: readonly Dialect[] = ["postgres", "mariadb", "sqlite", "oracle"];
