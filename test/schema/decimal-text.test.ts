/** Decimals and whole numbers as servers write them. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { decimalOfServer } from "../../src/schema/decimal.js";
import { decimalText } from "../../src/sql/dialect/grammar/values.js";

const texts = fc.oneof(
  fc.string({ unit: fc.constantFrom(..."0019.-"), maxLength: 8 }),
  fc.string({ unit: fc.constantFrom(..."057 .-+e_n\u0660\n"), maxLength: 4 }),
);

/** The same by whole numbers: of the digits that stand in the text, those behind the scale must be zeros. */
function canonical(text: string, scale: number): string | undefined {
  const [, sign = "", whole = "", fraction = ""] = /^(-?)(\d*)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole + fraction === "" || /[^0]/.test(fraction.slice(scale))) return undefined;
  const units = BigInt(whole + fraction.slice(0, scale).padEnd(scale, "0") || "0");
  const digits = String(units).padStart(scale + 1, "0");
  const point = digits.length - scale;
  const written = scale === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return units === 0n ? written : sign + written;
}

test("a decimal of a server is canonical, or none", () => {
  fc.assert(
    fc.property(texts, fc.nat(4), (text, scale) => {
      expect(decimalOfServer(text, scale)).toBe(canonical(text, scale));
    }),
    { numRuns: 20_000 },
  );
  for (const value of ["1.25", "10.50", "999.00"]) expect(decimalOfServer(value, 2)).toBe(value);
  for (const value of ["1:25", "1.2x", "x.25", "1.25\n", "1..5", "", ".", "-", 1.25, null])
    expect(decimalOfServer(value, 2)).toBeUndefined();
});

test("a whole number of a server has digits only", () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(decimalText(text)).toBe(/^-?\d+$/.test(text) && !text.endsWith("\n") ? BigInt(text) : undefined);
    }),
    { numRuns: 20_000 },
  );
});
