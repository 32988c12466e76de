/** The rules of a table as data, for the rooms that only read declarations. */

interface RuledTable {
  readonly rules?: { readonly opened: ReadonlySet<string> } | undefined;
}

interface RuledColumn {
  readonly readOnly: boolean;
  readonly property: string;
}

/** Whether the database or a rule of the table sets a column, so that no insert or update may give it. */
export function isReadOnly({ readOnly, property }: RuledColumn, { rules }: RuledTable): boolean {
  return readOnly && rules?.opened.has(property) !== true;
}
