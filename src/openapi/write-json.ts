/**
 * Writes a description as JSON.
 */
import type { OpenAPI } from "./document.js";

/** How JSON is laid out. */
export interface JsonOptions {
  /** Spaces for each level; 0, the default, writes one line. */
  indent?: number;
}

/** Writes a description as JSON; integers given as `bigint` are written as numbers. */
export function toJSON(doc: OpenAPI, options?: JsonOptions): string {
  return JSON.stringify(doc, null, options?.indent ?? 0);
}
