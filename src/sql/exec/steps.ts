/** Carries out a plan: one text, or several steps if the dialect needs them. */

import type { DriverResult, MaybePromise } from "../contract/driver.js";
import { KEYS, type PlanStep, type Steps } from "../render/plan.js";
import { ConstraintError, isSqlError } from "../words/errors.js";
import type { RequestCall } from "./call.js";
import type { DecodedRow } from "./decode.js";
import { ask, askFor, asOne, fetchEach, fetchRows } from "./execute.js";
import { requireInteractive } from "./gathered.js";
import { type PlanRequest, PreparedText } from "./prepared.js";

/** How often concurrent writers may interfere. */
const MOST_ATTEMPTS = 5;

type Params = Readonly<Record<string, unknown>>;

/** Executes a plan and returns its rows. */
export function carryOut(request: PlanRequest, call: RequestCall): MaybePromise<DecodedRow[]> {
  const { prepared, params } = request;
  const { steps } = prepared.plan;
  if (steps === undefined) return fetchRows(request, call);
  return asOne(prepared, call, async () => {
    if (steps.after !== undefined)
      try {
        return await askFor(request, call, prepared);
      } catch (error) {
        if (!isSqlError(error) || error.code !== steps.after) throw error;
      }
    const inside = (session: RequestCall["session"]) => retried(steps, params, { ...call, session });
    if (call.session.isTransaction) return inside(call.session);
    return call.session.atomically(inside, { signal: call.signal });
  });
}

/**
 * Sends the first step of several plans with one text in one call, and returns how many rows each of them
 * changed.
 */
export function firstSteps(list: readonly PlanRequest[], call: RequestCall): MaybePromise<readonly number[]> {
  const steps = list[0]?.prepared.plan.steps;
  const [first] = steps === undefined ? [] : preparedSteps(steps);
  if (first === undefined) return [];
  requireInteractive(call.session);
  const { prepared } = first;
  const batch = list.map(({ params }) => prepared.bind(params));
  return fetchEach({ prepared, values: [], batch }, call);
}

async function retried(steps: Steps, params: Params, call: RequestCall): Promise<DecodedRow[]> {
  requireInteractive(call.session);
  for (let attempt = 1; ; attempt++) {
    try {
      return await inOrder(preparedSteps(steps), steps.mostKeys ?? 1, params, call);
    } catch (error) {
      if (attempt === MOST_ATTEMPTS || !isOfConcurrentWriter(error, steps.againOn)) throw error;
    }
  }
}

async function inOrder(
  steps: readonly PreparedStep[],
  mostKeys: number,
  params: Params,
  call: RequestCall,
): Promise<DecodedRow[]> {
  let count = 0;
  for (const [i, { when, gives, prepared }] of steps.entries()) {
    if (when !== undefined && when !== (count > 0 ? "some" : "none")) continue;
    const result = await ask({ prepared, values: prepared.bind(params) }, call);
    if (gives === "rows") return prepared.read(result);
    const { rows, affected } = result;
    if (gives === "keys") {
      const about = (keys: DriverResult["rows"], inside: RequestCall) =>
        inOrder(steps.slice(i + 1), mostKeys, { ...params, [KEYS]: keys }, inside);
      return withKeys(rows, mostKeys, call, about);
    }
    count = gives === "found" ? rows.length : affected;
  }
  return [];
}

/** Runs a step for all keys, in parts that fit into a statement, atomically. */
async function withKeys(
  keys: DriverResult["rows"],
  most: number,
  call: RequestCall,
  work: (keys: DriverResult["rows"], inside: RequestCall) => Promise<DecodedRow[]>,
): Promise<DecodedRow[]> {
  if (keys.length === 0) return [];
  if (keys.length <= most) return work(keys, call);
  return call.session.atomically(
    async (session) => {
      const parts: DecodedRow[][] = [];
      for (let from = 0; from < keys.length; from += most)
        parts.push(await work(keys.slice(from, from + most), { ...call, session }));
      return parts.flat();
    },
    { signal: call.signal },
  );
}

interface PreparedStep extends Omit<PlanStep, "text"> {
  readonly prepared: PreparedText;
}

const kept = new WeakMap<Steps, readonly PreparedStep[]>();

/** Made on the first execution: many plans are only rendered, and most have no steps. */
function preparedSteps(steps: Steps): readonly PreparedStep[] {
  let list = kept.get(steps);
  if (list === undefined) {
    list = steps.list.map(({ text, ...step }) => ({ ...step, prepared: new PreparedText(text) }));
    kept.set(steps, list);
  }
  return list;
}

// Not every server names the violated key. If it does, and the key is another one, no concurrent writer caused the
// violation.
function isOfConcurrentWriter(error: unknown, key: readonly string[] | undefined): boolean {
  if (key === undefined || !(error instanceof ConstraintError) || error.code !== "UNIQUE_VIOLATION")
    return false;
  const { fields } = error;
  return fields.length === 0 || (fields.length === key.length && key.every((one) => fields.includes(one)));
}
