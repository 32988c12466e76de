/**
 * `stream` at every point of its life: rows that are asked for at once, an end of each kind after each row, and what is
 * left on the signal.
 */
import { getEventListeners } from "node:events";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { onEachServer } from "../../kit/each-server.js";
import { Team } from "../../kit/people.js";
import { sqlErrorOf } from "../../kit/thrown.js";

// More than a page of every driver.
const many = Array.from({ length: 700 }, (_, i) => ({ id: 100 + i, title: `t${i}` }));
const all = many.map(({ id }) => id);
/** Before the first row, within a page, around its end, at the last row, and after it. */
const points = [0, 1, 2, 99, 100, 101, 256, 699, 700];

onEachServer("a stream at every point", (world) => {
  const filled = async () => {
    const { teams } = world();
    if ((await teams.count().exec()) < many.length) await teams.insert().execBatch(many);
    return teams.query().where("id", ">=", "from").orderBy("id", "asc");
  };
  const begun = async (signal?: AbortSignal) => {
    const rows = (await filled()).stream({ from: 100 }, signal === undefined ? {} : { signal });
    return rows[Symbol.asyncIterator]();
  };
  /** Takes a number of rows, one by one. */
  const taken = async (iterator: AsyncIterator<{ readonly id: number }>, count: number) => {
    const ids: number[] = [];
    while (ids.length < count) {
      const { done, value } = await iterator.next();
      if (done === true) break;
      ids.push(value.id);
    }
    return ids;
  };

  test.each([1, 3, 300])("gives %i rows that are asked for at once in order, from any row on", async (at) => {
    for (const before of [0, 1, 100, 256]) {
      const iterator = await begun();
      const ids = await taken(iterator, before);
      while (ids.length < many.length) {
        const steps = await Promise.all(Array.from({ length: at }, () => iterator.next()));
        ids.push(...steps.flatMap(({ done, value }) => (done === true ? [] : [value.id])));
        // One alone between them is taken from the page at once.
        const { done, value } = await iterator.next();
        if (done !== true) ids.push(value.id);
      }
      expect(ids).toEqual(all);
      expect(await iterator.next()).toEqual({ done: true, value: undefined });
    }
  });

  test("keeps that order where callbacks take their time, and some are set while it runs", async () => {
    await filled();
    const teams = world().db.repository(Team);
    const seen: number[] = [];
    const rows = teams.query().where("id", ">=", "from").orderBy("id", "asc").stream({ from: 100 });
    const iterator = rows[Symbol.asyncIterator]();
    const first = await Promise.all([iterator.next(), iterator.next()]);
    teams.onScan(async ({ id = 0 }) => {
      if (id % 2 === 0) await setImmediate();
      seen.push(id);
    });
    const next = Array.from({ length: 300 }, () => iterator.next());
    const steps = [...first, ...(await Promise.all(next))];
    teams.onScan(null);
    expect(steps.map(({ value }) => value?.id)).toEqual(all.slice(0, 302));
    expect(seen).toEqual(all.slice(2, 302));
    // Without a callback the rest of a page is at hand, but not before the rows that still wait for theirs.
    teams.onScan(() => setImmediate());
    const waiting = [iterator.next(), iterator.next()];
    await Promise.resolve();
    teams.onScan(null);
    const after = await Promise.all([...waiting, iterator.next(), iterator.next()]);
    expect(after.map(({ value }) => value?.id)).toEqual(all.slice(302, 306));
    await iterator.return?.();
  });

  test("ends with its signal after any number of rows: with one error, and nothing after it", async () => {
    for (const count of points) {
      for (const waiting of [0, 3]) {
        const controller = new AbortController();
        const iterator = await begun(controller.signal);
        expect(await taken(iterator, count)).toEqual(all.slice(0, count));
        const pending = Array.from({ length: waiting }, () => iterator.next());
        controller.abort(new Error("enough"));
        const settled = await Promise.allSettled(pending);
        // Those that were on their way may still come, in order; then the error, once; then the end.
        const kinds = settled.map((one) =>
          one.status === "rejected" ? one.reason.code : one.value.done === true ? "end" : one.value.value.id,
        );
        const last = await iterator.next().then(
          ({ done, value }) => (done === true ? "end" : value.id),
          (error: { readonly code: string }) => error.code,
        );
        const seen = [...kinds, last];
        const rows = seen.filter((one) => typeof one === "number");
        expect(rows).toEqual(all.slice(count, count + rows.length));
        const rest = seen.slice(rows.length);
        expect(rest.slice(1).every((one) => one === "end")).toBe(true);
        expect(rest[0]).toBe("ABORTED");
        expect(await iterator.next()).toEqual({ done: true, value: undefined });
        expect(getEventListeners(controller.signal, "abort")).toEqual([]);
      }
    }
    expect(await world().teams.count().exec()).toBe(702);
  });

  test("gives no row to who asks while the signal tells its listeners", async () => {
    for (const count of points.filter((point) => point > 0 && point < many.length)) {
      const controller = new AbortController();
      let asked: Promise<unknown> | undefined;
      // It listened before the stream does.
      controller.signal.addEventListener("abort", () => {
        asked = iterator.next();
      });
      const iterator = await begun(controller.signal);
      expect(await taken(iterator, count)).toEqual(all.slice(0, count));
      controller.abort();
      await expect(asked, `after ${count}`).rejects.toMatchObject({ code: "ABORTED" });
      expect(await iterator.next()).toEqual({ done: true, value: undefined });
    }
  });

  test("leaves no listener on a signal, however it ends and wherever", async () => {
    const { signal } = new AbortController();
    const listeners = () => getEventListeners(signal, "abort").length;
    for (const count of points) {
      const stopped = await begun(signal);
      await taken(stopped, count);
      expect(listeners()).toBeLessThanOrEqual(1);
      await stopped.return?.();
      expect(listeners(), `return after ${count}`).toBe(0);
      const thrown = await begun(signal);
      await taken(thrown, count);
      await expect(thrown.throw?.(new RangeError("told"))).rejects.toThrow("told");
      expect(listeners(), `throw after ${count}`).toBe(0);
    }
    const whole = await begun(signal);
    expect(await taken(whole, Number.POSITIVE_INFINITY)).toEqual(all);
    expect(listeners(), "the last row").toBe(0);
    await filled();
    const failing = world().db.repository(Team);
    failing.onScan(({ id }) => {
      if (id === 300) throw new RangeError("mine");
    });
    const rows = failing.query().orderBy("id", "asc").stream(undefined, { signal })[Symbol.asyncIterator]();
    expect(await sqlErrorOf(taken(rows, Number.POSITIVE_INFINITY))).toMatchObject({
      code: "CALLBACK_FAILED",
    });
    failing.onScan(null);
    expect(listeners(), "a failure").toBe(0);
  });
});
