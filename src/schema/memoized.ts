/**
 * Copies of Zod 4 schemas that run each of their parts once for a value, however many unions and intersections lead to
 * it. Zod's own memoizer keeps the objects and lists of recursive schemas. `zod/mini` has no memoizer, and it does not
 * cover schemas that share parts without being recursive.
 */
import type { $ZodType, ParsePayload } from "zod/v4/core";
import { childrenOf } from "./graph.js";
import { MAX_FIELDS } from "./issues.js";
import { joinedBy, SideJoins } from "./joined.js";
import { runBy, withParts, type ZodRun } from "./rebuild.js";

type Payload = Awaited<ReturnType<ZodRun>>;
type Context = Parameters<ZodRun>[1];

/** The result of a part for a value. */
type Outcome =
  | { readonly payload: Payload }
  | { readonly later: Promise<Payload> }
  | { readonly thrown: unknown };

/** The outcomes of one run, or of several runs over the same values. It is part of Zod's own context. */
class RunMemory {
  /** The most issues that a part gives to each of its receivers. */
  readonly most: number;
  /** The joined results of the sides of intersections. */
  readonly joined: SideJoins = new SideJoins();
  readonly #outcomes = new Map<$ZodType, Map<object, Outcome | undefined>>();
  // A run without the checks has other outcomes.
  readonly #unchecked = new Map<$ZodType, Map<object, Outcome | undefined>>();

  constructor(most: number) {
    this.most = most;
  }

  of(part: $ZodType, { skipChecks }: Context): Map<object, Outcome | undefined> {
    const all = skipChecks === true ? this.#unchecked : this.#outcomes;
    const known = all.get(part);
    if (known !== undefined) return known;
    const made = new Map<object, Outcome | undefined>();
    all.set(part, made);
    return made;
  }
}

const MEMORY = Symbol("rowtype.memory");

interface Remembering extends Context {
  [MEMORY]?: RunMemory;
}

function memoryOf(context: Remembering): RunMemory {
  context[MEMORY] ??= new RunMemory(MAX_FIELDS);
  return context[MEMORY];
}

/** A context in which runs share their results. Each part gives at most so many of its issues. */
export function remembering(context: Context, most: number = MAX_FIELDS): Context {
  const shared: Remembering = { ...context, [MEMORY]: new RunMemory(most) };
  return shared;
}

const copies = new WeakMap<$ZodType, $ZodType>();

/** The copy of a schema, the same each time: copies of schemas that share a part share its copy. */
export function memoized(schema: $ZodType): $ZodType {
  const known = copies.get(schema);
  if (known !== undefined) return known;
  const copy =
    childrenOf(schema, "both").length === 0
      ? schema
      : runOnce(joinedBy(withParts(schema, memoized), (context) => memoryOf(context).joined));
  copies.set(schema, copy);
  return copy;
}

/** The same schema, run once for each value that is an object or a list. */
export function runOnce(schema: $ZodType): $ZodType {
  const { run } = schema._zod;
  return runBy(schema, (payload, context: Remembering) => {
    const { value } = payload;
    if (typeof value !== "object" || value === null) return run(payload, context);
    const memory = memoryOf(context);
    const outcomes = memory.of(schema, context);
    const known = outcomes.get(value);
    if (known !== undefined) return again(known, payload, memory.most);
    // A value that contains itself is left to Zod.
    if (outcomes.has(value)) return run(payload, context);
    outcomes.set(value, undefined);
    const outcome = outcomeOf(() => run({ value, issues: [] }, context));
    outcomes.set(value, outcome);
    return again(outcome, payload, memory.most);
  });
}

function outcomeOf(run: () => ReturnType<ZodRun>): Outcome {
  try {
    const result = run();
    return result instanceof Promise ? { later: result } : { payload: result };
  } catch (thrown) {
    return { thrown };
  }
}

function again(outcome: Outcome, asked: ParsePayload, most: number): ReturnType<ZodRun> {
  if ("thrown" in outcome) throw outcome.thrown;
  if ("later" in outcome) return outcome.later.then((payload) => joined(payload, asked, most));
  return joined(outcome.payload, asked, most);
}

/**
 * Each receiver of issues prepends its path to them. Therefore each receiver gets its own issues: as many, and as much
 * of their paths, as an answer names, or each level would copy what all levels below it have found.
 */
function joined(payload: Payload, { issues }: ParsePayload, most: number): Payload {
  const own = namedOf(payload.issues, most).map((issue) => asOwn(issue, most));
  return { ...payload, issues: [...issues, ...own] };
}

type RawIssue = Payload["issues"][number];

/** The issues that an answer names; one of them stops the checks that follow, if any does. */
function namedOf(issues: readonly RawIssue[], most: number): readonly RawIssue[] {
  if (issues.length <= most) return issues;
  const named = issues.slice(0, most);
  const stops = (issue: RawIssue) => issue.continue !== true;
  const stopping = named.some(stops) ? undefined : issues.find(stops);
  return stopping === undefined ? named : [...named.slice(1), stopping];
}

function asOwn(issue: RawIssue, most: number): RawIssue {
  const own = { ...issue };
  if (own.path !== undefined) own.path = own.path.slice(0, most);
  if (own.code === "invalid_union") own.errors = withoutDepth(own.errors, most);
  return own;
}

/**
 * The failures of a union's variants, without the failures in the variants of inner unions. Including those would
 * double the text at each level.
 */
function withoutDepth<I extends object>(errors: readonly (readonly I[])[], most: number): I[][] {
  return errors.map((issues) =>
    issues.slice(0, most).map((issue) => ("errors" in issue ? { ...issue, errors: [] } : issue)),
  );
}
