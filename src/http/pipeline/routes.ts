/**
 * Finds the target of a path: a tree of segments, in which a look-up costs the same for ten routes and for a thousand.
 * Literal segments are preferred, then parameters with literal text around them, the longer text first, then those of
 * a whole segment, then those of the rest of the path. Where one leads nowhere, the next is tried.
 */
import type { NamedSegment, Segment } from "../contract/path.js";

/** The result of a look-up: the target, and the texts of the parameter segments in order. */
interface Found<Target> {
  readonly target: Target;
  readonly values: readonly string[];
}

interface Node<Target> {
  readonly literals: Map<string, Node<Target>>;
  /** Parameters with text around them, by the lengths of that text; the longest first. */
  partials: readonly Partials<Target>[] | undefined;
  parameter: Node<Target> | undefined;
  /** The target of a parameter that is the rest of the path. */
  rest: Node<Target> | undefined;
  target: Target | undefined;
}

/** Parameters whose texts before and after are of the same lengths: one look-up finds that of a segment. */
interface Partials<Target> {
  readonly before: number;
  readonly after: number;
  readonly byText: Map<string, Node<Target>>;
}

/** A tree of paths, each with its own target. */
export class Routes<Target> {
  readonly #root: Node<Target> = emptyNode();

  /** The target at a template, made on first use; `/a/{x}` and `/a/{y}` are the same path. */
  at(segments: readonly Segment[], make: () => Target): Target {
    let node = this.#root;
    for (const segment of segments) {
      if ("literal" in segment) {
        let next = node.literals.get(segment.literal);
        if (next === undefined) {
          next = emptyNode();
          node.literals.set(segment.literal, next);
        }
        node = next;
      } else if (segment.isRest) {
        node.rest ??= emptyNode();
        node = node.rest;
      } else if (segment.before + segment.after !== "") {
        node = partialOf(node, segment);
      } else {
        node.parameter ??= emptyNode();
        node = node.parameter;
      }
    }
    node.target ??= make();
    return node.target;
  }

  /** Looks up the segments of a request's path. A parameter is never empty. */
  find(segments: readonly string[]): Found<Target> | undefined {
    const values: string[] = [];
    const target = descend(this.#root, segments, 0, values);
    return target === undefined ? undefined : { target, values };
  }
}

function emptyNode<Target>(): Node<Target> {
  return {
    literals: new Map(),
    partials: undefined,
    parameter: undefined,
    rest: undefined,
    target: undefined,
  };
}

/** The node of a parameter with text around it, made on first use. */
function partialOf<Target>(node: Node<Target>, { before, after }: NamedSegment): Node<Target> {
  const known = node.partials ?? [];
  let same = known.find((one) => one.before === before.length && one.after === after.length);
  if (same === undefined) {
    same = { before: before.length, after: after.length, byText: new Map() };
    const length = (one: Partials<Target>) => one.before + one.after;
    node.partials = [...known, same].sort((a, b) => length(b) - length(a) || b.before - a.before);
  }
  const key = textKey(before, after);
  const found = same.byText.get(key) ?? emptyNode();
  same.byText.set(key, found);
  return found;
}

/** No segment of a request has a slash that is not decoded, and a decoded one does no harm: the lengths are known. */
function textKey(before: string, after: string): string {
  return `${before}/${after}`;
}

/** The depth is at most that of the longest template. */
function descend<Target>(
  node: Node<Target>,
  segments: readonly string[],
  index: number,
  values: string[],
): Target | undefined {
  const segment = segments[index];
  if (segment === undefined) return node.target;
  const literal = node.literals.get(segment);
  if (literal !== undefined) {
    const target = descend(literal, segments, index + 1, values);
    if (target !== undefined) return target;
  }
  if (segment === "") return undefined;
  if (node.partials !== undefined) {
    const target = descendPartials(node.partials, segments, index, values);
    if (target !== undefined) return target;
  }
  if (node.parameter !== undefined) {
    values.push(segment);
    const target = descend(node.parameter, segments, index + 1, values);
    if (target !== undefined) return target;
    values.pop();
  }
  if (node.rest === undefined) return undefined;
  const rest = segments.slice(index);
  if (rest.some(leadsElsewhere)) return undefined;
  values.push(rest.join("/"));
  return node.rest.target;
}

function descendPartials<Target>(
  partials: readonly Partials<Target>[],
  segments: readonly string[],
  index: number,
  values: string[],
): Target | undefined {
  const segment = segments[index] ?? "";
  for (const { before, after, byText } of partials) {
    const end = segment.length - after;
    if (end <= before) continue;
    const node = byText.get(textKey(segment.slice(0, before), segment.slice(end)));
    if (node === undefined) continue;
    values.push(segment.slice(before, end));
    const target = descend(node, segments, index + 1, values);
    if (target !== undefined) return target;
    values.pop();
  }
  return undefined;
}

/** Whether a segment of a rest would be another path where somebody joins it to one. */
function leadsElsewhere(segment: string): boolean {
  return segment === "" || segment === "." || segment === ".." || /[/\\\0]/.test(segment);
}
