/** The steps of a path into JSON. */

/** A step: the name of a member, or an index in a list, from 0. */
export type PathKey = string | number;
