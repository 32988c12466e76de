/**
 * A handler's request from front to back: the order of the steps is the order of the lines in `answer`.
 */
import { accessStep } from "./access.js";
import { bodyStep } from "./body.js";
import { RuntimeCall } from "./call.js";
import type { Endpoint } from "./endpoint.js";
import { type Exchange, toError } from "./exchange.js";
import { runHandler } from "./invoke.js";
import { runMiddleware } from "./middleware.js";
import { failureOf, outcomeOf } from "./outcome.js";
import { streamStep } from "./stream.js";
import { writeError, writeOutput } from "./write.js";

/** Answers an exchange whose endpoint is known; never rejects. */
export function run(exchange: Exchange, endpoint: Endpoint): Promise<void> {
  return answer(exchange, endpoint).catch((thrown: unknown) => fail(exchange, thrown));
}

async function answer(exchange: Exchange, endpoint: Endpoint): Promise<void> {
  const { options } = endpoint.handler;

  if (options.middleware.length > 0) {
    exchange.seen = true;
    await runMiddleware(exchange, options.middleware);
    if (exchange.answered) return;
  }
  if (options.authentication !== false) exchange.identity = await accessStep(exchange, options);
  const read = endpoint.parameters(exchange);
  const params = read instanceof Promise ? await read : read;
  const limit = options.maxBodySize ?? exchange.runtime.maxBodySize;
  const body = endpoint.body && (await bodyStep(exchange, endpoint.body, limit));
  const call = new RuntimeCall(exchange, params, body, fail);
  if (endpoint.streamed !== undefined) return streamStep(exchange, endpoint, endpoint.streamed, call);
  const given = await runHandler(exchange, endpoint, call);
  if (exchange.answered) return;
  const outcome = outcomeOf(exchange, endpoint, given);
  if (outcome.error !== undefined) writeError(exchange, outcome.error, outcome.origin);
  else {
    const writing = writeOutput(exchange, endpoint, outcome.output);
    if (writing !== undefined) await writing;
  }
}

/** Answers with an error: a declared or a framework's one as it is, everything else as a bare 500. */
export function fail(exchange: Exchange, thrown: unknown): void {
  const error = failureOf(exchange, thrown);
  if (exchange.answered) {
    // Too late to say anything: what was begun must not look complete.
    exchange.failure = toError(thrown);
    if (!exchange.response.writableEnded) exchange.response.destroy();
    return;
  }
  try {
    writeError(exchange, error);
  } catch (cause) {
    exchange.failure = toError(cause);
    exchange.response.destroy();
  }
}
