/**
 * Step: turns an output into the value that JSON writes: validated if `outputValidation` is set, in its wire form, and
 * without fields that its schema does not declare. It is used for outputs and for the events of streams.
 */

import type { OutputSteps } from "../../schema/schema-reader.js";
import { events } from "../contract/events.js";
import { type Exchange, toError } from "./exchange.js";

/** The value for JSON; a promise only if the schema needs one. @throws the validation error */
export function encodeOutput(exchange: Exchange, output: OutputSteps, value: unknown): unknown {
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
  events.emit("http.request.validation.output.failed", exchange.facts({ error }));
  throw error;
}
