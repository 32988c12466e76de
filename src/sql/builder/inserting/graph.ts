/**
 * The inserts inside an insert, made ready once: a node for each table, with the draft that stores its rows, what its
 * records give, and the relations to the nodes inside it.
 */
import type { ZodObject } from "zod";
import { ReturnedFields } from "../../ast/builder-parts.js";
import type { AnyTable } from "../../declare/declaration.js";
import { type NestedSchema, nestedSchema, recordPart } from "../../declare/record-part.js";
import type { Callbacks } from "../../exec/callbacks.js";
import { givable } from "../../exec/record.js";
import type { ResolvedNestedInsert } from "../../resolve/scope/resolved-change.js";
import { InsertDraft } from "../draft/insert-draft.js";

/** A table of a nested insert. */
export interface GraphNode {
  readonly table: AnyTable;
  /** Stores the rows of this table alone. */
  readonly draft: InsertDraft;
  /** The fields that are returned for the relations only. */
  readonly hidden: readonly string[];
  /** What a record gives: the table without the fields that are filled. */
  readonly part: AnyTable;
  /** The keys that a record may have: fields, and relations. */
  readonly fields: ReadonlySet<string>;
  readonly relations: ReadonlySet<string>;
  /** The fields that are filled, and the relation that fills each. */
  readonly filled: ReadonlyMap<string, string>;
  /** The fields of `filled` that the row around fills, so that they always have a value. */
  readonly fromAround: readonly string[];
  readonly links: readonly GraphLink[];
  /** The schema of a record, with those inside. */
  readonly schema: ZodObject;
}

/** A relation of a node. */
export interface GraphLink extends ResolvedNestedInsert {
  readonly node: GraphNode;
}

/** How a node is filled by the one around it. */
interface Around {
  readonly filled: readonly string[];
  readonly relation: string;
  /** The fields whose stored values the node around needs. */
  readonly needed: readonly string[];
}

const graphs = new WeakMap<InsertDraft, GraphNode>();

/** The graph of an insert. @throws {BuildError | UnsupportedError} for an insert that cannot work. */
export function graphOf(draft: InsertDraft): GraphNode {
  let graph = graphs.get(draft);
  if (graph === undefined) {
    // Finds all problems, also those of the inserts inside.
    void draft.prepared;
    graph = nodeOf(draft, { filled: [], relation: "", needed: [] });
    graphs.set(draft, graph);
  }
  return graph;
}

function nodeOf(draft: InsertDraft, around: Around): GraphNode {
  const { table } = draft.source;
  const { nested = [] } = draft.resolved;
  const before = nested.filter(({ isBefore }) => isBefore);
  const filled = new Map(around.filled.map((field) => [field, around.relation]));
  for (const { mine, relation } of before) for (const field of mine) filled.set(field, relation);
  const links = nested.map((link, i): GraphLink => {
    const inner = draft.inside[i] ?? wholeOf(link.table, draft);
    return { ...link, node: nodeOf(inner, aroundOf(link)) };
  });
  const part = recordPart(table, new Set(filled.keys()));
  const after = nested.filter(({ isBefore }) => !isBefore);
  const needed = [...around.needed, ...after.flatMap(({ mine }) => mine), ...generatedKey(table)];
  const own = ownDraft(draft, needed);
  const { filled: fromAround } = around;
  const fields = new Set(givable(part));
  const relations = new Set(links.map(({ relation }) => relation));
  return {
    table,
    part,
    fields,
    relations,
    filled,
    fromAround,
    links,
    ...own,
    schema: schemaOf(part, table, links),
  };
}

function aroundOf({ isBefore, theirs, relation }: ResolvedNestedInsert): Around {
  return isBefore ? { filled: [], relation, needed: theirs } : { filled: theirs, relation, needed: [] };
}

/** The draft of the rows of a node alone, which returns the needed fields too. */
function ownDraft(draft: InsertDraft, needed: readonly string[]): Pick<GraphNode, "draft" | "hidden"> {
  const { returned } = draft.resolved;
  const plain = draft.spec.with === undefined ? draft : draft.with({ with: undefined });
  const names = new Set(returned?.map(({ output }) => output.name));
  const hidden = returned === undefined ? [] : [...new Set(needed)].filter((field) => !names.has(field));
  if (hidden.length === 0) return { draft: plain, hidden };
  const list = [...(draft.spec.returning?.list ?? []), ...hidden];
  return { draft: plain.with({ returning: new ReturnedFields(list) }), hidden };
}

/** The key that the database makes, by whose order equal rows are put into the order of their records. */
export function generatedKey({ primaryKey, columns }: AnyTable): readonly string[] {
  const [only, ...others] = primaryKey;
  const isGenerated = only !== undefined && others.length === 0 && columns[only]?.generated !== false;
  return isGenerated ? [only] : [];
}

const NO_CALLBACKS: Callbacks = { onScan: null, onRecord: null };

/** An insert of all fields of a related table, in the place of a repository's. */
function wholeOf(table: AnyTable, { source }: InsertDraft): InsertDraft {
  const callbacks = source.callbacksOf(table) ?? NO_CALLBACKS;
  return new InsertDraft({ ...source, table, place: { ...source.place, callbacks } }, "insert", {});
}

function schemaOf(part: AnyTable, table: AnyTable, links: readonly GraphLink[]): ZodObject {
  if (links.length === 0) return part.insertSchema;
  const nested = links.map(
    ({ relation, node, isMany, mayBeMissing }): NestedSchema => ({
      relation,
      schema: node.schema,
      isMany,
      mayBeMissing,
    }),
  );
  return nestedSchema(part.insertSchema, nested, table.insertSchema);
}

/** The nodes of a graph, each before those inside it. */
export function nodesOf(node: GraphNode): readonly GraphNode[] {
  return [node, ...node.links.flatMap((link) => nodesOf(link.node))];
}
