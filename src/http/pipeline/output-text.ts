/**
 * Outputs as JSON text. `JSON.stringify` writes null for NaN and the infinities, although the document and the client
 * declare a number: such an output is a failure of the server.
 */

/** The text of an encoded value. @throws if a declared output contains a number that JSON does not have */
export function outputText(encoded: unknown, isDeclared: boolean): string | undefined {
  const text = JSON.stringify(encoded);
  // Most texts contain no null and need no check.
  if (isDeclared && text?.includes("null") === true && holdsNoNumber(encoded))
    throw new RangeError("an output holds NaN or an infinity, which JSON does not have");
  return text;
}

function holdsNoNumber(value: unknown): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(holdsNoNumber);
  // A value that writes itself is not inspected.
  return !("toJSON" in value) && Object.values(value).some(holdsNoNumber);
}
