/** The common parts of nearly every OpenAPI object: specification extensions and links to further documentation. */

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
  /** A description of the documentation; CommonMark. */
  description?: string;
  /** The URI of the documentation. */
  url: string;
}

/** The summary that a Reference and its target share: an editor shows it for either. */
export interface WithSummary {
  /** One line about it. The summary of a Reference replaces the object's own. */
  summary?: string;
}

/** The description that a Reference and its target share: an editor shows it for either. */
export interface WithDescription {
  /** A description; CommonMark. The description of a Reference replaces the object's own. */
  description?: string;
}

/**
 * Refers to an object at another place, mostly under `components`. Nothing here resolves it.
 * @see https://spec.openapis.org/oas/v3.1.1.html#reference-object
 */
export interface Reference extends WithSummary, WithDescription {
  /** The URI of the object: `#/components/responses/NotFound`. */
  $ref: string;
  /** Only the object itself has content: an editor uses this to distinguish the two. */
  content?: never;
}

/** Forbids `$ref`: the compiler can then distinguish an object from a Reference in its place. */
export interface NotAReference {
  /** Only a Reference has it: test `value.$ref !== undefined` to distinguish them. */
  $ref?: never;
}
