/** The names of the four dialects. The features of each are in its grammar record, in the file with its name. */

/** A database family that rowtype renders for. A union beside the list: every program that the compiler reads has it. */
export type Dialect = "postgres" | "mariadb" | "sqlite" | "oracle";

export const dialects: readonly Dialect[] = ["postgres", "mariadb", "sqlite", "oracle"];
