/** Dates of several columns in one expression: a date may be stored with a time zone, without one, or as a number. */

import type { Resolution } from "../scope/resolution.js";
import type { ResolvedValue } from "../scope/result.js";
import { comparableDate } from "./comparison.js";

/** A date in the form that all dates of the dialect can have, if a declared type gives it another form. */
export function instantOf(value: ResolvedValue, { grammar }: Resolution): ResolvedValue {
  const { storage, expression, nullable } = value;
  if (storage.kind !== "date" || storage.type === undefined) return value;
  const dates = grammar.dates(storage);
  const written = dates.comparable === "{f}" ? expression : comparableDate(expression, dates);
  return { expression: written, storage: { kind: "date" }, nullable };
}

/** Dates that can replace each other: in one form if they are stored in several forms, otherwise unchanged. */
export function inOneForm(
  values: readonly ResolvedValue[],
  resolution: Resolution,
): readonly ResolvedValue[] {
  const { dates } = resolution.grammar;
  const forms = values.map(({ storage }) => (storage.kind === "date" ? dates(storage).keptAs : undefined));
  return new Set(forms).size < 2 ? values : values.map((value) => instantOf(value, resolution));
}
