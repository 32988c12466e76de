/** All that events tell while something runs, in the words in which a log would have them. */
import { inspect } from "node:util";
import { type HttpEvents, on } from "rowtype/http";

/** Those that a request without a stream can have. */
const names: readonly (keyof HttpEvents)[] = [
  "http.engine.created",
  "http.handler.registered",
  "http.handler.executing",
  "http.handler.success",
  "http.handler.error",
  "http.handler.sentinel.error",
  "http.handler.sentinel.undeclared",
  "http.request.received",
  "http.request.completed",
  "http.request.failed",
  "http.request.params.invalid",
  "http.request.validation.input.failed",
  "http.auth.failed",
  "http.auth.succeeded",
];

/** As a log has it, and with what a log leaves out. */
export function shown(value: unknown): string {
  return inspect(value, { depth: 20, showHidden: true, maxStringLength: null, maxArrayLength: null });
}

export async function told(run: () => Promise<void>): Promise<string> {
  const texts: string[] = [];
  const offs = names.map((name) => on(name, (event) => void texts.push(`${name} ${shown(event)}`)));
  try {
    await run();
  } finally {
    for (const off of offs) off();
  }
  return texts.join("\n");
}
