// Handlers, engines, clients and errors of two types stand together: in lists, choices, promises, maps and parameters.
import { createEngine, defineError, GET, handlers, type Identity, POST, stream } from "rowtype/http";
import { createClient } from "rowtype/http/client";
import { z } from "zod";

interface Member extends Identity {
  readonly plan: "free" | "paid";
}
const members = handlers<Member>();
const first = GET("/a", { output: z.string() }, () => "a");
const second = POST(
  "/b/{id}",
  { path: { id: z.int() }, body: z.object({ n: z.int() }), output: z.object({ m: z.date() }) },
  () => ({ m: new Date() }),
);
const engineA = createEngine().withHandlers(first);
const engineB = createEngine().withHandlers(second, first);
const OutOfStock = defineError({
  code: "OUT_OF_STOCK",
  status: 409,
  message: "out",
  details: z.object({ since: z.date() }),
});
const Broken = defineError({ code: "BROKEN", status: 500, message: "broken" });
declare const chosen: boolean;
declare function keep(...things: readonly unknown[]): void;

// Handlers.
{
  const a = GET("/a/{x}", { path: { x: z.int() }, output: z.string() }, () => "a");
  const b = POST("/b", { body: z.object({ n: z.int() }), output: z.object({ m: z.date() }) }, () => ({
    m: new Date(),
  }));
  const d = stream("GET", "/s", { event: z.string() }, async () => {});
  const e = members.GET("/m", { authentication: true }, () => "x");
  const list = [a, b, d, e];
  const choice = chosen ? a : chosen ? e : b;
  let last: typeof a | typeof b | typeof d | typeof e = a;
  for (const it of list) last = it;
  const take = (it: typeof a | typeof b | typeof d | typeof e) => it;
  const map = new Map<string, typeof a | typeof b | typeof d | typeof e>(list.map((it, i) => [`${i}`, it]));
  const promise = Promise.all([
    Promise.resolve(a),
    Promise.resolve(b),
    Promise.resolve(d),
    Promise.resolve(e),
  ]);
  keep(
    list,
    choice,
    last,
    map,
    promise,
    new Set(list),
    Promise.all(list),
    take(a),
    take(b),
    take(d),
    take(e),
  );
}

// Engines.
{
  const a = createEngine();
  const b = createEngine<Member>();
  const d = createEngine().withHandlers(first);
  const e = createEngine().withHandlers(second);
  const list = [a, b, d, e];
  const choice = chosen ? a : chosen ? e : b;
  let last: typeof a | typeof b | typeof d | typeof e = a;
  for (const it of list) last = it;
  const take = (it: typeof a | typeof b | typeof d | typeof e) => it;
  const map = new Map<string, typeof a | typeof b | typeof d | typeof e>(list.map((it, i) => [`${i}`, it]));
  const promise = Promise.all([
    Promise.resolve(a),
    Promise.resolve(b),
    Promise.resolve(d),
    Promise.resolve(e),
  ]);
  keep(
    list,
    choice,
    last,
    map,
    promise,
    new Set(list),
    Promise.all(list),
    take(a),
    take(b),
    take(d),
    take(e),
  );
}

// Clients.
{
  const a = createClient<typeof engineA>("http://a");
  const b = createClient<typeof engineB>("http://b");
  const list = [a, b];
  const choice = chosen ? a : chosen ? b : b;
  let last: typeof a | typeof b = a;
  for (const it of list) last = it;
  const take = (it: typeof a | typeof b) => it;
  const map = new Map<string, typeof a | typeof b>(list.map((it, i) => [`${i}`, it]));
  const promise = Promise.all([Promise.resolve(a), Promise.resolve(b)]);
  keep(list, choice, last, map, promise, new Set(list), Promise.all(list), take(a), take(b));
}

// Errors.
{
  const a = OutOfStock;
  const b = Broken;
  const list = [a, b];
  const choice = chosen ? a : chosen ? b : b;
  let last: typeof a | typeof b = a;
  for (const it of list) last = it;
  const take = (it: typeof a | typeof b) => it;
  const map = new Map<string, typeof a | typeof b>(list.map((it, i) => [`${i}`, it]));
  const promise = Promise.all([Promise.resolve(a), Promise.resolve(b)]);
  keep(list, choice, last, map, promise, new Set(list), Promise.all(list), take(a), take(b));
}

// Makers.
{
  const a = handlers<Member>();
  const b = handlers<Identity>();
  const list = [a, b];
  const choice = chosen ? a : chosen ? b : b;
  let last: typeof a | typeof b = a;
  for (const it of list) last = it;
  const take = (it: typeof a | typeof b) => it;
  const map = new Map<string, typeof a | typeof b>(list.map((it, i) => [`${i}`, it]));
  const promise = Promise.all([Promise.resolve(a), Promise.resolve(b)]);
  keep(list, choice, last, map, promise, new Set(list), Promise.all(list), take(a), take(b));
}
