/** Errors of the compiler that are sentences, for what a plain list of names cannot say. */

declare const sentence: unique symbol;

/** Stands where a method may not be called yet; the compiler prints `Message` when somebody does. */
export interface SqlTypeError<Message extends string> {
  readonly [sentence]: Message;
}
