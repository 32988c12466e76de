/** A value of a parameter of `db.sql`: a scalar, bound as what it is. Give an object as JSON text. */
export type SqlValue = string | number | bigint | boolean | Date | Uint8Array | null;
