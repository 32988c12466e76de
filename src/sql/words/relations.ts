/** Relations between tables as data: what `one` and `many` make, and the two fields that one compares. */

/** One row of the table `To`, found by the field `F` of this table. */
export interface One<out To extends string = string, out F extends string = string> {
  readonly kind: "one";
  /** The export that the table is, in the module given to `repositories`. */
  readonly to: To;
  /** The field of this table that holds the key. */
  readonly field: F;
  /** The field of theirs that is the key; `undefined` is their primary key. */
  readonly key: string | undefined;
}

/** Rows of the table `To`, found by the field `F` of theirs. */
export interface Many<out To extends string = string, out F extends string = string> {
  readonly kind: "many";
  /** The export that the table is, in the module given to `repositories`. */
  readonly to: To;
  /** The field of theirs that holds our primary key. */
  readonly field: F;
  readonly key: undefined;
}

/** A relation of a table. */
export type Relation = One | Many;

/** The relations of a table by name. */
export type Relations = Readonly<Record<string, Relation>>;

/** The type of the relations of a table that declares none. */
export type NoRelations = Record<never, never>;

/** The field of this table and that of theirs which are equal in related rows. */
interface RelatedFields {
  readonly mine: string;
  readonly theirs: string;
}

interface Keyed {
  readonly primaryKey: readonly string[];
}

/** The fields that a relation compares; `undefined` where the primary key that it needs is not one field. */
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
