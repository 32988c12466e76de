/** The query of a URL, or a form, as texts by name: split and decoded once, with `+` as a blank, and without nesting. */

/** The text contains percent-encoding that cannot be decoded. */
export class MalformedQuery extends Error {}

/** All texts of each name in the query of a URL. @throws MalformedQuery */
export function queryTexts(url: string): ReadonlyMap<string, readonly string[]> {
  const start = url.indexOf("?");
  return start === -1 ? NONE : encodedTexts(url.slice(start + 1));
}

/** All texts of each name. @throws MalformedQuery */
export function encodedTexts(encoded: string): ReadonlyMap<string, readonly string[]> {
  const byName = new Map<string, string[]>();
  for (const pair of encoded.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = decoded(equals === -1 ? pair : pair.slice(0, equals));
    const text = equals === -1 ? "" : decoded(pair.slice(equals + 1));
    const texts = byName.get(name);
    if (texts === undefined) byName.set(name, [text]);
    else texts.push(text);
  }
  return byName;
}

const NONE: ReadonlyMap<string, readonly string[]> = new Map();

function decoded(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw new MalformedQuery();
  }
}

/** The items of a name that commas separate, for each time that it is there; each is decoded after the split. @throws MalformedQuery */
export function queryItems(url: string, name: string): readonly (readonly string[])[] {
  const start = url.indexOf("?");
  if (start === -1) return [];
  return url
    .slice(start + 1)
    .split("&")
    .flatMap((pair) => {
      const equals = pair.indexOf("=");
      if (equals === -1 || decoded(pair.slice(0, equals)) !== name) return [];
      return [
        pair
          .slice(equals + 1)
          .split(",")
          .map(decoded),
      ];
    });
}
