/**
 * Exact decimals as text: which texts are valid, and their one canonical form. Declarations and codecs read them, in
 * browsers too.
 */

/** The total number of digits of a decimal, and the number of digits after the point. */
export interface Digits {
  readonly precision: number;
  readonly scale: number;
}

/** The pattern of texts that are a decimal of these digits, in any of its forms: `7`, `007.10`, `-0`. */
export function decimalPattern({ precision, scale }: Digits): RegExp {
  const most = precision - scale;
  const whole = most === 0 ? "0+" : `(?:0+|0*[1-9]\\d{0,${most - 1}})`;
  const fraction = scale === 0 ? "" : `(?:\\.\\d{1,${scale}})?`;
  return new RegExp(`^-?${whole}${fraction}$`);
}

const TEXT = /^(-?)(\d+)(?:\.(\d+))?$/;

/** A decimal with `scale` digits after the point and no redundant digits; undefined if it has other digits. */
export function canonicalDecimal(text: string, { precision, scale }: Digits): string | undefined {
  const [, sign, digits = "", fraction = ""] = TEXT.exec(text) ?? [];
  if (sign === undefined || fraction.length > scale) return undefined;
  const whole = digits.replace(/^0+/, "");
  if (whole.length > precision - scale) return undefined;
  return joined(sign, whole, fraction, scale);
}

// The form of server decimals: Oracle omits a zero before the point and zeros at the end.
const ANSWER = /^(-?)(\d*)(?:\.(\d+))?$/;

/** The canonical form of a server's digits; undefined if it has more decimals than `scale` that are not zero. */
export function decimalOfServer(value: unknown, scale: number): string | undefined {
  if (typeof value === "string" && isPositive(value, scale)) return value;
  const [, sign, digits = "", written = ""] = (typeof value === "string" && ANSWER.exec(value)) || [];
  if (sign === undefined || digits + written === "") return undefined;
  const fraction = written.slice(0, scale);
  if (/[1-9]/.test(written.slice(scale))) return undefined;
  return joined(sign, digits.replace(/^0+/, ""), fraction, scale);
}

const ZERO = 48;
const NINE = 57;
const POINT = 46;

/** Whether a text begins with 1 to 9 and is canonical, as most decimals of most servers are. */
function isPositive(text: string, scale: number): boolean {
  const point = scale === 0 ? text.length : text.length - scale - 1;
  if (point < 1 || text.charCodeAt(0) === ZERO) return false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (i === point ? code !== POINT : !(code >= ZERO && code <= NINE)) return false;
  }
  return true;
}

/** A canonical decimal as a whole number in units of its last digit: `12.50` is 1250. */
export function unitsOf(canonical: string): bigint {
  return BigInt(canonical.replace(".", ""));
}

/** The canonical decimal of a whole number in units of its last digit. */
export function decimalOfUnits(units: bigint, scale: number): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, "0");
  const end = digits.length - scale;
  return joined(units < 0n ? "-" : "", digits.slice(0, end).replace(/^0+/, ""), digits.slice(end), scale);
}

function joined(sign: string, whole: string, fraction: string, scale: number): string {
  const isZero = whole === "" && !/[1-9]/.test(fraction);
  const point = scale === 0 ? "" : `.${fraction.padEnd(scale, "0")}`;
  return `${isZero ? "" : sign}${whole === "" ? "0" : whole}${point}`;
}
