/**
 * What handlers give in place of rows and bytes that come one by one, broken in every way: it is a bare 500 or a cut
 * connection, reported once, and the connection of a client that leaves is free again.
 */
import { request } from "node:http";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { bytes, createEngine, csv, GET, HostLoopback, ndjson, on, rows } from "../../src/http/index.js";
import { atEnd } from "../at-end.js";

const Row = z.object({ id: z.int(), note: z.string() });
const kinds = { ndjson: ndjson(Row), csv: csv(Row), rows: rows(Row), bytes: bytes() };
type Kind = keyof typeof kinds;
const names = Object.keys(kinds) as Kind[];
const FAILURE = new Error("the source broke");

/** The item at a place: a row, or bytes. One of them is a third of a chunk, so that the thousandth is far behind the head. */
const itemOf = (kind: Kind) => (id: number) =>
  kind === "bytes" ? new Uint8Array(500).fill(id) : { id, note: "x".repeat(500) };

/** What sources have to do with a request. */
interface Given {
  readonly item: (id: number) => unknown;
  /** Where it breaks. */
  readonly at: number;
  /** An item that cannot be written. */
  readonly unwritable: unknown;
  readonly ended: () => void;
}

const throwing = () => {
  throw FAILURE;
};
/** An iterable that counts, with steps of its own from a place on. */
const steps = ({ item, at, ended }: Given, step: () => unknown, isAsync: boolean) => {
  let id = 0;
  const iterator = {
    next: () => {
      if (id >= at) return step();
      const result = { done: false, value: item(id++) };
      return isAsync ? Promise.resolve(result) : result;
    },
    return: () => {
      ended();
      const over = { done: true, value: undefined };
      return isAsync ? Promise.resolve(over) : over;
    },
  };
  return { [isAsync ? Symbol.asyncIterator : Symbol.iterator]: () => iterator };
};

/** Sources that break at a place. */
const breaking: Readonly<Record<string, (given: Given) => unknown>> = {
  "a generator that throws": function* ({ item, at, ended }) {
    try {
      for (let id = 0; id < at; id++) yield item(id);
      throw FAILURE;
    } finally {
      ended();
    }
  },
  "an async generator that throws": async function* ({ item, at, ended }) {
    try {
      for (let id = 0; id < at; id++) yield item(id);
      throw FAILURE;
    } finally {
      ended();
    }
  },
  "an iterator whose next throws": (given) => steps(given, throwing, false),
  "an async iterator whose next throws": (given) => steps(given, throwing, true),
  "an async iterator that rejects": (given) => steps(given, () => Promise.reject(FAILURE), true),
  "an iterator that gives no step": (given) => steps(given, () => 5, false),
  "an async iterator that gives no step": (given) => steps(given, () => Promise.resolve(null), true),
  "an item that cannot be written": (given) =>
    steps(given, () => ({ done: false, value: given.unwritable }), false),
  "an async item that cannot be written": (given) =>
    steps(given, () => Promise.resolve({ done: false, value: given.unwritable }), true),
  "a stream of the web that errors": ({ item, at }) => {
    let id = 0;
    return new ReadableStream({
      pull(queue) {
        if (id >= at) queue.error(FAILURE);
        else queue.enqueue(item(id++));
      },
    });
  },
};

/** What is no source at all. */
const none: Readonly<Record<string, () => unknown>> = {
  nothing: () => undefined,
  null: () => null,
  "a number": () => 5,
  "an object": () => ({ id: 1 }),
  "a function": () => () => [],
  "an iterator that cannot be begun": () => ({ [Symbol.iterator]: throwing }),
  "an async iterator that cannot be begun": () => ({ [Symbol.asyncIterator]: throwing }),
  "an iterable that gives no iterator": () => ({ [Symbol.iterator]: () => 5 }),
  "a proxy that refuses": () => new Proxy({}, { get: throwing, has: throwing }),
};

/** What came of a request: the status and the text, or whether the answer was cut. */
interface Came {
  readonly status: number;
  readonly text: string;
  readonly isCut: boolean;
}

function ask(url: string, method = "GET"): Promise<Came> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, agent: false }, (response) => {
      let text = "";
      response.setEncoding("latin1").on("data", (piece: string) => {
        text = (text + piece).slice(0, 1_000);
      });
      response.on("error", () => {});
      response.on("close", () =>
        resolve({ status: response.statusCode ?? 0, text, isCut: !response.complete }),
      );
    });
    sent.on("error", reject).end();
  });
}

const reported = new Map<string, unknown[]>();
const ended = new Map<string, number>();
const over: string[] = [];
atEnd(on("http.request.completed", ({ path }) => void over.push(path)));
atEnd(on("http.request.failed", ({ path }) => void over.push(path)));

