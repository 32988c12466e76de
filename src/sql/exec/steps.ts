/** Carries out a plan: one statement, or the steps that do the work of one where a dialect needs several. */

import type { DriverResult, MaybePromise } from "../contract/driver.js";
import { KEYS, type RenderedStatement, type Step, type Steps } from "../render/plan.js";
import { ConstraintError, isSqlError } from "../words/errors.js";
import type { Row } from "./decode.js";
import { ask, askFor, asOne, type Call, fetchEach, fetchRows } from "./execute.js";
import { Prepared } from "./prepared.js";

/** How often concurrent writers may come in between. */
const MOST_ATTEMPTS = 5;

type Params = Readonly<Record<string, unknown>>;

/** A plan that is ready to be carried out. */
export interface Ready {
  readonly prepared: Prepared;
  /** Those behind the placeholders of the plan's own statement. */
  readonly values: readonly unknown[];
  /** The checked parameters of the call, for the steps. */
  readonly params: Params;
}

/** Carries out a plan and gives the rows that come back. */
export function carryOut({ prepared, values, params }: Ready, call: Call): MaybePromise<Row[]> {
  const { steps } = prepared.plan;
  if (steps === undefined) return fetchRows(prepared, values, call);
  return asOne(prepared, call, async () => {
    if (steps.after !== undefined)
      try {
        return await askFor(prepared, values, prepared.allRows, call);
      } catch (error) {
        if (!isSqlError(error) || error.code !== steps.after) throw error;
      }
    const inside = (session: Call["session"]) => repeated(steps, params, { ...call, session });
    if (call.session.isTransaction) return inside(call.session);
    return call.session.atomically(inside, { signal: call.signal });
  });
}

/** Sends the first step of several plans of one text in one call, and gives how many rows each of them changed. */
export function firstSteps(list: readonly Ready[], call: Call): MaybePromise<readonly number[]> {
  const steps = list[0]?.prepared.plan.steps;
  const [first] = steps === undefined ? [] : preparedSteps(steps);
  if (first === undefined) return [];
  const { table, sql } = first.statement;
  const batch = list.map(({ params }) => first.statement.bind(params));
  return fetchEach({ table, sql, bigints: false, batch }, call);
}

async function repeated(steps: Steps, params: Params, call: Call): Promise<Row[]> {
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
  call: Call,
): Promise<Row[]> {
  let count = 0;
  for (const [i, { when, gives, statement }] of steps.entries()) {
    if (when !== undefined && when !== (count > 0 ? "some" : "none")) continue;
    const values = statement.bind(params);
    if (gives === "rows") return rowsOf(statement, values, call);
    const { rows, affected } = await ask(statement, values, gives !== "changed", call);
    if (gives === "keys") {
      const about = (keys: DriverResult["rows"], inside: Call) =>
        inOrder(steps.slice(i + 1), mostKeys, { ...params, [KEYS]: keys }, inside);
      return withKeys(rows, mostKeys, call, about);
    }
    count = gives === "found" ? rows.length : affected;
  }
  return [];
}

/** Does something for all keys, as many at a time as a statement takes: all or nothing. */
async function withKeys(
  keys: DriverResult["rows"],
  most: number,
  call: Call,
  work: (keys: DriverResult["rows"], inside: Call) => Promise<Row[]>,
): Promise<Row[]> {
  if (keys.length === 0) return [];
  if (keys.length <= most) return work(keys, call);
  return call.session.atomically(
    async (session) => {
      const parts: Row[][] = [];
      for (let from = 0; from < keys.length; from += most)
        parts.push(await work(keys.slice(from, from + most), { ...call, session }));
      return parts.flat();
    },
    { signal: call.signal },
  );
}

async function rowsOf(
  statement: Prepared<RenderedStatement>,
  values: readonly unknown[],
  call: Call,
): Promise<Row[]> {
  const { rows } = await ask(statement, values, true, call);
  return rows.map((row) => statement.decodeRow(row));
}

interface PreparedStep extends Omit<Step, "statement"> {
  readonly statement: Prepared<RenderedStatement>;
}

const kept = new WeakMap<Steps, readonly PreparedStep[]>();

/** Made when a plan is first carried out so: many are only rendered, and most need no steps. */
function preparedSteps(steps: Steps): readonly PreparedStep[] {
  let list = kept.get(steps);
  if (list === undefined) {
    list = steps.list.map((step) => ({ ...step, statement: new Prepared(step.statement) }));
    kept.set(steps, list);
  }
  return list;
}

// Not every server names the violated key. Where it does, a violation of another key is no concurrent writer's.
function isOfConcurrentWriter(error: unknown, key: readonly string[] | undefined): boolean {
  if (key === undefined || !(error instanceof ConstraintError) || error.code !== "UNIQUE_VIOLATION")
    return false;
  const { fields } = error;
  return fields.length === 0 || (fields.length === key.length && key.every((one) => fields.includes(one)));
}
