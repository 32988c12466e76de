/**
 * Step: what a handler gave, as what JSON will write of it: judged where that is asked for, in its wire form, and
 * without what its schema does not declare. Outputs and the events of streams go through it.
 */
import { events } from "../contract/events.js";
import type { CompiledOutput } from "./endpoint.js";
import { type Exchange, toError } from "./exchange.js";

/** The value for JSON; a promise only where the schema needs one. @throws what is wrong with it */
export function encodeOutput(exchange: Exchange, output: CompiledOutput, value: unknown): unknown {
  if (output.parse !== undefined) {
    try {
      return output.parse(value);
    } catch (cause) {
      return refuse(exchange, cause);
    }
  }
  if (output.validate === undefined) return output.encode(value);
  return output.validate(value).then(
    () => output.encode(value),
    (cause: unknown) => refuse(exchange, cause),
  );
}

function refuse(exchange: Exchange, cause: unknown): never {
  const error = toError(cause);
  events.emit("http.request.validation.output.failed", { ...exchange.facts(), error });
  throw error;
}
