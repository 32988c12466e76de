import { setTimeout } from "node:timers/promises";
import {
  Conflict,
  createEngine,
  type EventsOf,
  type Handler,
  handlers,
  type Identity,
  NotFound,
  type Stream,
  stream,
} from "rowtype/http";
import { expectType } from "tsd";
import { z } from "zod";
import { z as z3 } from "zod/v3";

const Tick = z.object({ at: z.date(), n: z.int() });

// The call is that of any handler, the events are those of the schema.
const ticks = stream(
  "GET",
  "/ticks/{room}",
  {
    event: Tick,
    path: { room: z.int() },
    query: { from: z.date().optional() },
    errors: [NotFound],
    heartbeatMs: 5_000,
    responseHeaders: { "x-a": "1" },
  },
  async ({ params, body, identity, request }, stream) => {
    expectType<number>(params.path.room);
    expectType<Date | undefined>(params.query.from);
    expectType<undefined>(body);
    expectType<null>(identity);
    expectType<string | undefined>(request.get("x"));
    expectType<AbortSignal>(stream.signal);
    expectType<string | undefined>(stream.lastEventId);
    if (params.path.room === 0) throw NotFound.withDetails({ resource: "room" });
    expectType<boolean>(await stream.send({ at: new Date(), n: 1 }));
    await stream.send({ at: new Date(), n: 1 }, { id: 7n, retry: 500 });
    await stream.sendEvent("message", { at: new Date(), n: 1 });
    await stream.sendComment("x");
    await stream.open();
    // @ts-expect-error another type
    await stream.send({ at: "now", n: 1 });
    // @ts-expect-error a missing field
    await stream.send({ n: 1 });
    // @ts-expect-error no named event was declared
    await stream.sendEvent("tick", { at: new Date(), n: 1 });
    // @ts-expect-error an id is one text
    await stream.send({ at: new Date(), n: 1 }, { id: {} });
  },
);
expectType<"GET">(ticks.method);
expectType<"/ticks/{room}">(ticks.path);
const any: Handler<string, string, unknown, Identity> = ticks;
createEngine().withHandlers(ticks, any as typeof ticks);

// Named events, each of its own type; what is taken apart still works.
stream(
  "POST",
  "/chat",
  {
    body: z.object({ text: z.string() }),
    events: { word: z.string(), end: z.object({ role: z.enum(["a", "b"]) }) },
  },
  async ({ body }, { send, sendEvent, signal }) => {
    expectType<string>(body.text);
    await sendEvent("word", body.text);
    await sendEvent("end", { role: "a" }, { id: "1" });
    // @ts-expect-error not one of the roles
    await sendEvent("end", { role: "c" });
    // @ts-expect-error the type of another event
    await sendEvent("word", { role: "a" });
    // @ts-expect-error not declared
    await sendEvent("wrod", "a");
    // @ts-expect-error no unnamed event was declared
    await send("a");
    while (await sendEvent("word", "tick")) await setTimeout(1_000, undefined, { signal });
  },
);

// `message` among the named ones is the unnamed one; schemas of Zod 3 serve too.
stream(
  "GET",
  "/both",
  { events: { message: z3.number(), done: z.boolean() } },
  async (_call, { send, sendEvent }) => {
    await send(1);
    await sendEvent("done", true);
  },
);

// One or the other.
// @ts-expect-error no event
stream("GET", "/none", {}, () => {});
// @ts-expect-error both
stream("GET", "/twice", { event: z.string(), events: { a: z.string() } }, () => {});
// @ts-expect-error what only handlers have
stream("GET", "/output", { event: z.string(), output: z.string() }, () => {});
// @ts-expect-error the status of a stream is 200
stream("GET", "/status", { event: z.string(), status: 201 }, () => {});
// @ts-expect-error the path does not name it
stream("GET", "/x/{id}", { event: z.string(), path: { idd: z.int() } }, () => {});

// Declared errors may be returned, others not; a send may be the last word.
stream("GET", "/e", { event: z.string(), errors: [NotFound] }, () => NotFound);
stream("GET", "/e", { event: z.string(), errors: [NotFound] }, async () => NotFound);
stream("GET", "/e", { event: z.string() }, (_call, { send }) => send("x"));
// @ts-expect-error undeclared
stream("GET", "/e", { event: z.string(), errors: [NotFound] }, () => Conflict);
// @ts-expect-error undeclared
stream("GET", "/e", { event: z.string() }, async () => NotFound);

// The identity is there where authentication is required.
stream("GET", "/me", { event: z.string(), authentication: true }, ({ identity }) => {
  expectType<Identity>(identity);
});
interface Member extends Identity {
  readonly plan: "free" | "paid";
}
const own = handlers<Member>().stream("GET", "/own", { event: z.string(), roles: ["a"] }, ({ identity }) => {
  expectType<"free" | "paid">(identity.plan);
});
createEngine<Member>().withHandlers(own);
// @ts-expect-error the engine's callers have no plan
createEngine().withHandlers(own);

// A function of its own can take the sending side.
async function greet(to: Stream<{ message: { at: Date; n: number } }>): Promise<void> {
  await to.send({ at: new Date(), n: 1 });
}
stream("GET", "/greet", { event: Tick }, (_call, to) => greet(to));
expectType<EventsOf<typeof Tick, undefined>>({} as { readonly message: typeof Tick });
