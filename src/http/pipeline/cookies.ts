/**
 * The `Cookie` header as texts by name. Malformed cookies are omitted, and malformed encoding is kept: other
 * applications on the host set cookies too, and theirs must not make our requests fail.
 */

/** A look-up of all texts of a name. */
export function cookieTexts(header: string | undefined): (name: string) => readonly string[] {
  return (wanted) => valuesOf(header, wanted).map(decoded);
}

/** The items of a list: those between commas, and those of repeated names. */
export function cookieItems(header: string | undefined, wanted: string): readonly string[] {
  return valuesOf(header, wanted).flatMap((value) => value.split(",").map(decoded));
}

/** Every value of a name, as it was sent. */
function valuesOf(header: string | undefined, wanted: string): readonly string[] {
  if (header === undefined) return [];
  const values: string[] = [];
  for (const pair of header.split(";")) {
    const equals = pair.indexOf("=");
    if (equals === -1 || pair.slice(0, equals).trim() !== wanted) continue;
    values.push(unquoted(pair.slice(equals + 1).trim()));
  }
  return values;
}

function unquoted(text: string): string {
  return text.length >= 2 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}

function decoded(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
