/** The content of bodies, parameters and headers: media types, the encoding of their parts, and examples. */
import type { Extensions, NotAReference, Reference, WithDescription, WithSummary } from "./extensions.js";
import type { Schema } from "./schema.js";

/** The content of each media type or media type range: `application/json`, `text/*`. */
export type Content = Record<string, MediaType | Reference>;

/**
 * The content of one media type; `example` excludes `examples`.
 * @see https://spec.openapis.org/oas/v3.1.1.html#media-type-object
 */
export type MediaType = MediaTypeWithExample | MediaTypeWithExamples;

/** The fields of every media type. */
interface MediaTypeBase extends Extensions, NotAReference {
  /** The schema of the whole content. */
  schema?: Schema;
  /** The schema of each item of a sequential media type, such as `text/event-stream` (3.2). */
  itemSchema?: Schema;
  /** How properties are written, in `multipart` and `application/x-www-form-urlencoded` bodies. */
  encoding?: Record<string, Encoding>;
  /** How the parts of a `multipart` body are written, by position (3.2). */
  prefixEncoding?: Encoding[];
  /** How the parts after those of `prefixEncoding` are written (3.2). */
  itemEncoding?: Encoding;
}

/** A media type with one example, or none. */
export interface MediaTypeWithExample extends MediaTypeBase {
  /** A sample of the content; excludes `examples`. */
  example?: unknown;
  /** Not with `example`. */
  examples?: never;
}

/** A media type with named examples. */
export interface MediaTypeWithExamples extends MediaTypeBase {
  /** Samples of the content, by name; excludes `example`. */
  examples?: Record<string, Example | Reference>;
  /** Not with `examples`. */
  example?: never;
}

/**
 * How one property of a body is written.
 * @see https://spec.openapis.org/oas/v3.1.1.html#encoding-object
 */
export interface Encoding extends Extensions {
  /** The media type, a range, or several separated by commas. */
  contentType?: string;
  /** Headers of this part of a `multipart` body. */
  headers?: Record<string, Header | Reference>;
  /** How the value is laid out, as for query parameters. */
  style?: "form" | "spaceDelimited" | "pipeDelimited" | "deepObject";
  /** Whether each item or property is a separate parameter. */
  explode?: boolean;
  /** Whether reserved characters stay unescaped. */
  allowReserved?: boolean;
  /** How nested properties are written (3.2). */
  encoding?: Record<string, Encoding>;
  /** How nested parts are written, by position (3.2). */
  prefixEncoding?: Encoding[];
  /** How the nested parts after those are written (3.2). */
  itemEncoding?: Encoding;
}

/**
 * A sample value: given here or found at a URI, never both.
 * @see https://spec.openapis.org/oas/v3.1.1.html#example-object
 */
export type Example = ExampleWithValue | ExampleSerialized | ExampleElsewhere;

/** The fields of every example. */
interface ExampleBase extends Extensions, NotAReference, WithSummary, WithDescription {}

/** An example given as a value. */
export interface ExampleWithValue extends ExampleBase {
  /** The sample; excludes `externalValue`, `dataValue` and `serializedValue`. */
  value?: unknown;
  /** Not with `value`. */
  dataValue?: never;
  /** Not with `value`. */
  serializedValue?: never;
  /** Not with `value`. */
  externalValue?: never;
}

/** The fields of examples of 3.2, wherever the sample is. */
interface WithDataValue {
  /** The sample as the schema sees it (3.2). */
  dataValue?: unknown;
}

/** An example given as data, as it is sent, or both (3.2). */
export interface ExampleSerialized extends ExampleBase, WithDataValue {
  /** The sample as it is sent (3.2). */
  serializedValue?: string;
  /** Not with `dataValue` or `serializedValue`. */
  value?: never;
  /** Not with `serializedValue`. */
  externalValue?: never;
}

/** An example found at a URI. */
export interface ExampleElsewhere extends ExampleBase, WithDataValue {
  /** The URI of the sample; excludes `value` and `serializedValue`. */
  externalValue?: string;
  /** Not with `externalValue`. */
  value?: never;
  /** Not with `externalValue`. */
  serializedValue?: never;
}

/**
 * A header of a response or of a part of a body; its name is its key.
 * @see https://spec.openapis.org/oas/v3.1.1.html#header-object
 */
export type Header = HeaderFields & (WithExamples<"simple"> | DescribedByContent);

/** The common fields of parameters and headers. */
export interface DescribedFields extends Extensions, NotAReference, WithDescription {
  /** Whether it should no longer be used. */
  deprecated?: boolean;
}

/** The fields of every header. */
interface HeaderFields extends DescribedFields {
  /** Whether it is always sent. */
  required?: boolean;
}

/** Described by a schema, with an example or several. */
export type WithExamples<Style extends string> = DescribedWithExample<Style> | DescribedWithExamples<Style>;

/** Described by a schema, with one example or none. */
interface DescribedWithExample<Style extends string> extends DescribedBySchema<Style> {
  /** A sample value; excludes `examples`. */
  example?: unknown;
  /** Not with `example`. */
  examples?: never;
}

/** Described by a schema, with named examples. */
interface DescribedWithExamples<Style extends string> extends DescribedBySchema<Style> {
  /** Sample values, by name; excludes `example`. */
  examples?: Record<string, Example | Reference>;
  /** Not with `examples`. */
  example?: never;
}

/** Described by a schema; its value is laid out by `style`. */
interface DescribedBySchema<Style extends string> extends WithSchema {
  /** How the value is laid out. */
  style?: Style;
}

/** The part that is the same for every style: one declaration, so that an editor shows its text. */
interface WithSchema {
  /** The schema of the value; excludes `content`. */
  schema: Schema;
  /** Not with `schema`. */
  content?: never;
  /** Whether each item or property of the value is written separately. */
  explode?: boolean;
}

/** Described by a media type, which determines how the value is written. */
export interface DescribedByContent {
  /** Exactly one media type; excludes `schema` and the fields that belong to it. */
  content: Content;
  /** Not with `content`. */
  schema?: never;
  /** Not with `content`. */
  style?: never;
  /** Not with `content`. */
  explode?: never;
  /** Not with `content`. */
  example?: never;
  /** Not with `content`. */
  examples?: never;
}
