/**
 * What nearly every OpenAPI object shares: specification extensions and links to further documentation.
 */

/**
 * Fields whose names begin with `x-`: open to any use, on every object but Reference and SecurityRequirement.
 * @see https://spec.openapis.org/oas/v3.1.1.html#specification-extensions
 */
export interface Extensions {
  [extension: `x-${string}`]: unknown;
}

/**
 * Points to further documentation outside this description.
 * @see https://spec.openapis.org/oas/v3.1.1.html#external-documentation-object
 */
export interface ExternalDocumentation extends Extensions {
  /** What is found there; CommonMark. */
  description?: string;
  /** The URI of the documentation. */
  url: string;
}

/** The line that a Reference and what it stands for share, so that an editor shows it for either. */
export interface WithSummary {
  /** One line about it; that of a Reference takes the place of the object's own. */
  summary?: string;
}

/** The text that a Reference and what it stands for share, so that an editor shows it for either. */
export interface WithDescription {
  /** What it is; CommonMark. That of a Reference takes the place of the object's own. */
  description?: string;
}

/**
 * Stands for an object that is kept elsewhere, mostly under `components`. Nothing here resolves it.
 * @see https://spec.openapis.org/oas/v3.1.1.html#reference-object
 */
export interface Reference extends WithSummary, WithDescription {
  /** Where the object is, as a URI: `#/components/responses/NotFound`. */
  $ref: string;
  /** Only the object itself has content; an editor distinguishes the two by it. */
  content?: never;
}

/** Forbids `$ref`, so that the compiler can distinguish an object from a Reference in its place. */
export interface NotAReference {
  /** Only a Reference has it: test `value.$ref !== undefined` to distinguish them. */
  $ref?: never;
}
