/** Carries out a plan: one statement, or the steps that do the work of one where a dialect needs several. */
import { ConstraintError, SqlError } from "../errors.js";
import type { Plan, RenderedStatement, Step, Steps } from "../render/plan.js";
import type { Row } from "./decode.js";
import { ask, asOne, type Call, fetchRows, Prepared } from "./execute.js";

/** The most times that rivals may come in between. */
const MOST_ATTEMPTS = 5;

type Params = Readonly<Record<string, unknown>>;

/**
 * Carries out a plan and gives the rows that come back.
 * @param values those behind the placeholders of the plan's own statement.
 * @param params the checked parameters of the call, for the steps.
 */
export function carryOut(
  prepared: Prepared<Plan>,
  values: readonly unknown[],
  params: Params,
  call: Call,
): Promise<Row[]> {
  const { steps } = prepared.plan;
  if (steps === undefined) return fetchRows(prepared, values, call);
  return asOne(prepared, call, async () => {
    if (steps.after !== undefined)
      try {
        return await rowsOf(prepared, values, call);
      } catch (error) {
        if (!(error instanceof SqlError) || error.code !== steps.after) throw error;
      }
    const inside = (session: Call["session"]) => repeated(steps, params, { ...call, session });
    if (call.session.isTransaction) return inside(call.session);
    return call.session.atomically(inside, { signal: call.signal });
  });
}

async function repeated(steps: Steps, params: Params, call: Call): Promise<Row[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await oneAfterTheOther(steps, params, call);
    } catch (error) {
      if (attempt === MOST_ATTEMPTS || !isOfRival(error, steps.againOn)) throw error;
    }
  }
}

async function oneAfterTheOther(steps: Steps, params: Params, call: Call): Promise<Row[]> {
  let count = 0;
  for (const { when, gives, statement } of preparedSteps(steps)) {
    if (when !== undefined && when !== (count > 0 ? "some" : "none")) continue;
    const values = statement.bind(params);
    if (gives === "rows") return rowsOf(statement, values, call);
    const { rows, affected } = await ask(statement, values, gives === "found", call);
    count = gives === "found" ? rows.length : affected;
  }
  return [];
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

// Of which key it is not every server tells; where it does, another one is nobody's rival.
function isOfRival(error: unknown, key: readonly string[] | undefined): boolean {
  if (key === undefined || !(error instanceof ConstraintError) || error.code !== "UNIQUE_VIOLATION")
    return false;
  const { fields } = error;
  return fields.length === 0 || (fields.length === key.length && key.every((one) => fields.includes(one)));
}
