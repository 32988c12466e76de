/** Lists that callers give, as copies. */

/**
 * A copy of a list by index, in which a hole is undefined: loops over a list pass holes by. Of a list that grows while it
 * is read, the items of before: a loop would not end. In less time than `Array.from`.
 */
export function itemsOf(list: readonly unknown[]): unknown[] {
  const items: unknown[] = [];
  const { length } = list;
  for (let i = 0; i < length; i++) items.push(list[i]);
  return items;
}
