/** The API of the board. Any instance answers any request and resumes any stream. */
import type { Database } from "rowtype";
import { BadRequest, createEngine, GET, PUT, stream } from "rowtype/http";
import { z } from "zod";
import type { Feed } from "./feed.js";
import { Message } from "./tables.js";

/** Makes the engine of one instance. */
export function makeApi(db: Database<"postgres">, feed: Feed) {
  const messages = db.repository(Message);
  const byKey = messages.select().where("key", "=", "key");
  const post = messages.insert().onConflict("key").doNothing();
  const newest = messages.query().orderBy("id", "desc").limitParam("limit");

  const publish = PUT(
    "/messages/{key}",
    {
      summary: "Publish a message; the same key again changes nothing",
      path: { key: z.uuid() },
      body: Message.insertSchema.pick({ author: true, text: true }),
      output: Message.schema,
    },
    async ({ params, body }) => {
      const { key } = params.path;
      return (await post.exec({ key, ...body })) ?? (await byKey.exec({ key }));
    },
  );

  const list = GET(
    "/messages",
    {
      summary: "The newest messages, oldest of them first",
      query: { limit: z.int().min(1).max(500).default(50) },
      output: z.array(Message.schema),
    },
    async ({ params }) => (await newest.exec(params.query)).reverse(),
  );

  const follow = stream(
    "GET",
    "/messages/live",
    {
      summary: "Messages as they are published",
      description: "After the last one that was seen, or after the one that is asked for.",
      event: Message.schema,
      query: { after: z.bigint().optional() },
      errors: [BadRequest],
    },
    async ({ params }, { open, send, signal, lastEventId }) => {
      if (lastEventId !== undefined && !/^\d{1,19}$/.test(lastEventId)) throw BadRequest;
      const from = lastEventId === undefined ? (params.query.after ?? feed.last) : BigInt(lastEventId);
      await open();
      for await (const message of feed.after(from, signal)) {
        // When an instance ends, its clients reconnect to the others; a random delay spreads them.
        const retry = 200 + Math.floor(Math.random() * 800);
        if (!(await send(message, { id: message.id, retry }))) return;
      }
    },
  );

  return createEngine()
    .withOpenAPIInfo({ title: "A board on several machines", version: "1.0.0" })
    .withReadiness("/ready", () => feed.isListening)
    .withHandlers(publish, list, follow);
}
