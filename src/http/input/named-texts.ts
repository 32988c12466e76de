/** What is read by name: parameters of a request, and fields of a form. */

/** Texts by name. */
export interface NamedTexts {
  /** The texts of a name. A list may have any number; `undefined` if the request does not have the name. */
  of(name: string, many: boolean): readonly string[] | undefined;
  /** A value that is no text, of a body that middleware has read. */
  other?(name: string): unknown;
  /** The existing names, if only the caller chooses them. */
  readonly names?: Iterable<string>;
  /** The items of a name that commas separate, decoded one by one; for each time that the name is there. */
  items?(name: string): readonly (readonly string[])[];
}
