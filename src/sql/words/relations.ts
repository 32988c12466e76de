/** Relations between tables as data: the results of `one` and `many`, and the two fields that a relation compares. */

/** One row of the table `To`, found by the field `F` of this table. */
export interface One<out To extends string = string, out F extends string = string> {
  readonly kind: "one";
  /** The name of the target table's export in the module given to `repositories`. */
  readonly to: To;
  /** The field of this table that holds the key. */
  readonly field: F;
  /** The key field of the target table; `undefined` is its primary key. */
  readonly key: string | undefined;
}

/** Rows of the table `To`, found by its field `F`. */
export interface Many<out To extends string = string, out F extends string = string> {
  readonly kind: "many";
  /** The name of the target table's export in the module given to `repositories`. */
  readonly to: To;
  /** The field of the target table that holds our primary key. */
  readonly field: F;
  readonly key: undefined;
}

/** A relation of a table. */
export type Relation = One | Many;

/** The relations of a table by name. */
export type Relations = Readonly<Record<string, Relation>>;

/** The type of the relations of a table that declares none. */
export type NoRelations = Record<never, never>;

/** The fields of both tables that are equal in related rows. */
interface RelatedFields {
  readonly mine: string;
  readonly theirs: string;
}

interface Keyed {
  readonly primaryKey: readonly string[];
}

/** The fields that a relation compares; `undefined` if the primary key that it needs is not one field. */
export function relatedFields(
  { kind, field, key }: Relation,
  table: Keyed,
  target: Keyed,
): RelatedFields | undefined {
  const mine = kind === "one" ? field : onlyOne(table.primaryKey);
  const theirs = kind === "one" ? (key ?? onlyOne(target.primaryKey)) : field;
  return mine === undefined || theirs === undefined ? undefined : { mine, theirs };
}

function onlyOne(key: readonly string[]): string | undefined {
  return key.length === 1 ? key[0] : undefined;
}
