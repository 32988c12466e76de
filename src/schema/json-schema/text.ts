/** The allowed values of a text as JSON Schema: its lengths, one registered format, and the expressible patterns. */
import type { $ZodTypes } from "zod/v4/core";
import type { Json } from "../json.js";

/** Formats registered by JSON Schema 2020-12 or by OpenAPI. With one of these, the pattern is redundant. */
const FORMATS = new Set(
  "date-time date duration email hostname ipv4 ipv6 uri uuid int32 int64 float double password".split(" "),
);

const ZOD_NAMES = new Map([
  ["url", "uri"],
  ["guid", "uuid"],
  ["datetime", "date-time"],
]);

/** Checks that Zod lists as formats and that add nothing to their pattern. */
const PATTERN_ONLY = new Set(["regex", "includes", "starts_with", "ends_with", "lowercase", "uppercase"]);

/** A Zod 4 string. */
export function describeText(schema: $ZodTypes): Json {
  const text = new TextKeywords();
  // A format such as `z.email()` is the first check of its own schema.
  const own = schema._zod.traits.has("$ZodCheck") ? [schema._zod.def] : [];
  const checks = (schema._zod.def.checks ?? []).map((check) => check._zod.def);
  for (const def of [...own, ...checks] as readonly object[]) {
    if (!("check" in def)) continue;
    if (def.check === "min_length" && "minimum" in def) text.atLeast(def.minimum);
    else if (def.check === "max_length" && "maximum" in def) text.atMost(def.maximum);
    else if (def.check === "length_equals" && "length" in def) text.exactly(def.length);
    else if (def.check === "string_format" && "format" in def) {
      const lax = ("local" in def && def.local === true) || ("precision" in def && def.precision === -1);
      text.format(lax ? "" : String(def.format), "pattern" in def ? def.pattern : undefined);
    }
  }
  return text.json();
}

/** Collects the facts about a text, in any order. */
export class TextKeywords {
  #minLength: number | undefined;
  #maxLength: number | undefined;
  #format: string | undefined;
  #encoding: string | undefined;
  readonly #patterns = new Set<string>();

  atLeast(length: unknown): void {
    if (typeof length === "number") this.#minLength = Math.max(length, this.#minLength ?? 0);
  }

  atMost(length: unknown): void {
    if (typeof length === "number" && Number.isFinite(length))
      this.#maxLength = Math.min(length, this.#maxLength ?? length);
  }

  exactly(length: unknown): void {
    this.atLeast(length);
    this.atMost(length);
  }

  /** The first registered format is written as its name, any other as its pattern. */
  format(name: string, pattern: unknown): void {
    const registered = ZOD_NAMES.get(name) ?? name;
    // The name implies no registered pattern: the pattern gives the number of digits.
    if (name === "decimal" && this.#format === undefined) {
      this.#format = name;
      this.pattern(pattern);
      return;
    }
    if (!PATTERN_ONLY.has(name) && FORMATS.has(registered)) {
      if (this.#format === undefined || this.#format === registered) {
        this.#format = registered;
        return;
      }
    }
    if (name === "base64" || name === "base64url") this.#encoding ??= name;
    else this.pattern(pattern);
  }

  pattern(pattern: unknown): void {
    if (pattern instanceof RegExp && canBeSaid(pattern)) this.#patterns.add(pattern.source);
  }

  json(): Json {
    const json: Json = { type: "string" };
    if (this.#format !== undefined) json["format"] = this.#format;
    if (this.#encoding !== undefined) json["contentEncoding"] = this.#encoding;
    if (this.#minLength !== undefined) json["minLength"] = this.#minLength;
    if (this.#maxLength !== undefined) json["maxLength"] = this.#maxLength;
    const [first, ...more] = this.#patterns;
    if (more.length > 0) json["allOf"] = [...this.#patterns].map((pattern) => ({ pattern }));
    else if (first !== undefined) json["pattern"] = first;
    return json;
  }
}

/**
 * Whether a pattern means the same without its flags: JSON Schema has no flags, and reads patterns as with `u`. Other
 * patterns are omitted from the document, because they would refuse values that the server accepts.
 */
export function canBeSaid({ source, flags }: RegExp): boolean {
  if (/[iv]/.test(flags)) return false;
  if (flags.includes("m") && /[$^]/.test(source)) return false;
  if (flags.includes("s") && source.includes(".")) return false;
  try {
    new RegExp(source, "u");
    return true;
  } catch {
    return false;
  }
}
