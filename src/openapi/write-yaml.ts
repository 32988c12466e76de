/**
 * Writes a description as YAML.
 */
import { stringify } from "yaml";
import type { OpenAPI } from "./document.js";

/** Writes a description as YAML that readers of YAML 1.1 and 1.2 understand alike. */
export function toYAML(doc: OpenAPI): string {
  return stringify(doc, { lineWidth: 0, aliasDuplicateObjects: false, compat: "yaml-1.1" });
}
