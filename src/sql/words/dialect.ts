/** The names of the four dialects. The features of each are in its grammar record, in the file with its name. */

export const dialects = ["postgres", "mariadb", "sqlite", "oracle"] as const;

/** A database family that rowtype renders for. */
export type Dialect = (typeof dialects)[number];
