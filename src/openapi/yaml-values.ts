/**
 * From the nodes of a parsed YAML document to plain values: keys are text and unique, aliases become copies within a
 * budget, tags without a JSON counterpart are refused. It also finds the place of a value.
 */
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { quoted } from "../core/errors.js";
import { type Difference, type Differences, isDifference } from "./check.js";
import { fail, failDuplicate, MAX_DEPTH, setOwn } from "./source-text.js";
import { plainScalar } from "./yaml-scalar.js";

/** The maximum number of values that aliases may add: far more than a description needs, and quick enough. */
const MAX_ALIASED = 1_000_000;

/** The plain value of a document that was parsed without errors. `text` is its source. */
export function yamlValue(document: Document.Parsed, text: string): unknown {
  return new Values(text).of(document.contents, 0);
}

/**
 * The offsets of the differing values, by the difference: the offset of the value, of its key if the value is empty, or
 * of the alias that stands for it.
 */
export function locateInYaml(
  document: Document.Parsed,
  differences: Differences,
): ReadonlyMap<Difference, number> {
  const found = new Map<Difference, number>();
  const visit = (node: unknown, at: number, inIt: Differences): void => {
    if (isDifference(inIt)) found.set(inIt, at);
    else if (isMap(node))
      for (const pair of node.items) {
        const inPart = inIt.get(keyOf(pair));
        const offset = offsetOf(pair.value) ?? offsetOf(pair.key) ?? at;
        if (inPart !== undefined) visit(pair.value, offset, inPart);
      }
    else
      for (const [key, inPart] of inIt) {
        const item: unknown = isSeq(node) ? node.items[Number(key)] : undefined;
        visit(item, offsetOf(item) ?? at, inPart);
      }
  };
  visit(document.contents, offsetOf(document.contents) ?? 0, differences);
  return found;
}

/** The value of an anchor and the number of values in it; undefined while it is still being read. */
type Anchored = { readonly value: unknown; readonly size: number } | undefined;

class Values {
  readonly #text: string;
  readonly #path: (string | number)[] = [];
  readonly #anchors = new Map<string, Anchored>();
  #count = 0;
  #aliased = 0;

  constructor(text: string) {
    this.#text = text;
  }

  of(node: unknown, offset: number): unknown {
    const at = offsetOf(node) ?? offset;
    if (isAlias(node)) return this.#alias(node.source, at);
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) return null;
    this.#count++;
    const { anchor } = node;
    if (anchor === undefined) return this.#value(node, at);
    const before = this.#count - 1;
    this.#anchors.set(anchor, undefined);
    const value = this.#value(node, at);
    this.#anchors.set(anchor, { value, size: this.#count - before });
    return value;
  }

  #value(node: Scalar | YAMLMap | YAMLSeq, at: number): unknown {
    if (isScalar(node)) return this.#scalar(node, at);
    if (this.#path.length >= MAX_DEPTH) {
      this.#fail("TOO_COMPLEX", `expected at most ${MAX_DEPTH} levels of nesting, found more`, at);
    }
    const tag = isMap(node) ? "tag:yaml.org,2002:map" : "tag:yaml.org,2002:seq";
    if (node.tag !== undefined && node.tag !== tag) this.#refuseTag(node.tag, at);
    return isMap(node) ? this.#map(node, at) : this.#list(node, at);
  }

  #map(node: YAMLMap, at: number): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    for (const pair of node.items) {
      const key = keyOf(pair);
      if (isScalar(pair.key) && pair.key.anchor !== undefined) {
        this.#anchors.set(pair.key.anchor, { value: key, size: 1 });
      }
      if (Object.hasOwn(object, key)) {
        const first = node.items.find((other) => keyOf(other) === key);
        failDuplicate(key, this.#text, offsetOf(first?.key) ?? at, offsetOf(pair.key) ?? at, this.#path);
      }
      this.#path.push(key);
      setOwn(object, key, this.of(pair.value, at));
      this.#path.pop();
    }
    return object;
  }

  #list(node: YAMLSeq, at: number): unknown[] {
    const list: unknown[] = [];
    for (const item of node.items) {
      this.#path.push(list.length);
      list.push(this.of(item, at));
      this.#path.pop();
    }
    return list;
  }

  #scalar(node: Scalar, at: number): unknown {
    const source = node.source ?? "";
    const { tag } = node;
    if (tag === "!" || tag === "tag:yaml.org,2002:str") return source;
    if (tag === undefined && node.type !== "PLAIN") return source;
    const value = plainScalar(source);
    if (value === undefined) this.#fail("INVALID_SYNTAX", "expected a number that JSON can hold", at);
    if (tag === undefined) return value;
    const type = SCALAR_TAGS.get(tag);
    if (type === undefined) this.#refuseTag(tag, at);
    const found = value === null ? "null" : typeof value === "bigint" ? "number" : typeof value;
    if (found !== type) this.#fail("INVALID_SYNTAX", `expected what the tag ${quoted(tag)} says`, at);
    return value;
  }

  #alias(name: string, at: number): unknown {
    const anchored = this.#anchors.get(name);
    if (anchored === undefined) {
      const problem = this.#anchors.has(name)
        ? "to stand outside of its own value"
        : "to name an anchor before it";
      this.#fail("INVALID_SYNTAX", `expected the alias ${quoted(name)} ${problem}`, at);
    }
    this.#count += anchored.size;
    this.#aliased += anchored.size;
    if (this.#aliased > MAX_ALIASED) {
      this.#fail("TOO_COMPLEX", `expected aliases to add at most ${MAX_ALIASED} values, found more`, at);
    }
    return this.#copy(anchored.value, at, this.#path.length);
  }

  /** A copy, so that a change to one does not change the other. */
  #copy(value: unknown, at: number, depth: number): unknown {
    if (typeof value !== "object" || value === null) return value;
    if (depth >= MAX_DEPTH) {
      this.#fail("TOO_COMPLEX", `expected at most ${MAX_DEPTH} levels of nesting, found more`, at);
    }
    if (Array.isArray(value)) return value.map((item) => this.#copy(item, at, depth + 1));
    const object: Record<string, unknown> = {};
    for (const [key, inner] of Object.entries(value)) setOwn(object, key, this.#copy(inner, at, depth + 1));
    return object;
  }

  #refuseTag(tag: string, at: number): never {
    this.#fail("INVALID_SYNTAX", `expected no tag but those of JSON's types, found ${quoted(tag)}`, at);
  }

  #fail(code: "INVALID_SYNTAX" | "TOO_COMPLEX", problem: string, at: number): never {
    fail(code, problem, this.#text, at, this.#path);
  }
}

/** The tags that have a JSON counterpart, and the type of their values. */
const SCALAR_TAGS: ReadonlyMap<string, string> = new Map([
  ["tag:yaml.org,2002:null", "null"],
  ["tag:yaml.org,2002:bool", "boolean"],
  ["tag:yaml.org,2002:int", "number"],
  ["tag:yaml.org,2002:float", "number"],
]);

function keyOf(pair: Pair): string {
  return isScalar(pair.key) ? (pair.key.source ?? "") : "";
}

function offsetOf(node: unknown): number | undefined {
  return isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range?.[0] : undefined;
}
