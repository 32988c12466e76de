/**
 * Step: the functions of `use`, outer ones first, before the body is read. What they give is the context of the handler;
 * a declared error is the answer.
 */
import { describeType, quoted, readParts } from "../../core/errors.js";
import { HttpError } from "../contract/errors.js";
import type { UseFunction } from "../contract/options.js";
import type { Context } from "./call.js";
import type { Endpoint } from "./endpoint.js";
import type { Exchange } from "./exchange.js";
import { declaredOf } from "./invoke.js";
import { outcomeOf } from "./outcome.js";
import type { RequestParams } from "./parameters.js";
import { writeError } from "./write.js";

/** The context; `undefined` if the request was answered with an error. @throws what is not meant for the client */
export async function useStep(
  exchange: Exchange,
  endpoint: Endpoint,
  uses: readonly UseFunction[],
  params: RequestParams,
): Promise<Context | undefined> {
  let context: Context = Object.freeze({});
  for (const use of uses) {
    const given = await run(exchange, use, params, context);
    if (exchange.answered) return undefined;
    if (HttpError.is(given)) {
      const { error } = outcomeOf(exchange, endpoint, given);
      if (error !== undefined) writeError(exchange, error);
      return undefined;
    }
    context = merged(context, given);
  }
  return context;
}

async function run(
  exchange: Exchange,
  use: UseFunction,
  params: RequestParams,
  context: Context,
): Promise<unknown> {
  const { identity } = exchange;
  const call = {
    params,
    identity,
    context,
    get request() {
      exchange.expose();
      return exchange.request;
    },
    get signal() {
      return exchange.signal;
    },
  };
  try {
    // The call was made from the declaration of the group and matches its type.
    return await use(call as never);
  } catch (reason) {
    return declaredOf(exchange, reason);
  }
}

function merged(context: Context, given: unknown): Context {
  if (given === undefined) return context;
  const read = readParts(given);
  if (read === undefined)
    throw new TypeError(
      `a function of use gives an object, undefined or an error, not ${describeType(given)}`,
    );
  const twice = Object.keys(read).find((key) => Object.hasOwn(context, key));
  if (twice !== undefined) throw new TypeError(`two functions of use give the key ${quoted(twice)}`);
  return Object.freeze({ ...context, ...read });
}
