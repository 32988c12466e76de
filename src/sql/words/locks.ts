/** The names of row locks. */

/** How strongly rows are locked. */
export const lockModes = ["update", "no_key_update", "share", "key_share"] as const;
/** How strongly a query locks its rows. */
export type LockMode = (typeof lockModes)[number];
