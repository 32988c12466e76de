/** The names of row locks. */

/** How strongly rows are locked. */
export type LockMode = "update" | "no_key_update" | "share" | "key_share";
