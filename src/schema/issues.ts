/**
 * Zod's issues as the list of fields in an error answer. Their number and length are limited, because paths and
 * messages may echo what a client sent.
 */
import { visible } from "../core/errors.js";

/** One failed field; `field` is a dotted path, empty for the value as a whole. */
export interface FieldIssue {
  readonly field: string;
  readonly message: string;
}

/** The common members of Zod 3 and Zod 4 issues. */
export interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** The maximum number of named fields. */
export const MAX_FIELDS = 50;
const MAX_TEXT = 200;

export function toFields(issues: readonly Issue[], prefix: string = ""): FieldIssue[] {
  return issues.slice(0, MAX_FIELDS).map((issue) => {
    const path = issue.path.slice(0, MAX_FIELDS).map(String).join(".");
    return {
      field: cut(prefix === "" ? path : path === "" ? prefix : `${prefix}.${path}`),
      message: cut(issue.message),
    };
  });
}

function cut(given: string): string {
  const text = visible(given.slice(0, MAX_TEXT + 1));
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text;
}
