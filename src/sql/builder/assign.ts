/** Shared by `set` of updates and upserts. */
import { quoted } from "../../core/errors.js";
import type { Problem } from "../words/errors.js";

/**
 * A spec holds one parameter for each field, so a second one, or a field that is not a name, is a problem at
 * once.
 */
export function faultOfSet(field: unknown, set: object, path: string): Problem | undefined {
  if (typeof field === "string" && !Object.hasOwn(set, field)) return undefined;
  const message =
    typeof field === "string" ? `field ${quoted(field)} is set twice` : `${quoted(field)} is not a field`;
  return { code: "INVALID_FIELD", message, path };
}
