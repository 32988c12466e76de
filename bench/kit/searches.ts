/** The chains of a search: any of twelve filters, in one of five orders, and a page. Each number is another chain. */

export const filters = [
  ["email", "="],
  ["email", "LIKE"],
  ["name", "LIKE"],
  ["age", ">"],
  ["age", "<"],
  ["role", "="],
  ["teamId", "="],
  ["score", ">="],
  ["score", "<"],
  ["active", "="],
  ["createdAt", ">="],
  ["createdAt", "<"],
] as const;

export const orders = ["name", "age", "score", "createdAt", "email"] as const;

/** The number of different chains. */
export const CHAINS: number = 2 ** filters.length * orders.length;

/** One search. */
export interface Search {
  readonly filters: readonly (typeof filters)[number][];
  readonly order: (typeof orders)[number];
}

/** The search of a number from 0 to {@link CHAINS} - 1. Numbers that follow each other share few filters. */
export function searchOf(number: number): Search {
  const bits = Math.imul(number, 2_731) & (2 ** filters.length - 1);
  return {
    filters: filters.filter((_, i) => (bits & (1 << i)) !== 0),
    order: orders[(number >> filters.length) % orders.length] ?? "name",
  };
}
