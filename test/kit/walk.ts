/** Walks the pages of a query to their end. */
import { expect } from "vitest";

/** The pages of a query, whatever their rows are. */
export interface Walked<R> {
  exec(
    params: object,
    options: { readonly after: string | undefined },
  ): Promise<{ readonly rows: readonly R[]; readonly next: string | null }>;
}

/** What a walk is given beside its pages. */
export interface Walk<R> {
  readonly params?: object;
  /** The pages after which a walk has lost its way: a test that would wait for the end of an endless one tells nothing. */
  readonly most: number;
  /** Whom a failure names. */
  readonly title?: string;
  /** Called between two pages. */
  readonly between?: (rows: readonly R[]) => Promise<void>;
}

/** All pages, one after the other. Fails where there are more than `most`. */
export async function walk<R>(
  pages: Walked<R>,
  { params = {}, most, title, between }: Walk<R>,
): Promise<R[][]> {
  const walked: R[][] = [];
  let after: string | undefined;
  do {
    expect(walked.length, `${title ?? "a walk"} goes on after its last page`).toBeLessThan(most);
    const { rows, next } = await pages.exec(params, { after });
    walked.push([...rows]);
    after = next ?? undefined;
    await between?.(rows);
  } while (after !== undefined);
  return walked;
}

/** The pages that a walk has to give: all but the last one are full, and there is no empty one behind rows. */
export function cutInto<R>(rows: readonly R[], size: number): R[][] {
  const pages: R[][] = [];
  for (let at = 0; at === 0 || at < rows.length; at += size) pages.push(rows.slice(at, at + size));
  return pages;
}
