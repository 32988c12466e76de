/** Checks the names of options, which callers without types may misspell. It is small: browsers load it. */
import { notSent } from "./client-error.js";

/** The types that the value of each option may have, as `typeof` names them; none for any value. */
export type OptionTypes<Options> = { readonly [Name in keyof Options]-?: string };

/**
 * A copy of an object that may have only these options, each of which is read once.
 * @param of the owner of the options, for the message.
 * @throws ClientError `INVALID_REQUEST` for an unknown option, with the list of the options, and a value of another type
 */
export function known<Options extends object>(
  options: Options,
  types: OptionTypes<Options>,
  of: string,
): Options {
  const read: Record<string, unknown> = {};
  let other: string | undefined;
  try {
    other = Object.keys(options).find((name) => !Object.hasOwn(types, name));
    for (const name of Object.keys(types)) if (name in options) read[name] = Reflect.get(options, name);
  } catch {
    // It is no object, or a getter or a proxy throws.
    throw notSent(`the options of ${of} are an object`);
  }
  if (other !== undefined)
    throw notSent(
      `unknown option ${JSON.stringify(other.slice(0, 80))} of ${of}; options: ${Object.keys(types).join(", ")}`,
    );
  for (const [name, type] of Object.entries<string>(types))
    if (type !== "" && read[name] !== undefined && !type.includes(typeof read[name]))
      throw notSent(`option ${name} of ${of} is of type ${type}`);
  return read as Options;
}
