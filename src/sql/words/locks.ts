/** The names of row locks. */

/** The strengths of row locks. */
export const lockModes = ["update", "no_key_update", "share", "key_share"] as const;
/** How strongly a query locks its rows. */
export type LockMode = (typeof lockModes)[number];
