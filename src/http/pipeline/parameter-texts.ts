/**
 * The texts of parameters in each place: how a list is written in it, and how a repeated name is treated. In a query
 * only the caller can repeat a name: that is a mistake. Other pages of the host set cookies, and proxies add header
 * fields: these are read as their standards define.
 */
import type { Segment } from "../contract/path.js";
import type { NamedTexts } from "../input/named-texts.js";
import { queryItems, queryTexts } from "../input/query.js";
import { cookieItems, cookieTexts } from "./cookies.js";
import type { Exchange } from "./exchange.js";

/** Looks up texts in the request of an exchange. */
export type TextsOf = (exchange: Exchange) => NamedTexts;

/**
 * A segment is one text. A list is split at its commas before it is decoded (RFC 6570, 3.2.2).
 * @param base the number of segments before the template.
 */
export function pathTextsOf(template: readonly Segment[], base: number): TextsOf {
  const parameters = template.flatMap((segment) => ("name" in segment ? [segment] : []));
  const names = parameters.map(({ name }) => name);
  const places = new Map(template.map((segment, i) => ["name" in segment ? segment.name : i, base + i]));
  return (exchange) => ({
    of: (name, many) => {
      if (!many) {
        const text = exchange.pathValues[names.indexOf(name)];
        return text === undefined ? undefined : [text];
      }
      const items = exchange.segments[places.get(name) ?? 0]?.split(",").map(decodeURIComponent);
      const { before = "", after = "" } = parameters[names.indexOf(name)] ?? {};
      return items === undefined || before + after === "" ? items : inside(items, before, after);
    },
  });
}

/** The items without the text around their list, which was found in the segment. */
function inside(items: readonly string[], before: string, after: string): readonly string[] {
  const last = items.length - 1;
  return items.map((item, i) =>
    item.slice(i === 0 ? before.length : 0, i === last ? item.length - after.length : item.length),
  );
}

/** A repeated name is a list. */
export const queryTextsOf: TextsOf = ({ request }) => {
  const texts = queryTexts(request.url);
  return {
    of: (name) => texts.get(name),
    items: (name) => queryItems(request.url, name),
    // Iterated again for each parameter that looks for other names.
    names: { [Symbol.iterator]: () => texts.keys() },
  };
};

/** If several cookies have one name, the browser sends the one of the closest path first (RFC 6265, 5.4). */
export const cookieTextsOf: TextsOf = ({ request: { headers } }) => {
  const textsOf = cookieTexts(headers.cookie);
  return {
    of: (name, many) => {
      const texts = many ? cookieItems(headers.cookie, name) : textsOf(name).slice(0, 1);
      return texts.length === 0 ? undefined : texts;
    },
  };
};

/** Repeated fields are one value, joined by commas (RFC 9110, 5.3); empty items of a list are ignored (5.6.1.2). */
export const headerTextsOf: TextsOf = ({ request }) => ({
  of: (name, many) => {
    const key = name.toLowerCase();
    const held = request.headersDistinct;
    const lines = Object.hasOwn(held, key) ? held[key] : undefined;
    if (lines === undefined) return undefined;
    if (many) return lines.flatMap(itemsOf);
    if (lines.length === 1 || SINGLE.has(key)) return lines;
    return [lines.join(key === "cookie" ? "; " : ", ")];
  },
});

/** The request fields of RFC 9110 that are not lists. If the caller repeats one, that is a mistake. */
const SINGLE = new Set(
  (
    "authorization content-length content-location content-type date from host if-modified-since if-range " +
    "if-unmodified-since max-forwards proxy-authorization range referer user-agent"
  ).split(" "),
);

function itemsOf(line: string): readonly string[] {
  return line.split(",").flatMap((item) => item.trim() || []);
}
