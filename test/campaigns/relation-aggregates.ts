/** Aggregates over joined rows: what they give, and which the package has to refuse. */
import { Beyond, compared, evaluate, evaluateCondition } from "./expression-evaluator.js";
import type { Decimal, Value } from "./expression-trees.js";
import { type Aggregate, namesIn, type Place, splitName } from "./relation-plans.js";
import type { Row } from "./relation-world.js";

/** A query that the package has to refuse. */
export class Refused extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** A row of a scope: the fields of all its places, and for a left-joined place whether it is there. */
export interface Joined {
  readonly values: Row;
  readonly absent: ReadonlySet<string>;
}

/** A text that equal values share. */
export const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? `${one}n` : one)) ?? "";

/** What an aggregate gives over rows. */
export function aggregated(aggregate: Aggregate, rows: readonly Joined[]): Value {
  const { func, of, filter } = aggregate;
  const kept = rows.filter(
    ({ values }) => filter === undefined || evaluateCondition(filter, values) === true,
  );
  if (of === undefined) return BigInt(kept.length);
  const known = kept.map(({ values }) => evaluate(of, values)).filter((value) => value !== null);
  if (func === "count") return BigInt(known.length);
  if (func === "countDistinct") return BigInt(new Set(known.map((value) => textOf(value))).size);
  const [first] = known;
  if (first === undefined) return null;
  if (func === "min" || func === "max") {
    const sign = func === "min" ? -1 : 1;
    return known.reduce((best, value) => (compared(value, best) * sign > 0 ? value : best), first);
  }
  if (of.type.kind === "num") {
    const total = known.reduce<number>((sum, value) => sum + Number(value), 0);
    return func === "sum" ? total : total / known.length;
  }
  const units = known.map((value) => (typeof value === "bigint" ? value : (value as Decimal).units));
  const total = units.reduce((sum, value) => sum + value, 0n);
  if (total > 2n ** 53n || total < -(2n ** 53n)) throw new Beyond("a sum that is not a safe number");
  const { scale } = of.type;
  if (func === "sum") return of.type.kind === "dec" ? { units: total, scale } : total;
  if (of.type.kind !== "dec") return Number(total) / known.length;
  return { units: halfAway(total * 10_000n, BigInt(known.length)), scale: scale + 4 };
}

function halfAway(dividend: bigint, divisor: bigint): bigint {
  const amount = ((dividend < 0n ? -dividend : dividend) * 2n + divisor) / (2n * divisor);
  return dividend < 0n ? -amount : amount;
}

/** A sum, an average or a count of what joins repeat. */
export function refuseFanOut({ func, of }: Aggregate, places: readonly Place[]): void {
  if (func !== "sum" && func !== "avg" && func !== "count") return;
  const wayTo = (name: string): readonly string[] => {
    const place = places.find((one) => one.name === name);
    return place === undefined || name === "" ? [""] : [...wayTo(place.from), name];
  };
  const many = places.filter(({ isMany }) => isMany).map(({ name }) => name);
  const areApart = many.some((one) =>
    many.some((other) => !wayTo(one).includes(other) && !wayTo(other).includes(one)),
  );
  const own = func === "count" || of === undefined ? [] : namesIn(of).map((name) => splitName(name)[0]);
  const isBefore = own.length > 0 && many.some((one) => !own.some((place) => wayTo(place).includes(one)));
  if (areApart || isBefore) throw new Refused("FAN_OUT");
}
