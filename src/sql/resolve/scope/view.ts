/** What a client may name: the fields of a table, and the relations that lead on from it. */

/** What a client may name of a table. */
export interface ClientView {
  /** Its fields; undefined for all. */
  readonly fields: ReadonlySet<string> | undefined;
  /** The relations that it may use, and what it may name behind them. */
  readonly relations: ReadonlyMap<string, ClientView>;
}

/** What may be named; undefined for everything, which a program may. */
export type Visible = ClientView | undefined;

/** Whether a field of the table may be named. */
export function mayName(visible: Visible, field: string): boolean {
  return visible?.fields === undefined || visible.fields.has(field);
}
