/** The names of options, which callers without types may misspell. It is small: browsers load it. */
import type { OptionNames } from "../contract/configured.js";
import { ClientError } from "./client-error.js";

/**
 * An object with none but these options.
 * @param of what they are the options of, for the message.
 * @throws ClientError `INVALID_REQUEST` for an unknown one, with the list of the options
 */
export function known<Options extends object>(
  options: Options,
  names: OptionNames<Options>,
  of: string,
): Options {
  const other = firstOther(options, names);
  if (other === undefined) return options;
  throw new ClientError(
    "INVALID_REQUEST",
    other === null
      ? `the options of ${of} are an object`
      : `unknown option ${JSON.stringify(other.slice(0, 80))} of ${of}; options: ${Object.keys(names).join(", ")}`,
  );
}

/** The first name that is not among these; `null` of what is not an object that can be read. */
function firstOther(options: object, names: object): string | null | undefined {
  try {
    if (typeof options === "object" && options !== null)
      // The copy reads what getters give: one that throws does so here.
      return Object.keys({ ...options }).find((name) => !Object.hasOwn(names, name));
  } catch {
    // A proxy may throw at every access.
  }
  return null;
}
