/** Checks the names of options, which callers without types may misspell. It is small: browsers load it. */
import type { OptionNames } from "../contract/configured.js";
import { notSent } from "./client-error.js";

/**
 * An object with only these options.
 * @param of the owner of the options, for the message.
 * @throws ClientError `INVALID_REQUEST` for an unknown option, with the list of the options
 */
export function known<Options extends object>(
  options: Options,
  names: OptionNames<Options>,
  of: string,
): Options {
  const other = firstOther(options, names);
  if (other === undefined) return options;
  throw notSent(
    other === null
      ? `the options of ${of} are an object`
      : `unknown option ${JSON.stringify(other.slice(0, 80))} of ${of}; options: ${Object.keys(names).join(", ")}`,
  );
}

/** The first other name; `null` for a value that is not a readable object. */
function firstOther(options: object, names: object): string | null | undefined {
  try {
    if (typeof options === "object" && options !== null)
      // The copy calls getters: one that throws does so here.
      return Object.keys({ ...options }).find((name) => !Object.hasOwn(names, name));
  } catch {
    // A proxy may throw at every access.
  }
  return null;
}
