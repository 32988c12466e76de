/**
 * Draws a moment of an editor session as SVG: lines of code, and what the language service says at one place of them.
 * The picture brings its own background, so that it reads on light and on dark pages.
 */
import ts from "typescript";
import { advance, type Color, card, colors, drawBox, drawText, n, type Run } from "./svg.js";

/** What the editor shows at a place. */
export type Shown =
  | { readonly kind: "completions"; readonly names: readonly string[] }
  | { readonly kind: "hover"; readonly text: string }
  | { readonly kind: "error"; readonly text: string; readonly length: number };

/** A moment: the code, the number of its first line, and what is shown at the offset `at`. */
export interface Moment {
  readonly file: string;
  readonly says: string;
  readonly code: string;
  readonly firstLine: number;
  readonly at: number;
  readonly shown: Shown;
}

const width = 820;
const line = 22;
const left = 60;
const top = 52;
const inset = 12;
const columns = Math.floor((width - left - 2 * inset - 20) / advance);

/** Draws the moment. The same moment gives the same text. */
export function drawEditor({ file, says, code, firstLine, at, shown }: Moment): string {
  const lines = code.split("\n");
  const before = code.slice(0, at).split("\n");
  const row = before.length - 1;
  const column = before.at(-1)?.length ?? 0;
  const out: string[] = [];
  for (const [i, text] of lines.entries()) {
    const y = top + i * line + 16;
    out.push(
      drawText(left - 16 - String(firstLine + i).length * advance, y, [[String(firstLine + i), "dim"]]),
    );
    out.push(drawText(left, y, colored(text)));
  }
  const popup = shown.kind === "completions" ? completions(shown.names) : message(shown);
  const x = Math.min(left + column * advance - 6, width - popup.width - 20);
  const y = top + (row + 1) * line + 4;
  if (shown.kind === "completions") {
    const place = left + column * advance;
    out.push(
      `<rect x="${n(place)}" y="${top + row * line + 2}" width="2" height="18" fill="${colors.text}"/>`,
    );
  }
  if (shown.kind === "error")
    out.push(wave(left + column * advance, top + row * line + 19, shown.length * advance));
  const height = Math.max(top + lines.length * line, y + popup.height) + 20;
  return card(says, width, height, [
    `<path d="M1 36V11a10 10 0 0 1 10-10H${width - 11}a10 10 0 0 1 10 10v25z" fill="${colors.bar}"/>`,
    ...(["error", "type", "string"] as const).map(
      (color, i) => `<circle cx="${22 + i * 20}" cy="18" r="6" fill="${colors[color]}"/>`,
    ),
    drawText(92, 23, [[file, "dim"]]),
    ...out,
    `<g transform="translate(${n(x)} ${n(y)})">`,
    drawBox(0, 0, popup.width, popup.height, "popup", shown.kind === "error" ? "error" : "edge"),
    ...popup.parts,
    "</g>",
  ]);
}

interface Popup {
  readonly width: number;
  readonly height: number;
  readonly parts: readonly string[];
}

function completions(names: readonly string[]): Popup {
  const wide = Math.max(...names.map((name) => name.length), 18) * advance + 62;
  const parts = names.map((name, i) => {
    const y = 6 + i * line;
    const bar =
      i === 0
        ? `<rect x="1" y="${y}" width="${n(wide - 2)}" height="${line}" rx="3" fill="${colors.chosen}"/>`
        : "";
    return `${bar}${drawText(12, y + 16, [["abc", "dim"]])}${drawText(50, y + 16, [[name, "text"]])}`;
  });
  return { width: wide, height: names.length * line + 12, parts };
}

function message(shown: Exclude<Shown, { readonly kind: "completions" }>): Popup {
  const lines = shown.text.split("\n").flatMap(shown.kind === "error" ? wrapped : (one) => [one]);
  const wide = Math.max(...lines.map((one) => one.length)) * advance + 2 * inset;
  const parts = lines.map((one, i) =>
    drawText(inset, 8 + i * line + 16, shown.kind === "error" ? [[one, "text"]] : colored(one)),
  );
  return { width: wide, height: lines.length * line + 16, parts };
}

/** A text in lines that fit. */
function wrapped(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** A line of TypeScript in runs of one colour. */
function colored(text: string): Run[] {
  const runs: Run[] = [];
  const scanner = ts.createScanner(ts.ScriptTarget.ES2023, false, ts.LanguageVariant.Standard, text);
  for (let token = scanner.scan(); token !== ts.SyntaxKind.EndOfFileToken; token = scanner.scan()) {
    const rest = text.slice(scanner.getTokenEnd());
    // Behind a dot a keyword is a name.
    const isMember = runs.at(-1)?.[0] === ".";
    runs.push([
      scanner.getTokenText(),
      colorOf(isMember ? ts.SyntaxKind.Identifier : token, rest, scanner.getTokenText()),
    ]);
  }
  return runs;
}

const types = new Set(["number", "string", "boolean", "Date", "bigint"]);

function colorOf(token: ts.SyntaxKind, rest: string, text: string): Color {
  if (types.has(text)) return "type";
  if (token === ts.SyntaxKind.StringLiteral) return "string";
  if (token === ts.SyntaxKind.NumericLiteral) return "number";
  if (token === ts.SyntaxKind.SingleLineCommentTrivia) return "dim";
  if (token >= ts.SyntaxKind.FirstKeyword && token <= ts.SyntaxKind.LastKeyword) return "keyword";
  return token === ts.SyntaxKind.Identifier && rest.startsWith("(") ? "call" : "text";
}

function wave(x: number, y: number, length: number): string {
  const steps = Math.floor(length / 4);
  const path = Array.from(
    { length: steps },
    (_, i) => `l2 ${i % 2 === 0 ? "-3" : "3"}l2 ${i % 2 === 0 ? "3" : "-3"}`,
  );
  return `<path d="M${n(x)} ${n(y)}${path.join("")}" fill="none" stroke="${colors.error}" stroke-width="1.4"/>`;
}
