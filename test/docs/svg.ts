/** What the pictures of the docs are drawn with: colours, text of a fixed width, and a card with its own background. */

/** The colours of all pictures, which read on light and on dark pages. */
export const colors = {
  page: "#1e1e2e",
  bar: "#181825",
  popup: "#28283d",
  edge: "#45475a",
  chosen: "#3d4468",
  text: "#cdd6f4",
  dim: "#7f849c",
  keyword: "#cba6f7",
  string: "#a6e3a1",
  number: "#fab387",
  call: "#89b4fa",
  type: "#f9e2af",
  error: "#f38ba8",
} as const;
export type Color = keyof typeof colors;

/** A text of one colour. */
export type Run = readonly [text: string, color: Color];

/** The width of a character, forced by `textLength`, whatever font a machine has. */
export const advance = 8.4;
const size = 14;

/** A card of this size, with what is drawn on it. `says` is what a reader without eyes hears. */
export function card(says: string, width: number, height: number, parts: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${n(height)}" viewBox="0 0 ${width} ${n(height)}" role="img">`,
    `<title>${escaped(says)}</title>`,
    "<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace;white-space:pre}</style>",
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${n(height - 1)}" rx="10" fill="${colors.page}" stroke="${colors.edge}"/>`,
    ...parts,
    "</svg>",
    "",
  ].join("\n");
}

/** A box with round corners. */
export function drawBox(
  x: number,
  y: number,
  width: number,
  height: number,
  fill: Color,
  stroke: Color,
): string {
  return `<rect x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" rx="5" fill="${colors[fill]}" stroke="${colors[stroke]}"/>`;
}

/** A line of text, in runs of one colour. */
export function drawText(x: number, y: number, runs: readonly Run[]): string {
  const whole = runs.map(([text]) => text).join("");
  if (whole.trim() === "") return "";
  const indent = whole.length - whole.trimStart().length;
  const length = (whole.length - indent) * advance;
  const parts = runs.map(([text, color]) => `<tspan fill="${colors[color]}">${escaped(text)}</tspan>`);
  if (indent > 0) parts.shift();
  return `<text x="${n(x + indent * advance)}" y="${n(y)}" textLength="${n(length)}" font-size="${size}">${parts.join("")}</text>`;
}

/** A number as pictures write it. */
export const n = (value: number): string => String(Math.round(value * 10) / 10);

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
