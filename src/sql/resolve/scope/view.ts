/** The names that a client may use: the fields of a table, and its relations to other tables. */

/** The names that a client may use of a table. */
export interface ClientView {
  /** Its fields; undefined for all. */
  readonly fields: ReadonlySet<string> | undefined;
  /** The relations that it may use, and the names that it may use of their tables. */
  readonly relations: ReadonlyMap<string, ClientView>;
}

/** The names that may be used; undefined for a program, which may use all names. */
export type Visible = ClientView | undefined;

/** Whether a field of the table may be named. */
export function mayName(visible: Visible, field: string): boolean {
  return visible?.fields === undefined || visible.fields.has(field);
}
