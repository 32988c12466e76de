/**
 * How often a campaign, or a test with much to do, does its work: a small number by default, its full number where
 * `ROWTYPE_ROUNDS=full`, and any other number where `ROWTYPE_ROUNDS` says it.
 */
const asked = process.env["ROWTYPE_ROUNDS"];

/** The rounds of one campaign or test. */
export function rounds({ small, full }: { readonly small: number; readonly full: number }): number {
  if (asked === undefined || asked === "") return small;
  if (asked === "full") return full;
  const count = Number(asked);
  if (!Number.isSafeInteger(count) || count < 1)
    throw new TypeError(`ROWTYPE_ROUNDS is "full" or a count of rounds, not ${JSON.stringify(asked)}`);
  return count;
}

/** Milliseconds that a campaign may take: what it needs once, and what each round needs on a busy machine. */
export const patience = (once: number, eachRound: number, count: number): number => once + eachRound * count;
