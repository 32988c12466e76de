/** Parts of a builder that a spec cannot hold. Only our own functions make them. */
import type { ConstantNode, GivenMap } from "./given-node.js";

type Class<T> = abstract new (...args: never[]) => T;

/** A part of a builder that a spec cannot hold. */
export abstract class BuilderOnly {
  // A proxy does not have private members, so it cannot pass for one of ours and give the resolver and the renderer
  // different answers.
  readonly #mark = true;

  /** The noun for the error message when a spec is requested. */
  abstract readonly what: string;

  /** A key that identifies it, if it is cheap to compute. */
  get key(): string | undefined {
    return undefined;
  }

  /** The value that a spec holds in its place; undefined if a spec cannot hold it. */
  get shown(): unknown {
    return undefined;
  }

  /** The constants in it, in the order in which `mapped` visits them. */
  get constants(): readonly ConstantNode[] | undefined {
    return undefined;
  }

  /** The same part with its constants and holes replaced. */
  mapped(_map: GivenMap): BuilderOnly {
    return this;
  }

  /** Whether a value of an untyped caller is such a part. */
  static isOne(value: unknown): value is BuilderOnly {
    return typeof value === "object" && value !== null && #mark in value;
  }

  /** The value as an instance of this class; undefined for any other value. */
  static own<T extends BuilderOnly>(this: Class<T>, value: unknown): T | undefined {
    // biome-ignore lint/complexity/noThisInStatic: `this` is the class whose method is called.
    return BuilderOnly.isOne(value) && value instanceof this ? value : undefined;
  }
}
