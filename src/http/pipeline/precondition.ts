/**
 * The precondition of a write: `If-Match` (RFC 9110, 13.1.1). The handler's function knows the tag of what is there, and
 * asks. A precondition that was sent is never ignored.
 */
import { type AnyHttpError, PreconditionFailed, PreconditionRequired } from "../contract/errors.js";

/** The characters of a tag that every program sends unchanged. */
const TAG = /^[\x21\x23-\x7e]*$/;
const TAGS = /(W\/)?"([^"]*)"/g;

/** The tag of a text. @throws TypeError for what no tag can hold */
export function tagOf(text: unknown): string {
  if (typeof text === "string" && TAG.test(text)) return `"${text}"`;
  throw new TypeError("a tag is text of visible characters without quotes");
}

/** Whether a header names a tag, which has its quotes. @param isStrong whether weak tags do not count */
export function namesTag(header: string, tag: string | null, isStrong: boolean): boolean {
  if (header.trim() === "*") return tag !== null;
  return [...header.matchAll(TAGS)].some(
    ([, weak, text]) => `"${text}"` === tag && !(isStrong && weak !== undefined),
  );
}

/** The precondition of one request. */
export class Precondition {
  /** The error with which it was refused. */
  refusal: AnyHttpError | undefined;
  readonly #header: string | undefined;
  #isAsked = false;

  /** @throws PreconditionRequired if the request must have one and has none */
  constructor(header: string | undefined, isRequired: boolean) {
    this.#header = header;
    if (header === undefined && isRequired)
      throw PreconditionRequired.withDetails({ reason: "If-Match is required" });
  }

  /** What the handler's function calls. @throws PreconditionFailed if the request has read another tag */
  readonly ask = (tag: string | null): void => {
    this.#isAsked = true;
    const current = tag === null ? null : tagOf(tag);
    if (this.#header === undefined || namesTag(this.#header, current, true)) return;
    this.refusal = PreconditionFailed.withDetails({ reason: "it has changed since it was read" });
    throw this.refusal;
  };

  /** @throws TypeError if a function ended well without having asked, although the request has the header */
  settle(): void {
    if (this.#header !== undefined && !this.#isAsked)
      throw new TypeError("the request has If-Match, and the function did not call ifMatch");
  }
}
