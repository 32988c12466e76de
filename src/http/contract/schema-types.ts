/**
 * The compiler's view of Zod schemas: only their input and output types. A narrow view keeps a handler cheap to check.
 * At run time every one of these is an `AnySchema`.
 */

/** A schema of Zod 4. */
export interface Zod4 {
  readonly _zod: { readonly input: unknown; readonly output: unknown };
}
/** A schema of `zod/v3`. */
export interface Zod3 {
  readonly _input: unknown;
  readonly _output: unknown;
}

/** A schema of Zod 4 or of `zod/v3`. */
export type SchemaLike = Zod4 | Zod3;

/** The output type of a schema, or another type without a schema. A look-up costs half of what `infer` costs. */
export type GivenOr<S, Otherwise> = S extends Zod4
  ? S["_zod"]["output"]
  : S extends Zod3
    ? S["_output"]
    : Otherwise;

/** The output type of a schema. */
export type OutputOf<S> = GivenOr<S, never>;

/** The input type of a schema. */
export type InputOf<S> = S extends Zod4 ? S["_zod"]["input"] : S extends Zod3 ? S["_input"] : never;

/** Parameters by name: a shape of schemas, or a Zod object. */
export type ShapeLike = SchemaLike | { readonly [name: string]: SchemaLike };

/** The values of a `ShapeLike`. */
export type ValuesOf<S> = S extends SchemaLike
  ? OutputOf<S>
  : { readonly [Name in keyof S]: OutputOf<S[Name]> };

/** The types of schemas that text can carry. */
type ParameterText = string | number | boolean | bigint | Date | Uint8Array | null | undefined;

/** Refuses parameters that text cannot carry, of a shape or of a Zod object, by an impossible type that says why. */
export type Carried<S> = S extends SchemaLike
  ? S extends ObjectSchema<TextFields>
    ? S
    : CarriedObject<S>
  : {
      readonly [Name in keyof S]: InputOf<S[Name]> extends ParameterValue
        ? S[Name]
        : unknown extends InputOf<S[Name]>
          ? S[Name]
          : "a parameter is text: a scalar or a list of scalars, no object";
    };

type ParameterValue = ParameterText | readonly ParameterText[] | ReadonlySet<ParameterText>;

/** The same for a query, whose parameters may have a style of their own. */
export type CarriedByQuery<S> = S extends SchemaLike
  ? Carried<S>
  : {
      readonly [Name in keyof S]: InputOf<S[Name]> extends ParameterValue
        ? S[Name]
        : unknown extends InputOf<S[Name]>
          ? S[Name]
          : S[Name] extends { readonly "~style": true }
            ? S[Name]
            : "a parameter is text: a scalar or a list of scalars, no object";
    };

/** Refuses one value that text cannot carry. */
export type CarriedField<S> =
  InputOf<S> extends ParameterValue
    ? S
    : unknown extends InputOf<S>
      ? S
      : "a field of a form is text: a scalar or a list of scalars, no object";

/** The fields of nearly every Zod object of parameters: one comparison shows that all fit. */
interface TextFields {
  readonly [name: string]:
    | { readonly _zod: { readonly input: ParameterValue } }
    | { readonly _input: ParameterValue };
}

type CarriedObject<S> =
  S extends ObjectSchema<infer Shape>
    ? Shape extends Carried<Shape>
      ? S
      : ObjectSchema<Carried<Shape>>
    : "parameters are a shape of schemas, or a Zod object";

/** A Zod object with only its fields. */
interface ObjectSchema<Shape> {
  readonly shape: Shape;
}
