/** The query of a URL as texts by name: split and decoded once, with `+` as a blank, and without nesting. */

/** The query contains percent-encoding that cannot be decoded. */
export class MalformedQuery extends Error {}

/** All texts of each name. @throws MalformedQuery */
export function queryTexts(url: string): ReadonlyMap<string, readonly string[]> {
  const start = url.indexOf("?");
  if (start === -1) return NONE;
  const byName = new Map<string, string[]>();
  for (const pair of url.slice(start + 1).split("&")) {
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
