/**
 * The rendering benchmark: the cost of a query before it reaches the driver, compared with a bind written by
 * hand and with other libraries. Run by `npm run bench render`; `npm ci --prefix bench/peers` installs the peers, and
 * missing peers are reported. CPU time of this process; all candidates of a shape are interleaved, medians over
 * the rounds. Only ratios are results: the microseconds of the yardstick show the scale.
 */
import { measure } from "./kit/measure.js";
import {
  type Data,
  neverSeen,
  type ShapeName,
  type ShapeOf,
  shapeNames,
  shapesOf,
  withValues,
} from "./kit/shapes.js";

const dialects = ["sqlite", "postgres"] as const;
type Dialect = (typeof dialects)[number];

const peerNames = ["kysely", "drizzle-orm", "knex", "ts-sql-query"];

/** Builds a fresh query and renders it. */
type Compile = () => {
  readonly sql: string;
  readonly params: readonly unknown[];
};
interface Peer {
  shapes(dialect: Dialect, data: Data): Readonly<Record<ShapeName, Compile>>;
}

async function loadPeer(name: string): Promise<Peer | undefined> {
  try {
    return await import(new URL(`peers/${name}.mjs`, import.meta.url).href);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}

type Cell = string;
const ratio = (value: number, yardstick: number): Cell => (value / yardstick).toFixed(2);

function print(title: string, columns: readonly string[], rows: readonly (readonly Cell[])[]): void {
  const table = [[title, ...columns], ...rows];
  const widths = table[0]?.map((_, i) => Math.max(...table.map((row) => row[i]?.length ?? 0))) ?? [];
  for (const row of table)
    console.log(
      row
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
        .join("  "),
    );
  console.log();
}

const shapeList: readonly ShapeName[] = shapeNames;

// A kept builder: rendered before, so that a call only checks and binds.
async function kept(dialect: Dialect, shapes: Readonly<Record<ShapeName, ShapeOf>>): Promise<void> {
  const cells: Record<string, Cell[]> = {
    "check and bind": [],
    "check, bind and send": [],
    "yardstick, µs": [],
  };
  for (const name of shapeList) {
    const { bind, bindByHand, send, sendByHand } = shapes[name];
    const times = await measure({ ...(bind === undefined ? {} : { bind }), bindByHand, send, sendByHand });
    const time = (key: string) => times.get(key) ?? Number.NaN;
    cells["check and bind"]?.push(bind === undefined ? "–" : ratio(time("bind"), time("bindByHand")));
    cells["check, bind and send"]?.push(ratio(time("send"), time("sendByHand")));
    cells["yardstick, µs"]?.push(`${time("bindByHand").toFixed(2)}, ${time("sendByHand").toFixed(2)}`);
  }
  print(
    `${dialect}, kept builder ÷ by hand`,
    shapeList,
    Object.entries(cells).map(([row, all]) => [row, ...all]),
  );
}

// A fresh builder, compared with the best installed peer.
async function fresh(
  dialect: Dialect,
  shapes: Readonly<Record<ShapeName, ShapeOf>>,
  peers: ReadonlyMap<string, Readonly<Record<ShapeName, Compile>> | undefined>,
): Promise<void> {
  const ours = ["rowtype: build, render", "rowtype: build, render, bind, send"] as const;
  const rows = new Map<string, Cell[]>([...ours, ...peerNames, "best peer, µs"].map((name) => [name, []]));
  for (const name of shapeList) {
    const { buildAndRender, buildAndSend } = shapes[name];
    const candidates: Record<string, () => unknown> = { [ours[1]]: buildAndSend };
    if (buildAndRender !== undefined) candidates[ours[0]] = buildAndRender;
    for (const [peer, compile] of peers) if (compile !== undefined) candidates[peer] = compile[name];
    const times = await measure(candidates);
    const best = Math.min(...peerNames.map((peer) => times.get(peer) ?? Number.POSITIVE_INFINITY));
    for (const [row, cells] of rows) {
      const time = times.get(row);
      if (row === "best peer, µs") cells.push(Number.isFinite(best) ? best.toFixed(2) : "–");
      else if (time !== undefined)
        cells.push(Number.isFinite(best) ? ratio(time, best) : `${time.toFixed(2)} µs`);
      else cells.push(peers.has(row) ? "not installed" : "–");
    }
  }
  print(
    `${dialect}, fresh builder ÷ best peer`,
    shapeList,
    [...rows].map(([row, all]) => [row, ...all]),
  );
}

// A chain that no call has made before, from a repository that is new, compared with the best installed peer. The peers
// remember nothing of a chain, so theirs are the same each time.
async function unseen(
  dialect: Dialect,
  peers: ReadonlyMap<string, Readonly<Record<ShapeName, Compile>> | undefined>,
): Promise<void> {
  const ours = neverSeen(dialect);
  const names = ["by id", "five wheres"] as const;
  const cells: Cell[] = [];
  for (const name of names) {
    const candidates: Record<string, () => unknown> = { rowtype: ours[name] };
    for (const [peer, compile] of peers) if (compile !== undefined) candidates[peer] = compile[name];
    const times = await measure(candidates);
    const best = Math.min(...peerNames.map((peer) => times.get(peer) ?? Number.POSITIVE_INFINITY));
    const time = times.get("rowtype") ?? Number.NaN;
    cells.push(Number.isFinite(best) ? ratio(time, best) : `${time.toFixed(2)} µs`);
  }
  print(`${dialect}, chain never seen, first use of its repository ÷ best peer`, names, [
    ["rowtype", ...cells],
  ]);
}

// A chain with values in it, made anew for each call: at most 1.15 of the same with parameters is the bound.
async function valued(dialect: Dialect): Promise<void> {
  const chains = withValues(dialect);
  const names = ["by id", "five wheres"] as const;
  const cells: Cell[] = [];
  for (const name of names) {
    const times = await measure(chains[name]);
    cells.push(ratio(times.get("values") ?? Number.NaN, times.get("parameters") ?? Number.NaN));
  }
  print(`${dialect}, chain with values ÷ with parameters, made for each call`, names, [
    ["rowtype", ...cells],
  ]);
}

const peers = new Map<string, Peer | undefined>();
for (const name of peerNames) peers.set(name, await loadPeer(name));

for (const dialect of dialects) {
  const { shapes, data } = await shapesOf(dialect);
  await kept(dialect, shapes);
  const compiled = [...peers].map(([name, peer]) => [name, peer?.shapes(dialect, data)] as const);
  await fresh(dialect, shapes, new Map(compiled));
  await unseen(dialect, new Map(compiled));
  await valued(dialect);
}
