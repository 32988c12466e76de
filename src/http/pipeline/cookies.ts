/**
 * The `Cookie` header as texts by name. Malformed cookies are left out, malformed encoding is left as it is: other
 * applications on the host set cookies too, and theirs must not fail our requests.
 */

/** A look-up of every text given for a name. */
export function cookieTexts(header: string | undefined): (name: string) => readonly string[] {
  if (header === undefined) return () => [];
  return (wanted) => {
    const texts: string[] = [];
    for (const pair of header.split(";")) {
      const equals = pair.indexOf("=");
      if (equals === -1 || pair.slice(0, equals).trim() !== wanted) continue;
      texts.push(decoded(unquoted(pair.slice(equals + 1).trim())));
    }
    return texts;
  };
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
