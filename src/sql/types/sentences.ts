/**
 * Compiler errors that are sentences, for errors that a list of names cannot express.
 *
 * Methods that take a field or an expression have a signature for each. Where none fits, TypeScript 5.9 and 6.0 say just
 * that, and 7.0 tells of the last. So the signature of expressions ends in `...none`, an argument that nobody gives where
 * the first is no expression that fits: then it is out, and the error is that of the fields. It asks `A & {}`, because of `A`
 * alone it would ask each member of a union apart.
 */

declare const sentence: unique symbol;
declare const hint: unique symbol;

/** The type of a method that may not be called yet; the compiler prints `Message` for a call of it. */
export interface SqlTypeError<Message extends string> {
  readonly [sentence]: Message;
}

/** What an error says of any other value: `string & Expects<"…">` takes every text. */
export interface Expects<out What extends string> {
  readonly [hint]?: What;
}

/**
 * `"…" & Advice` takes no value. Of a text without it an editor would offer the sentence, and of a property that a value
 * lacks TypeScript 7 would tell instead.
 */
export interface Advice {
  readonly [sentence]: never;
}

/** What methods ask of arguments. Members of an interface, because an error prints the name of an alias instead. */
export interface Asked {
  /** The name of a parameter. */
  readonly param: string & Expects<"a parameter's name: exec takes values; or value(…)">;
  /** More than the one argument of a call of `where`. */
  readonly test: "write where(field, operator, param) or whereAnd(…)" & Advice;
  /** More than the one argument of a call of `orderBy`. */
  readonly order: "write orderBy(field, direction)" & Advice;
  /** An insert without `onConflict`. */
  readonly insert: "with and onConflict cannot be combined" & Advice;
  /** A relation through a table. */
  readonly through: "insert into the table between, with its relation to the other one inside" & Advice;
  /** More than the one argument of a call of `set`. */
  readonly set: "write set(field, param) for each field" & Advice;
}
