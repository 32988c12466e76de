/**
 * Shared by the builders that only read: conditions that apply only if their parameter is given. Updates and removals
 * do not have them, because the affected rows must not depend on an omitted parameter.
 */
import { isObject } from "../../core/values.js";
import { constantsIn } from "../ast/constants-in.js";
import { keyOf, listKey } from "../ast/key.js";
import { keyOfCondition, specsOf } from "../expression/condition.js";
import type { Reading } from "../resolve/statement.js";
import type { Problem } from "../words/errors.js";
import { failed } from "./draft/draft.js";
import type { ReadingDraft } from "./draft/statement-draft.js";
import { type Filtered, FilteredBuilder } from "./filtered.js";
import { operandsOf } from "./filters.js";

/** A builder that reads. */
export abstract class OptionallyFilteredBuilder<T extends Filtered & Reading> extends FilteredBuilder<
  T,
  ReadingDraft<T>
> {
  whereOptional(field: unknown, operator?: string, param?: unknown): this {
    if (constantsIn([field, param]).length > 0) return this.take(failed(CONSTANT));
    // A single argument is a condition, or a value that the check refuses.
    if (operator === undefined && param === undefined && typeof field !== "string")
      return this.take({
        key: listKey("whereOptional", [field], keyOfCondition),
        operands: operandsOf([field]),
        on: (draft) => {
          const [spec] = specsOf([field]);
          return draft.filtered(isObject(spec) ? { ...spec, optional: true } : [spec]);
        },
      });
    const key = keyOf("whereOptional", field, operator, param);
    const condition = { field, operator, param, optional: true };
    return this.take({ key, on: (draft) => draft.filtered(condition) });
  }
}

const CONSTANT: Problem = {
  code: "INVALID_PARAM",
  message: "an optional condition takes names of parameters: with value(…) it would always apply",
  path: "where",
};
