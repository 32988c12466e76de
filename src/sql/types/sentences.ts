/** Compiler errors that are sentences, for errors that a list of names cannot express. */

declare const sentence: unique symbol;

/** The type of a method that may not be called yet; the compiler prints `Message` for a call of it. */
export interface SqlTypeError<Message extends string> {
  readonly [sentence]: Message;
}
