/** Specs that a caller passes to the builders of a repository, without any assumption about them. */
import { quoted } from "../../core/errors.js";
import { frozenCopy } from "../ast/copy.js";
import { BuildError, type Problem } from "../words/errors.js";

const lists = [
  "joins",
  "fields",
  "where",
  "order_by",
  "group_by",
  "having",
  "having_agg",
  "distinct_on",
  "operands",
] as const;

/**
 * A copied and frozen foreign spec. The check of every statement refuses a spec of the wrong kind. But creating and
 * chaining a builder never throws; therefore a value that is not an object becomes a problem here.
 */
export function foreignSpec<S extends object>(
  spec: unknown,
): readonly [spec: S, problems: readonly Problem[]] {
  const nothing = {} as S;
  try {
    const copy = frozenCopy(spec);
    if (typeof copy !== "object" || copy === null || Array.isArray(copy))
      return [
        nothing,
        [{ code: "INVALID_SPEC", message: `a spec must be an object, not ${quoted(copy)}`, path: "" }],
      ];
    const members: Readonly<Record<string, unknown>> = { ...copy };
    const broken = lists.filter((key) => members[key] !== undefined && !Array.isArray(members[key]));
    if (broken.length === 0) return [copy as S, []];
    return [
      nothing,
      broken.map((key) => ({ code: "INVALID_SPEC", message: `${key} must be a list`, path: key })),
    ];
  } catch (error) {
    if (error instanceof BuildError) return [nothing, error.problems];
    throw error;
  }
}
