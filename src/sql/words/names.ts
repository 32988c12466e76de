/** The names that callers give to what is in one statement: parameters, expressions, joined tables. */

/** What such a name is. */
export const NAME: RegExp = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;
