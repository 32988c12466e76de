/** The media type of a request's body, and the body of a declaration that it chooses. */
import type { Request } from "express";

/** A media type in lower case, and its charset. */
interface MediaType {
  readonly type: string;
  readonly charset: string | undefined;
}

const JSON_TYPE = /^application\/(?:json|[!#$&^_.+\-a-z0-9]+\+json)$/;
const UTF_8 = /^utf-?8$/;

/** `application/json` or `application/*+json`, in UTF-8, without a content encoding. */
export function isJson({ headers }: Request): boolean {
  const encoding = headers["content-encoding"];
  if (headers["content-type"] === "application/json" && encoding === undefined) return true;
  if (isEncoded(encoding)) return false;
  const { type, charset } = mediaTypeOf(headers["content-type"]);
  return JSON_TYPE.test(type) && (charset === undefined || UTF_8.test(charset));
}

/** A body that one of these types chooses; an exact type before a range, a narrow range before `*` of all. */
export function chosenBy<Body extends { readonly types: readonly string[]; readonly isText: boolean }>(
  { headers }: Request,
  bodies: readonly Body[],
): { readonly body: Body; readonly isExact: boolean } | undefined {
  if (isEncoded(headers["content-encoding"])) return undefined;
  const { type, charset } = mediaTypeOf(headers["content-type"]);
  if (!type.includes("/")) return undefined;
  for (const wanted of [type, `${type.split("/")[0]}/*`, "*/*"]) {
    const body = bodies.find(({ types }) => types.includes(wanted));
    if (body === undefined) continue;
    const isRead = !body.isText || charset === undefined || charset === "us-ascii" || UTF_8.test(charset);
    return isRead ? { body, isExact: wanted === type } : undefined;
  }
  return undefined;
}

/** Whether a media type is one of these, or in one of their ranges. */
export function isAmong(type: string, types: readonly string[]): boolean {
  return types.includes(type) || types.includes(`${type.split("/")[0]}/*`) || types.includes("*/*");
}

function isEncoded(encoding: string | undefined): boolean {
  return encoding !== undefined && encoding.trim().toLowerCase() !== "identity";
}

function mediaTypeOf(given = ""): MediaType {
  const [type = "", ...parameters] = unquotedParts(given);
  const charsets = parameters.flatMap((parameter) => {
    const [name = "", value = ""] = parameter.split("=");
    return name.trim().toLowerCase() === "charset" ? [unquoted(value.trim().toLowerCase())] : [];
  });
  // Two that differ say nothing that can be relied on.
  const charset = charsets.every((one) => UTF_8.test(one))
    ? charsets[0]
    : charsets.find((one) => !UTF_8.test(one));
  return { type: type.trim().toLowerCase(), charset };
}

function unquoted(text: string): string {
  return text.replaceAll("\\", "").replace(/^"(.*)"$/, "$1");
}

/** A field split at its semicolons; those in a quoted string do not split it (RFC 9110, 5.6.4). */
function unquotedParts(field: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let i = 0; i < field.length; i++) {
    const character = field[i];
    if (character === '"') isQuoted = !isQuoted;
    else if (character === "\\" && isQuoted) i++;
    else if (character === ";" && !isQuoted) {
      parts.push(field.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(field.slice(start));
  return parts;
}
