/**
 * JSON from bytes that may be hostile: broken UTF-8, nesting that would exhaust the stack of later code, and keys that
 * would reach a prototype when they are copied.
 */

import { isUtf8 } from "node:buffer";

const BYTE_ORDER_MARK = 0xfeff;

/** No body may nest deeper: a recursive schema needs several stack frames per level. */
const MAX_DEPTH = 200;

/** The value. Throws for anything that is not acceptable JSON, without saying why. */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new SyntaxError("not UTF-8");
  const read = bytes.toString("utf8");
  const text = read.charCodeAt(0) === BYTE_ORDER_MARK ? read.slice(1) : read;
  // A shorter text is not this deep, or not complete.
  if (text.length > 2 * MAX_DEPTH && tooDeep(text)) throw new SyntaxError("nested too deep");
  const value: unknown = JSON.parse(text);
  return mayHoldPrototypeKeys(text) ? withoutPrototypeKeys(value) : value;
}

/** Counts brackets outside of strings. */
function tooDeep(text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 0x22:
        // Skips to the end of the string. A backslash escapes the next character.
        for (i++; i < text.length; i++) {
          const code = text.charCodeAt(i);
          if (code === 0x22) break;
          if (code === 0x5c) i++;
        }
        break;
      case 0x5b:
      case 0x7b:
        if (++depth > MAX_DEPTH) return true;
        break;
      case 0x5d:
      case 0x7d:
        depth--;
        break;
    }
  }
  return false;
}

/** A key can also be written with escapes. */
function mayHoldPrototypeKeys(text: string): boolean {
  return text.includes("__proto__") || text.includes("constructor") || text.includes("\\u");
}

/** Removes own `__proto__` keys, and a `constructor` that contains a `prototype`. The depth was limited above. */
function withoutPrototypeKeys(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Object.hasOwn(value, "__proto__")) Reflect.deleteProperty(value, "__proto__");
  if (Object.hasOwn(value, "constructor")) {
    const held: unknown = Reflect.get(value, "constructor");
    if (typeof held === "object" && held !== null && Object.hasOwn(held, "prototype")) {
      Reflect.deleteProperty(value, "constructor");
    }
  }
  for (const inner of Object.values(value)) withoutPrototypeKeys(inner);
  return value;
}
