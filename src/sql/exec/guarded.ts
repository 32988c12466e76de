/** Changes whose rows the server itself checks: it refuses them if they could not be decoded. */
import type { DriverPrepared, DriverRequest } from "../contract/driver.js";

interface GuardedText {
  readonly of: string;
  readonly sql: string;
  readonly prepared: DriverPrepared;
}

/** The last text of each with its guard; null if its guard is given up. */
const texts = new WeakMap<DriverPrepared, GuardedText | null>();

/** The request with the guard of its text; undefined if it has none. */
export function guarded(request: DriverRequest): DriverRequest | undefined {
  const { prepared, sql, batch, inUtc } = request;
  const { guard } = prepared;
  if (guard === undefined || batch !== undefined) return undefined;
  let text = texts.get(prepared);
  if (text === null) return undefined;
  if (text?.of !== sql) {
    const { givesRows, bigints, zoned } = prepared;
    text = { of: sql, sql: sql + guard, prepared: { givesRows, bigints, zoned } };
    texts.set(prepared, text);
  }
  const { prepared: own, sql: whole } = text;
  return inUtc === undefined
    ? { ...request, prepared: own, sql: whole }
    : { ...request, prepared: own, sql: whole, inUtc: () => inUtc() + guard };
}

/** Sends a text without its guard from now on, because the guard has refused rows that can be decoded. */
export function giveUpGuard({ prepared }: DriverRequest): void {
  texts.set(prepared, null);
}
