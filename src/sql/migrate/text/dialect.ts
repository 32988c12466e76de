/** The texts of a dialect: how they are divided into tokens and compared, and how a file of migrations contains them. */
import type { Dialect } from "../../words/dialect.js";
import type { Token, TokenRules } from "./sql-cursor.js";

/** The SQL texts of one dialect. */
export interface TextDialect {
  readonly name: Dialect;
  readonly tokens: TokenRules;
  /** How two expressions of one database are compared. */
  readonly expressions: ExpressionForm;
  /** How a file contains literals and names with a line break: on one line. */
  readonly breaks: OneLine;
  /** The end of a statement whose semicolon belongs to it; elsewhere a semicolon at the end is a separator. */
  readonly blockEnd?: RegExp;
  /** Whether a transaction undoes changes of the schema. */
  readonly undoesDdl: boolean;
}

/** The forms of an expression that mean the same. */
interface ExpressionForm {
  /** Whether names in an expression that differ only in case are the same, as the server writes it. */
  readonly ignoresCase: boolean;
  /** The tokens without the casts that the server writes over one type of text, but not over another. */
  readonly withoutCasts?: (tokens: readonly Token[]) => readonly Token[];
  /** The one form of literals that the dialect writes in several. */
  readonly literals?: (text: string) => string;
}

/** Texts without a line break. */
interface OneLine {
  readonly literal: (value: string) => string;
  /** A letter before a literal that belongs to it, and that `literal` writes again. */
  readonly letter?: RegExp;
  /** A name, if the dialect has escapes for the characters of a name. */
  readonly name?: (value: string) => string;
}
