/** A value of a parameter of `db.sql`: a scalar, bound by its own type. Pass an object as JSON text. */
export type SqlValue = string | number | bigint | boolean | Date | Uint8Array | null;
