/** The steps of a path into JSON. */

/** A step: the name of a member, or a place in a list, from 0. */
export type PathKey = string | number;
