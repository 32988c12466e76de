/** The names of the four dialects. The features of each are in its grammar record, in the file with its name. */

/** A database family that rowtype renders for. A literal union next to the list: the compiler reads it everywhere. */
export type Dialect = "postgres" | "mariadb" | "sqlite" | "oracle";

export const dialects: readonly Dialect[] = ["postgres", "mariadb", "sqlite", "oracle"];
