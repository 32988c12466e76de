/** A call with its limit of time, again where it may be repeated and its failure may pass. */
import { givesRows } from "./body.js";
import type { CallLimits } from "./call-limits.js";
import { ClientError, notSent } from "./client-error.js";
import { known, type OptionTypes } from "./known.js";
import { CALL_DATA, type CallData, type CallTarget, send } from "./request.js";
import { lost, pause, withLimit } from "./signals.js";

/** A call's options, for any handler. */
export interface AnyCallOptions extends CallData, CallLimits {}

/** Limits, by name. */
export const LIMITS: OptionTypes<CallLimits> = { retries: "number", timeoutMs: "number" };

const OPTIONS: OptionTypes<AnyCallOptions> = { ...CALL_DATA, ...LIMITS };

/** @throws ClientError `INVALID_REQUEST` for numbers that say no count and no time */
export function checkLimits({ retries = 0, timeoutMs = 1 }: CallLimits): void {
  if (!Number.isInteger(retries) || retries < 0 || !(timeoutMs > 0))
    throw notSent("retries is a whole number from 0, and timeoutMs a number above 0");
}

const LONGEST_WAIT_MS = 30_000;

/**
 * Sends a call until `read` has its answer, or it has failed for good.
 * @throws ClientError `TIMEOUT` when the whole of it takes too long
 */
export async function perform<Result>(
  target: CallTarget & CallLimits,
  method: string,
  path: string,
  options: AnyCallOptions,
  read: (response: Response, signal: AbortSignal | undefined) => Promise<Result> | Result,
): Promise<Result> {
  const given = known(options, OPTIONS, "a call");
  checkLimits(given);
  if (typeof method !== "string") throw notSent("a method is text");
  const { retries = target.retries ?? 0, timeoutMs = target.timeoutMs } = given;
  const signal = withLimit(given.signal, timeoutMs);
  const call = { ...given, signal };
  const turns = /^(GET|HEAD|QUERY|OPTIONS)$/.test(method) && !isOnce(call.body) ? retries : 0;
  const work = async () => {
    for (let turn = 0; ; turn++) {
      let waitMs: number | undefined;
      try {
        const response = await send(target, method, path, call, { accept: "application/json, */*;q=0.1" });
        const after = response.headers.get("retry-after");
        const { status } = response;
        const mayPass = /^50[234]$/.test(`${status}`) || (status === 429 && after !== null);
        if (turn >= turns || !mayPass) return await read(response, signal);
        await response.body?.cancel();
        // RFC 9110, 10.2.3: seconds, or a date.
        if (after !== null) waitMs = /^\d+$/.test(after) ? +after * 1_000 : Date.parse(after) - Date.now();
      } catch (error) {
        if (turn >= turns || !(error instanceof ClientError && error.code === "NETWORK")) throw error;
      }
      if (!(waitMs !== undefined && waitMs >= 0)) waitMs = 200 * 2 ** turn * (0.75 + Math.random() / 2);
      await pause(Math.min(waitMs, LONGEST_WAIT_MS), signal);
    }
  };
  if (timeoutMs === undefined) return work();
  // The functions of the caller may not listen to the signal: headers that are worked out, hooks, a `fetch` of one's own.
  const late = new Promise<never>((_, reject) => {
    signal?.addEventListener("abort", () => reject(lost(undefined, signal)));
  });
  return Promise.race([late, work()]);
}

/** Whether a body is used up when it is sent: a stream, or what gives its rows one by one. */
function isOnce(body: unknown): boolean {
  return body === Object(body) && (body instanceof ReadableStream || givesRows(body as object));
}
