/** What differs between the package and the evaluator for a query, and the least query that still differs. */
import { Beyond } from "./expression-evaluator.js";
import { Refused } from "./relation-aggregates.js";
import { builtQuestion } from "./relation-asked.js";
import type { Repositories } from "./relation-builder.js";
import { dressed, undressed } from "./relation-dress.js";
import type { Answer } from "./relation-evaluator.js";
import type { Question } from "./relation-plans.js";
import { solve } from "./relation-solutions.js";
import type { World } from "./relation-world.js";

/** How an answer differs. */
export interface Difference {
  /** Empty where it does not. */
  readonly what: string;
  /** The kind of difference: a smaller query must keep it. */
  readonly kind: string;
  readonly isRefused: boolean;
  readonly isEmpty: boolean;
}

const same: Difference = { what: "", kind: "", isRefused: false, isEmpty: false };

const shown = (what: unknown, space?: number): string =>
  JSON.stringify(what, (_, value: unknown) => (typeof value === "bigint" ? `${value}n` : value), space) ??
  "undefined";

// Some servers add doubles in another order.
const rounded = (_: string, value: unknown): unknown => {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "number" && !Number.isInteger(value)) return Number(value.toPrecision(12));
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
};
const keyOf = (row: unknown): string => JSON.stringify(row, rounded);

/** Compares what the package gives, or its refusal, with what the evaluator does. */
export async function differenceOf(question: Question, world: World, of: Repositories): Promise<Difference> {
  let wanted: unknown;
  try {
    wanted = solve(question, world);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    wanted = error;
  }
  const params: Record<string, unknown> = {};
  let sql = "";
  let found: unknown;
  try {
    const { dress } = of.declared;
    const asked = builtQuestion(dressed(question, dress), of, params);
    sql = asked.render().native.sql;
    const given = question.op === "first" ? await asked.execOrNull(params) : await asked.exec(params);
    found = undressed(given, dress);
  } catch (error) {
    found = error;
  }
  // A dialect says what it has not; the campaign sees that this stays rare.
  if ((found as { readonly code?: unknown } | null | undefined)?.code === "UNSUPPORTED")
    return { ...same, isRefused: true };
  const fault = faultOf(question, wanted, found);
  if (fault === undefined)
    return { ...same, isRefused: wanted instanceof Refused, isEmpty: isNothing(wanted) };
  const said = found instanceof Error ? `${found}: ${found.cause ?? ""}` : shown(found);
  const expected =
    wanted instanceof Refused ? wanted.code : shown(isAnswer(wanted) ? rowsOf(wanted) : wanted);
  const what = `${sql}\n${shown(params)}\nexpected ${expected}\nreceived ${said}\n${shown(question)}`;
  return { ...same, what, kind: fault };
}

const isAnswer = (value: unknown): value is Answer =>
  typeof value === "object" && value !== null && "rows" in value && "from" in value;

const rowsOf = ({ rows, from, to }: Answer): unknown => rows.slice(from, to).map(({ row }) => row);

const isNothing = (value: unknown): boolean =>
  isAnswer(value) ? value.from === value.to : value === 0 || value === false;

function faultOf({ op }: Question, wanted: unknown, found: unknown): string | undefined {
  const code = found instanceof Error ? String((found as { readonly code?: unknown }).code) : undefined;
  if (wanted instanceof Refused) return code === wanted.code ? undefined : `no ${wanted.code}`;
  if (code !== undefined) return code;
  if (!isAnswer(wanted)) return keyOf(wanted) === keyOf(found) ? undefined : "value";
  const rows = op === "first" ? (found === null ? [] : [found]) : found;
  return Array.isArray(rows) && areRows(wanted, rows) ? undefined : "rows";
}

/** Whether these are the rows of an answer: in its order, and any of those that are equal in it. */
function areRows({ rows, from, to }: Answer, found: readonly unknown[]): boolean {
  if (found.length !== to - from) return false;
  const left = new Map<number, string[]>();
  for (const { rank, row } of rows) {
    const keys = left.get(rank) ?? [];
    left.set(rank, keys);
    keys.push(keyOf(row));
  }
  return found.every((row, i) => {
    const keys = left.get(rows[from + i]?.rank ?? -1) ?? [];
    const at = keys.indexOf(keyOf(row));
    if (at >= 0) keys.splice(at, 1);
    return at >= 0;
  });
}

/** The least query that differs in the same way. */
export async function smallest(question: Question, world: World, of: Repositories): Promise<Difference> {
  let least = question;
  let difference = await differenceOf(question, world, of);
  const { kind } = difference;
  for (let tried = 0; tried < 40; tried++) {
    let isSmaller = false;
    for (const candidate of smallerThan(least)) {
      const other = await differenceOf(candidate, world, of).catch((error: unknown) => {
        // A part that is missing is named elsewhere.
        if (error instanceof Error || error instanceof Beyond) return same;
        throw error;
      });
      if (other.what === "" || other.kind !== kind) continue;
      least = candidate;
      difference = other;
      isSmaller = true;
      break;
    }
    if (!isSmaller) break;
  }
  return difference;
}

/** The same value with one part less. */
function* smallerThan<T>(value: T): Generator<T> {
  if (Array.isArray(value)) {
    for (const at of value.keys()) yield value.filter((_, i) => i !== at) as T;
    for (const [at, one] of value.entries())
      for (const less of smallerThan(one)) yield value.with(at, less) as T;
    return;
  }
  if (typeof value !== "object" || value === null || value instanceof Date) return;
  for (const [key, one] of Object.entries(value)) {
    if (one !== undefined && leavable.has(key)) yield { ...value, [key]: undefined };
    if (typeof one === "object" && !fixed.has(key))
      for (const less of smallerThan(one)) yield { ...value, [key]: less };
  }
}

const leavable: ReadonlySet<string> = new Set(["limit", "offset", "picks", "query", "nulls", "filter"]);
const fixed: ReadonlySet<string> = new Set(["args", "type", "values", "value", "whens"]);
