/** The methods of handlers, and what each of them asks of a declaration. */
import { METHODS as KNOWN } from "node:http";
import { DeclarationError, listed, quoted } from "../../core/errors.js";
import type { AnyOptions } from "./options.js";

/** The methods of handlers. */
export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "QUERY", "HEAD", "OPTIONS"] as const;

/** The methods whose requests change nothing, and whose answers a tag may spare. */
export const READING: ReadonlySet<string> = new Set(["GET", "HEAD", "QUERY"]);

/** The methods that change what another request has read. */
const WRITING: ReadonlySet<string> = new Set(["PUT", "PATCH", "DELETE"]);

/** @throws DeclarationError for a method that no handler has, or that this version of Node does not know */
export function checkMethod(method: string): void {
  if (!(METHODS as readonly string[]).includes(method))
    throw new DeclarationError(`method ${quoted(method)} is not one of ${listed(METHODS)}`);
  if (!KNOWN.includes(method))
    throw new DeclarationError(`this version of Node does not know the method ${method}`);
}

/** Refuses what a method cannot have. */
export function checkOfMethod(
  method: string,
  kind: "handler" | "stream",
  { output, outputs, body, ifMatch }: Pick<AnyOptions, "output" | "outputs" | "body" | "ifMatch">,
  refuse: (problem: string) => never,
): void {
  if (method === "QUERY" && body === undefined) refuse("a QUERY asks by its body: declare it");
  if (ifMatch !== false && !WRITING.has(method)) refuse("ifMatch is for PUT, PATCH and DELETE");
  if (kind === "stream" && (method === "HEAD" || method === "OPTIONS")) refuse("a stream has events to send");
  if (method === "HEAD" && (output !== undefined || outputs !== undefined))
    refuse("the answer to HEAD has no body, and no output");
}
