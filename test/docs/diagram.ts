/** Draws chains of steps, and tables with the references between them. */
import type { AnyTable } from "rowtype";
import { advance, type Color, card, colors, drawBox, drawText, n } from "./svg.js";

/** A chain: its title, and the steps in their order, each with what it says below its name. */
export interface Chain {
  readonly title: string;
  readonly steps: readonly (readonly [name: string, says: string])[];
}

const boxHeight = 48;
const gap = 26;
const chainWidth = 760;

/** Draws chains below each other; a chain that is too wide goes on in the next row. */
export function drawChains(says: string, chains: readonly Chain[]): string {
  const parts: string[] = [];
  let y = 20;
  for (const { title, steps } of chains) {
    parts.push(drawText(24, y + 14, [[title, "type"]]));
    y += 28;
    let x = 24;
    for (const [i, [name, below]] of steps.entries()) {
      const width = Math.max(name.length, below.length) * advance + 20;
      if (x + width > chainWidth - 24) {
        x = 24;
        y += boxHeight + 14;
      }
      if (i > 0) parts.push(arrow(x + 2, y + boxHeight / 2));
      parts.push(drawBox(x + gap, y, width, boxHeight, "popup", "edge"));
      parts.push(
        drawText(x + gap + 10, y + 20, [[name, "text"]]),
        drawText(x + gap + 10, y + 38, [[below, "dim"]]),
      );
      x += width + gap;
    }
    y += boxHeight + 24;
  }
  return card(says, chainWidth, y, parts);
}

function arrow(x: number, y: number): string {
  return `<path d="M${n(x)} ${n(y)}h16m-5-4l5 4l-5 4" fill="none" stroke="${colors.dim}" stroke-width="1.4"/>`;
}

/** A step of a request, and the statuses that it may answer with. */
export interface Step {
  readonly name: string;
  readonly says: string;
  readonly refusals: string;
}

const stepsWidth = 700;

/** Draws steps from top to bottom; to the right of each, how it may end the request. */
export function drawSteps(says: string, steps: readonly Step[]): string {
  const height = 40;
  const parts = steps.flatMap(({ name, says: below, refusals }, i) => {
    const y = 20 + i * (height + 16);
    const end: Color = refusals.startsWith("2") ? "string" : "error";
    return [
      i === 0
        ? ""
        : `<path d="M44 ${y - 16}v14m-4-5l4 5l4-5" fill="none" stroke="${colors.dim}" stroke-width="1.4"/>`,
      drawBox(20, y, 490, height, "popup", "edge"),
      drawText(34, y + 25, [
        [name.padEnd(20), "call"],
        [below, "text"],
      ]),
      refusals === ""
        ? ""
        : `<path d="M510 ${y + height / 2}h26m-5-4l5 4l-5 4" fill="none" stroke="${colors[end]}" stroke-width="1.4"/>${drawText(546, y + 25, [[refusals, end]])}`,
    ];
  });
  return card(says, stepsWidth, 20 + steps.length * (height + 16), parts);
}

/** A table with where it stands: its column of the picture, from left to right. */
export type Columns = readonly (readonly AnyTable[])[];

const row = 20;
const tableWidth = 236;
const between = 64;

interface Place {
  readonly table: AnyTable;
  readonly column: number;
  readonly x: number;
  readonly y: number;
}

/** Draws tables in columns, and a line from each reference to the key that it names. */
export function drawTables(says: string, columns: Columns): string {
  const places: Place[] = [];
  let bottom = 0;
  for (const [column, tables] of columns.entries()) {
    let y = 24;
    for (const table of tables) {
      places.push({ table, column, x: 44 + column * (tableWidth + between), y });
      y += heightOf(table) + 26;
    }
    bottom = Math.max(bottom, y);
  }
  const lines = places.flatMap((from, i) => referencesOf(from, places, i));
  const boxes = places.map(drawTable);
  return card(says, 88 + columns.length * (tableWidth + between) - between, bottom, [...lines, ...boxes]);
}

const heightOf = (table: AnyTable): number => 34 + Object.keys(table.columns).length * row + 6;
const rowOf = ({ y }: Place, index: number): number => y + 34 + index * row + 8;

function drawTable({ table, x, y }: Place): string {
  const rows = Object.values(table.columns).map((column, i) => {
    const isKey = table.primaryKey.includes(column.property);
    const type = column.kind === "decimal" ? "decimal" : column.kind;
    const shown = `${type}${column.nullable ? "?" : ""}`;
    const at = y + 34 + i * row + 12;
    return [
      drawText(x + 12, at, [[column.name, isKey ? "number" : column.references ? "call" : "text"]]),
      drawText(x + tableWidth - 12 - shown.length * advance, at, [[shown, "dim"]]),
    ].join("");
  });
  return [
    drawBox(x, y, tableWidth, heightOf(table), "popup", "edge"),
    `<path d="M${x} ${y + 26}h${tableWidth}" stroke="${colors.edge}"/>`,
    drawText(x + 12, y + 18, [[table.name, "type"]]),
    ...rows,
  ].join("\n");
}

/** The lines of a table's references: straight to a neighbour, around the side to a table of the same column. */
function referencesOf(from: Place, places: readonly Place[], number: number): string[] {
  return Object.values(from.table.columns).flatMap(({ references }, i) => {
    const name = typeof references === "string" ? references.replace(/\(.*/, "") : references?.().name;
    const to = places.find(({ table }) => table.name === name);
    if (to === undefined) return [];
    const start = rowOf(from, i);
    const end = rowOf(to, 0);
    if (to.column === from.column) {
      const isLeft = from.column === 0;
      const edge = isLeft ? from.x : from.x + tableWidth;
      const out = (isLeft ? -1 : 1) * (14 + (number % 3) * 8);
      return [line(edge, start, edge + out, edge, end)];
    }
    const isRight = to.column > from.column;
    const x1 = isRight ? from.x + tableWidth : from.x;
    const x2 = isRight ? to.x : to.x + tableWidth;
    return [line(x1, start, (x1 + x2) / 2 + (i % 4) * 7 - 10, x2, end)];
  });
}

/** A line with corners; the key's end is an arrow, the other a dot. */
function line(x1: number, y1: number, middle: number, x2: number, y2: number): string {
  const back = middle > x2 ? 5 : -5;
  return [
    `<path d="M${n(x1)} ${n(y1)}H${n(middle)}V${n(y2)}H${n(x2)}m${back}-4l${-back} 4l${back} 4" fill="none" stroke="${colors.call}" stroke-width="1.3"/>`,
    `<circle cx="${n(x1)}" cy="${n(y1)}" r="3" fill="${colors.call}"/>`,
  ].join("");
}
