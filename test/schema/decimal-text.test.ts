/** Decimals and whole numbers as servers write them. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  canonicalDecimal,
  decimalOfServer,
  decimalOfUnits,
  decimalPattern,
  unitsOf,
} from "../../src/schema/decimal.js";
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

const digits = fc
  .nat(3)
  .chain((whole) => fc.nat(3).map((scale) => ({ precision: whole + scale || 1, scale })));

test("a decimal of a client is canonical, or none, and its pattern says which", () => {
  fc.assert(
    fc.property(texts, digits, (text, { precision, scale }) => {
      const [, whole, fraction = ""] = /^-?(\d+)(?:\.(\d+))?$/.exec(text.includes("\n") ? "" : text) ?? [];
      const fits = whole !== undefined && fraction.length <= scale;
      const isRight = fits && BigInt(whole) < 10n ** BigInt(precision - scale);
      const expected = isRight ? canonical(text, scale) : undefined;
      expect(canonicalDecimal(text, { precision, scale })).toBe(expected);
      expect(decimalPattern({ precision, scale }).test(text)).toBe(isRight);
    }),
    { numRuns: 20_000 },
  );
});

test("a decimal without digits before the point is zero before it", () => {
  const pattern = decimalPattern({ precision: 2, scale: 2 });
  for (const text of ["0", "000.25", "-0.1"]) expect(pattern.test(text)).toBe(true);
  for (const text of ["1", "1{0,-1}", "17{0,-1}", "01", "0{0,-1}"]) expect(pattern.test(text)).toBe(false);
});

test("a canonical decimal and its units are one number in two forms", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -20_000n, max: 20_000n }), fc.nat(4), (units, scale) => {
      const text = decimalOfUnits(units, scale);
      expect(unitsOf(text)).toBe(units);
      const size = units < 0n ? -units : units;
      const written = `${size / 10n ** BigInt(scale)}.${String(size % 10n ** BigInt(scale)).padStart(scale, "0")}`;
      expect(text).toBe((units < 0n ? "-" : "") + (scale === 0 ? String(size) : written));
      expect(canonicalDecimal(text, { precision: 9, scale })).toBe(text);
    }),
  );
});
