/** Information about the API: metadata, tags and their groups. */
import type { Extensions, ExternalDocumentation } from "./extensions.js";

/**
 * Metadata about the API.
 * @see https://spec.openapis.org/oas/v3.1.1.html#info-object
 */
export interface Info extends Extensions {
  /** The name of the API. */
  title: string;
  /** One line about the API. */
  summary?: string;
  /** About the API; CommonMark. */
  description?: string;
  /** The URI of the terms of service. */
  termsOfService?: string;
  /** The contact for the API. */
  contact?: Contact;
  /** The licence of the API. */
  license?: License;
  /** The version of this description, not of the OpenAPI Specification. */
  version: string;
}

/**
 * The contact for the API.
 * @see https://spec.openapis.org/oas/v3.1.1.html#contact-object
 */
export interface Contact extends Extensions {
  /** The name of the person or organisation. */
  name?: string;
  /** The URI of their page. */
  url?: string;
  /** Their e-mail address. */
  email?: string;
}

/**
 * The licence of the API, named by an SPDX expression or by a URI, never by both.
 * @see https://spec.openapis.org/oas/v3.1.1.html#license-object
 */
export type License = LicenseByIdentifier | LicenseByUrl;

/** The fields of every licence. */
interface LicenseBase extends Extensions {
  /** The name of the licence. */
  name: string;
}

/** A licence named by its SPDX expression, or by its name alone. */
export interface LicenseByIdentifier extends LicenseBase {
  /** The SPDX expression, `Apache-2.0` for example; excludes `url`. */
  identifier?: string;
  /** Not with `identifier`. */
  url?: never;
}

/** A licence found at a URI. */
export interface LicenseByUrl extends LicenseBase {
  /** The URI of the text; excludes `identifier`. */
  url: string;
  /** Not with `url`. */
  identifier?: never;
}

/**
 * Describes a tag of operations.
 * @see https://spec.openapis.org/oas/v3.1.1.html#tag-object
 */
export interface Tag extends Extensions {
  /** The name that operations list under `tags`. */
  name: string;
  /** A short name for display (3.2). */
  summary?: string;
  /** The meaning of the tag; CommonMark. */
  description?: string;
  /** Further documentation. */
  externalDocs?: ExternalDocumentation;
  /** The name of the parent tag (3.2). */
  parent?: string;
  /** The kind of the tag: `nav`, `badge`, `audience` and others by convention (3.2). */
  kind?: string;
}

/** A named group of tags: the vendor extension `x-tagGroups`, which documentation pages read. */
export interface TagGroup extends Extensions {
  /** The name of the group. */
  name: string;
  /** The names of its tags. */
  tags: string[];
}
