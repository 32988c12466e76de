/** All that events tell while something runs, in the words in which a log would have them. */
import { inspect } from "node:util";
import { on } from "rowtype/http";
import { HTTP_EVENT_NAMES } from "../../src/http/contract/events.js";

/** As a log has it, and with what a log leaves out. */
export function shown(value: unknown): string {
  return inspect(value, { depth: 20, showHidden: true, maxStringLength: null, maxArrayLength: null });
}

export async function told(run: () => Promise<void>): Promise<string> {
  const texts: string[] = [];
  const offs = HTTP_EVENT_NAMES.map((name) =>
    on(name, (event) => void texts.push(`${name} ${shown(event)}`)),
  );
  try {
    await run();
  } finally {
    for (const off of offs) off();
  }
  return texts.join("\n");
}
