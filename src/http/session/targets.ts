/**
 * The allowed redirect targets after login and logout. A target from outside counts only if the application's list
 * contains it, and only in the one spelling that every browser reads in the same way.
 */

import { DeclarationError, isList } from "../../core/errors.js";
import { endpoint } from "../contract/configured.js";

/** A path on this host, possibly with a query. @throws DeclarationError */
export function ownPath(target: unknown, what: string): string {
  if (typeof target !== "string" || !isPath(target)) {
    throw new DeclarationError(`${what} is a path on this host, such as /welcome`);
  }
  return target;
}

/** A path on this host or an https URL. @throws DeclarationError */
export function anyTarget(target: unknown, what: string): string {
  return typeof target === "string" && isPath(target) ? target : endpoint(target, what).href;
}

/** Checks `return_to`: returns it if the list allows it. An entry that ends in `/*` allows all paths under it. */
export function allowList(entries: readonly string[]): (target: string | undefined) => string | null {
  if (!isList(entries)) throw new DeclarationError("returnTo is a list of paths");
  for (const entry of entries) ownPath(entry, "an entry of returnTo");
  return (target) => {
    if (target === undefined || target.length > 2_048 || !isPath(target)) return null;
    const path = target.replace(/[?#].*$/, "");
    const allowed = entries.some(
      (entry) =>
        target === entry || path === entry || (entry.endsWith("/*") && path.startsWith(entry.slice(0, -1))),
    );
    return allowed ? target : null;
  };
}

/**
 * Whether it is only a path: parsing it as a URL changes nothing. It then contains no `//`, backslashes, control
 * characters, blanks or dot segments, not even encoded ones.
 */
function isPath(target: string): boolean {
  if (!target.startsWith("/") || target.startsWith("//") || !URL.canParse(target, BASE)) return false;
  const { origin, pathname, search, hash } = new URL(target, BASE);
  if (origin !== BASE || pathname + search + hash !== target) return false;
  return !/%(2f|5c|2e|[01][0-9a-f]|7f)/i.test(pathname) && !pathname.includes("//");
}

const BASE = "https://host.invalid";
