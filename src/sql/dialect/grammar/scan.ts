/** How the caller's SQL text is searched for `:name`: the parts that are not code, for each dialect. */

// A doubled quote ends one literal and begins the next, with the same result. An unclosed literal extends to the
// end; the server refuses it.
export const TEXT = "'[^']*(?:'|$)";
export const NAME = '"[^"]*(?:"|$)';
export const BACKTICKS = "`[^`]*(?:`|$)";
export const DASHES = "--[^\\n]*";
export const COMMENT = "/\\*[\\s\\S]*?(?:\\*/|$)";