/** Every source of every kind is a handler. */
const sources = names.flatMap((kind) => [
  ...Object.entries(breaking).flatMap(([title, make]) =>
    [0, 1, 999].map((at) => ({ kind, title: `${title}, after ${at}`, at, make })),
  ),
  ...Object.entries(none).map(([title, make]) => ({ kind, title, at: 0, make })),
]);
const engine = createEngine({
  onError: (error, { path }) => void reported.set(path, [...(reported.get(path) ?? []), error]),
}).withHandlers(
  ...sources.map(({ kind, at, make }, n) =>
    GET(`/${n}`, { output: kinds[kind] }, () => {
      const path = `/${n}`;
      const given: Given = {
        item: itemOf(kind),
        at,
        unwritable: kind === "bytes" ? "text" : { id: { toJSON: throwing }, note: "" },
        ended: () => void ended.set(path, (ended.get(path) ?? 0) + 1),
      };
      // No source here is one that the types allow.
      return make(given) as never;
    }),
  ),
);
const started = engine.start(HostLoopback, 0);
atEnd(() => engine.shutdown({ timeoutMs: 1_000 }));
const BARE = '{"code":"INTERNAL_SERVER_ERROR","message":"internal server error"}';

describe("a source that breaks is a bare 500 before the first chunk and a cut after it, reported once", () => {
  test.each(names)("of %s", async (kind) => {
    const { url } = await started;
    for (const [n, source] of sources.entries()) {
      if (source.kind !== kind) continue;
      const title = `${kind}: ${source.title}`;
      const path = `/${n}`;
      const { status, text, isCut } = await ask(`${url}${path}`);
      await expect.poll(() => over.filter((one) => one === path).length).toBe(1);
      if (status === 500) expect([title, text, isCut]).toEqual([title, BARE, false]);
      else expect([title, status, isCut]).toEqual([title, 200, true]);
      // What fails first is always an answer; the thousandth is far behind the head. Bytes at once are no iterable of bytes.
      const isSource = kind !== "bytes" || !/^a generator|^an iterator|^an item/.test(source.title);
      if (source.at === 0 || !isSource) expect([title, status]).toEqual([title, 500]);
      else if (source.at === 999) expect([title, status]).toEqual([title, 200]);
      expect([title, reported.get(path)?.length]).toEqual([title, 1]);
      expect([title, (ended.get(path) ?? 0) <= 1]).toEqual([title, true]);
    }
  });

  test("HEAD reads none of it, and is answered", async () => {
    const { url } = await started;
    reported.clear();
    for (const [n, { kind, title }] of sources.entries()) {
      const { status, text } = await ask(`${url}/${n}`, "HEAD");
      expect([kind, title, [200, 500].includes(status), text]).toEqual([kind, title, true, ""]);
      expect([title, (reported.get(`/${n}`)?.length ?? 0) <= 1]).toEqual([title, true]);
    }
  });
});

describe("a source that never gives, or never ends", () => {
  const never = () => new Promise<never>(() => {});
  /** Whether the source has been left. */
  const watched = (kind: Kind, after: number, leave: () => unknown) => {
    const state = { begun: 0, left: 0, aborted: 0 };
    const item = itemOf(kind);
    let id = 0;
    const source = {
      [Symbol.asyncIterator]: () => ({
        next: () => (id < after ? Promise.resolve({ done: false, value: item(id++) }) : never()),
        return: () => {
          state.left++;
          return leave();
        },
      }),
    };
    return { state, source };
  };
  const over = () => Promise.resolve({ done: true, value: undefined });
  const leaves: Readonly<Record<string, () => unknown>> = {
    ends: over,
    throws: throwing,
    rejects: () => Promise.reject(FAILURE),
    hangs: never,
    "gives nothing": () => undefined,
  };

  test.each(names.flatMap((kind) => Object.keys(leaves).map((leave) => [kind, leave] as const)))(
    "of %s, whose return %s, is left with the client and with the engine",
    async (kind, leave) => {
      for (const after of [0, 1, Number.POSITIVE_INFINITY])
        for (const way of ["client", "engine"]) {
          const errors: unknown[] = [];
          const failed: unknown[] = [];
          const own = `/${kind}/${leave}/${after}/${way}`.replaceAll(" ", "-");
          const { state, source } = watched(kind, after, leaves[leave] ?? over);
          const api = createEngine({ onError: (error) => void errors.push(error) }).withHandlers(
            GET(own, { output: kinds[kind] }, ({ signal }) => {
              state.begun++;
              signal.addEventListener("abort", () => void state.aborted++);
              // It gives rows or bytes, whichever the kind asks for.
              return source as never;
            }),
          );
          atEnd(on("http.request.failed", ({ path, error }) => void (path === own && failed.push(error))));
          const { url } = await api.start(HostLoopback, 0);
          const client = new AbortController();
          const call = fetch(`${url}${own}`, { signal: client.signal }).then((response) =>
            response.body?.getReader().read(),
          );
          const settled = call.catch(() => {});
          // Its function has given the source; what has an item has sent it.
          if (after === 0) await expect.poll(() => state.begun).toBe(1);
          else await settled;
          if (way === "client") client.abort();
          expect(await api.shutdown({ timeoutMs: way === "client" ? 60_000 : 50 })).toEqual({
            graceful: way === "client",
          });
          await settled;
          await expect.poll(() => state.aborted).toBe(1);
          const title = [kind, leave, after, way];
          expect([...title, state.left]).toEqual([...title, 1]);
          // Nobody has failed where the client has left; the deadline of a shutdown ends a request once at most.
          expect([...title, errors.length <= (leave === "ends" || leave === "hangs" ? 0 : 1)]).toEqual([
            ...title,
            true,
          ]);
          expect([...title, failed.length]).toEqual([...title, 1]);
          client.abort();
        }
    },
  );
});
