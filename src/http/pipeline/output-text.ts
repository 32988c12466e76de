/**
 * Outputs as the text of JSON. `JSON.stringify` writes null for NaN and the infinities, where the document and the
 * client say number: such an output is a failure of the server.
 */

/** The text of an encoded value. @throws where a declared output holds a number that JSON does not have */
export function outputText(encoded: unknown, isDeclared: boolean): string | undefined {
  const text = JSON.stringify(encoded);
  // Most texts have no null, and nothing to look for.
  if (isDeclared && text?.includes("null") === true && holdsNoNumber(encoded))
    throw new RangeError("an output holds NaN or an infinity, which JSON does not have");
  return text;
}

function holdsNoNumber(value: unknown): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(holdsNoNumber);
  // What writes itself is not looked into.
  return !("toJSON" in value) && Object.values(value).some(holdsNoNumber);
}
