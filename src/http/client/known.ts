/** Checks the names of options, which callers without types may misspell. It is small: browsers load it. */
import type { OptionNames } from "../contract/configured.js";
import { notSent } from "./client-error.js";

/**
 * A copy of an object that may have only these options, each of which is read once.
 * @param of the owner of the options, for the message.
 * @throws ClientError `INVALID_REQUEST` for an unknown option, with the list of the options
 */
export function known<Options extends object>(
  options: Options,
  names: OptionNames<Options>,
  of: string,
): Options {
  const read: Record<string, unknown> = {};
  let other: string | undefined;
  try {
    other = Object.keys(options).find((name) => !Object.hasOwn(names, name));
    for (const name of Object.keys(names)) if (name in options) read[name] = Reflect.get(options, name);
  } catch {
    // It is no object, or a getter or a proxy throws.
    throw notSent(`the options of ${of} are an object`);
  }
  if (other === undefined) return read as Options;
  throw notSent(
    `unknown option ${JSON.stringify(other.slice(0, 80))} of ${of}; options: ${Object.keys(names).join(", ")}`,
  );
}
