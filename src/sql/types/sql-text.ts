/**
 * The compiler reads the names of the parameters in a literal text of `db.sql`. It leaves out the parts in single
 * quotes and in comments. The run time reads the text again, as the dialect does, and decides.
 *
 * The text is cut at its quotes, then at its colons: it costs a step for each of them, and for each letter of a name,
 * not for each letter of the text. All steps are tail calls, of which the compiler takes 1,000.
 */
import type { $ZodType, output } from "zod/v4/core";
import type { Dialect } from "../words/dialect.js";
import type { ExecOptions } from "../words/options.js";
import type { SqlValue } from "../words/sql-value.js";
import type { ColumnSchema } from "./model.js";
import type { NoParams } from "./params.js";
import type { SqlTypeError } from "./sentences.js";

/** The schemas of the parameters of a text, by name. */
export type SqlParamSchemas = Readonly<Record<string, ColumnSchema>>;

/** Where no parameter has a schema. */
export type NoSchemas = Readonly<Record<never, never>>;

/** The values of a parameter of a text without a schema: also lists if the dialect has arrays. */
export interface SqlValueOn extends Readonly<Record<Dialect, unknown>> {
  readonly postgres: SqlValue | readonly SqlValue[];
  readonly mariadb: SqlValue;
  readonly sqlite: SqlValue;
  readonly oracle: SqlValue;
}

/** The values of the parameters of a text that is not a literal: they are checked when it is executed. */
export type SqlParams = Readonly<Record<string, unknown>>;

/** The arguments of `exec` of a text: exactly its parameters, or options in their place if there are none. */
export type SqlArguments<P> = [keyof P] extends [never]
  ? [params?: NoParams | ExecOptions, options?: ExecOptions]
  : string extends keyof P
    ? [params?: P | ExecOptions, options?: ExecOptions]
    : [params: P, options?: ExecOptions];

/** The arguments of `execTx` of a text after the transaction. */
export type SqlParamsArgument<P> = [keyof P] extends [never]
  ? [params?: NoParams]
  : string extends keyof P
    ? [params?: P]
    : [params: P];

/** The parameters of a text, by name; of a text that is not a literal, any. */
export type SqlParamsOf<T extends string, P, D extends Dialect> =
  IsReadable<T> extends true
    ? MarksIn<Code<T>> extends infer Marks extends Mark
      ? {
          readonly [Name in Marks["name"]]: Name extends keyof P
            ? Declared<P[Name]>
            : Taken<Extract<Marks, { readonly name: Name }>["how"], D>;
        }
      : never
    : SqlParams;

/** Refuses schemas of parameters that a literal text does not have. */
export type InText<T extends string, P> =
  IsReadable<T> extends true
    ? {
        readonly [Name in keyof P]: Name extends MarksIn<Code<T>>["name"]
          ? unknown
          : SqlTypeError<"the text has no parameter of this name">;
      }
    : unknown;

type Declared<S> = S extends $ZodType ? output<S> : never;

type Taken<How, D extends Dialect> = [How] extends ["value"] ? SqlValueOn[D] : readonly SqlValue[];

/** A name in a text, as a value or as a list that is written out. */
interface Mark {
  readonly how: "value" | "list";
  readonly name: string;
}
interface MarkOf<How extends Mark["how"], Name extends string> {
  readonly how: How;
  readonly name: Name;
}

// One literal, with no text between dollars, and few enough quotes for the steps there are.
type IsReadable<T extends string> =
  IsLiteral<T> extends true
    ? T extends `${Quotes}${infer Rest}`
      ? HasManyQuotes<Rest> extends true
        ? false
        : HasNoDollars<T>
      : HasNoDollars<T>
    : false;
type IsLiteral<T extends string, Whole = T> =
  Record<never, 1> extends Record<T, 1>
    ? false
    : T extends unknown
      ? [Whole] extends [T]
        ? true
        : false
      : false;

type TenQuotes =
  `${string}'${string}'${string}'${string}'${string}'${string}'${string}'${string}'${string}'${string}'`;
type Quotes = `${TenQuotes}${TenQuotes}${TenQuotes}${TenQuotes}${TenQuotes}${TenQuotes}`;
// Each step is 30 quoted texts, and one was made before.
type HasManyQuotes<T extends string, Steps extends readonly 0[] = [0]> = Steps["length"] extends 30
  ? T extends `${string}'${string}`
    ? true
    : false
  : T extends `${Quotes}${infer Rest}`
    ? HasManyQuotes<Rest, [...Steps, 0]>
    : false;

type HasNoDollars<T extends string> = T extends `${string}$${infer Tag}$${infer Rest}`
  ? NameAt<Tag> extends Tag
    ? false
    : HasNoDollars<`$${Rest}`>
  : true;

/** A text without its parts in single quotes and in comments. */
type Code<T extends string, Out extends string = ""> = T extends `${infer Before}'${infer After}`
  ? Before extends `${infer Head}--${infer Line}`
    ? Head extends `${infer Front}/*${infer Block}`
      ? AfterBlock<`${Block}--${Line}'${After}`, `${Out}${Front} `>
      : AfterLine<`${Line}'${After}`, `${Out}${Head} `>
    : Before extends `${infer Front}/*${infer Block}`
      ? AfterBlock<`${Block}'${After}`, `${Out}${Front} `>
      : After extends `${string}'${infer Rest}`
        ? Code<Rest, `${Out}${Before} `>
        : `${Out}${Before}`
  : T extends `${infer Head}--${infer Line}`
    ? Head extends `${infer Front}/*${infer Block}`
      ? AfterBlock<`${Block}--${Line}`, `${Out}${Front} `>
      : AfterLine<Line, `${Out}${Head} `>
    : T extends `${infer Front}/*${infer Block}`
      ? AfterBlock<Block, `${Out}${Front} `>
      : `${Out}${T}`;
type AfterLine<T extends string, Out extends string> = T extends `${string}\n${infer Rest}`
  ? Code<Rest, Out>
  : Out;
type AfterBlock<T extends string, Out extends string> = T extends `${string}*/${infer Rest}`
  ? Code<Rest, Out>
  : Out;

type MarksIn<T extends string, Found = never> = T extends `${string}:${infer Rest}`
  ? Rest extends `:${infer After}`
    ? MarksIn<After, Found>
    : Rest extends `...${infer List}`
      ? MarksIn<List, Found | Marked<"list", NameAt<List>>>
      : MarksIn<Rest, Found | Marked<"value", NameAt<Rest>>>
  : Found;
type Marked<How extends Mark["how"], Name extends string> = Name extends "" | `${Digit}${string}`
  ? never
  : MarkOf<How, Name>;

type Digit = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9";
// biome-ignore format: a line each for the letters
type Letter =
  | "a" | "b" | "c" | "d" | "e" | "f" | "g" | "h" | "i" | "j" | "k" | "l" | "m"
  | "n" | "o" | "p" | "q" | "r" | "s" | "t" | "u" | "v" | "w" | "x" | "y" | "z" | "_";
type NameCharacter = Letter | Uppercase<Letter> | Digit;
/** The name that a text begins with. */
type NameAt<T extends string> = T extends `${infer Name}${AfterName<T>}` ? Name : never;
/** The text after the name that a text begins with; two letters are a step. */
type AfterName<T extends string> = T extends `${infer First}${infer Second}${infer Rest}`
  ? First extends NameCharacter
    ? Second extends NameCharacter
      ? AfterName<Rest>
      : `${Second}${Rest}`
    : T
  : T extends NameCharacter
    ? ""
    : T;
