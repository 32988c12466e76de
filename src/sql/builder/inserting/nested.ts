/** A call of a nested insert: its records are checked and bound, and their rows stored all or none. */
import type { RequestCall } from "../../exec/call.js";
import type { Callbacks } from "../../exec/callbacks.js";
import type { DecodedRow } from "../../exec/decode.js";
import { requireInteractive } from "../../exec/gathered.js";
import { type CallParams, checkNames } from "../../exec/params.js";
import type { RecordValues } from "../../exec/record.js";
import { atomically, togetherOrOneByOne } from "../../exec/undo.js";
import { type GraphNode, nodesOf } from "./graph.js";
import { boundGraph, calledBackGraph, type GraphParams, validGraph } from "./graph-records.js";
import { scannedGraph, storeGraph } from "./graph-rows.js";

/** A call of a nested insert. */
interface NestedCall {
  readonly records: readonly unknown[];
  readonly params: CallParams;
  /** Whether the records are a list of the call, so that errors have their positions. */
  readonly isList: boolean;
  readonly givesRows: boolean;
}

/**
 * Checks the records of a call and those inside them, with the parameters.
 * @throws {SqlError} what `storeNested` rejects with before it sends anything.
 */
export function checkNested({ records, params, isList }: NestedCall, graph: GraphNode): void {
  const given = paramsOf(nodesOf(graph), params, graph);
  for (const record of validRecords(records, isList, graph)) boundGraph(record, graph, given);
}

function validRecords(records: readonly unknown[], isList: boolean, graph: GraphNode) {
  return records.map((record, i) => validGraph(record, graph, { index: isList ? i : undefined, path: "" }));
}

/** Stores records with those inside them, and returns their rows if the caller gets them. */
export async function storeNested(
  { records, params, isList, givesRows }: NestedCall,
  graph: GraphNode,
  call: RequestCall,
): Promise<DecodedRow[]> {
  const nodes = nodesOf(graph);
  const given = paramsOf(nodes, params, graph);
  let valid = validRecords(records, isList, graph);
  const callbacks = callbacksOf(nodes);
  if (callbacks.onRecord !== null) {
    const called: typeof valid = [];
    for (const record of valid) called.push(await calledBackGraph(record, graph, call));
    valid = called;
  }
  const bound = valid.map((record) => boundGraph(record, graph, given));
  if (bound.length === 0) return [];
  const store = (isOneByOne: boolean) =>
    atomically(call, callbacks, async (inside) => {
      requireInteractive(inside.session);
      const rows = await storeGraph(bound, graph, { params: given, givesRows, isOneByOne }, inside);
      if (givesRows && callbacks.onScan !== null)
        for (const [i, row] of rows.entries()) await scannedGraph(row, graph, inside, isList ? i : undefined);
      return rows;
    });
  return togetherOrOneByOne({
    together: () => store(false),
    oneByOne: () => store(true),
    mayBeRefused: false,
    unclearOn: graph.draft.source.grammar,
  });
}

/** The parameters of a call, checked, for each node that has some. */
function paramsOf(nodes: readonly GraphNode[], params: CallParams, { table }: GraphNode): GraphParams {
  const names = new Set(nodes.flatMap(({ draft }) => [...draft.names]));
  const given = checkNames(params, [...names], names, table);
  const ofNode = ({ draft }: GraphNode): RecordValues =>
    draft.given(Object.fromEntries([...draft.names].map((name) => [name, given[name]])));
  return new Map(nodes.map((node) => [node, ofNode(node)]));
}

/** A callback of any table, where it matters only whether there is one. */
function callbacksOf(nodes: readonly GraphNode[]): Callbacks {
  const all = nodes.map(({ draft }) => draft.source.place.callbacks);
  return {
    onScan: all.find(({ onScan }) => onScan !== null)?.onScan ?? null,
    onRecord: all.find(({ onRecord }) => onRecord !== null)?.onRecord ?? null,
  };
}
