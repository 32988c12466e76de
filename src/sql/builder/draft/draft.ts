/**
 * A statement that is being written, and the results computed from it. Equal chains share one draft, wherever they run.
 * A step leads to a draft with a longer spec, or to the draft that the same step led to before. It sends nothing.
 *
 * What remembers chains; builders only take steps:
 *
 * | part | belongs to | remembers | until |
 * |---|---|---|---|
 * | `#origin` | a draft | the step that led to it, not cached yet | the chain was written twice and a text of it was rendered without problems |
 * | `#next` | a draft | the cached steps from it, by their keys | `ChainMemory` drops them |
 * | `ChainWays` | a draft | eight of these steps, by their arguments: no key is written | the same, or others replace them |
 * | `ChainMemory` | a database | the cached steps of all its drafts, in order of use | there are too many |
 * | `Texts` | a draft | its texts, if it has several | there are too many |
 */
import { constantsIn } from "../../ast/constants-in.js";
import { type ConstantNode, NO_CONSTANTS } from "../../ast/given-node.js";
import { DRAFT } from "../../ast/key.js";
import { mapGiven } from "../../ast/map-given.js";
import { withoutConstants } from "../../ast/same.js";
import type { Statement } from "../../ast/statement.js";
import type { AnyTable } from "../../declare/declaration.js";
import type { TableModule } from "../../declare/module.js";
import type { Grammar } from "../../dialect/grammar/grammar.js";
import type { Callbacks } from "../../exec/callbacks.js";
import type { PreparedPlan } from "../../exec/prepared.js";
import type { Session } from "../../exec/session.js";
import type { Problem } from "../../words/errors.js";
import { type Edit, edited } from "./edit.js";
import type { Branches, ChainMemory } from "./memory.js";
import { ChainWays, type Led } from "./ways.js";

/** Where builders run: a database or a transaction of it, with the callbacks of their table. */
export interface BuilderPlace {
  readonly session: Session;
  readonly callbacks: Callbacks;
}

/** Shared by all drafts of one table on one database. */
export interface DraftSource {
  readonly table: AnyTable;
  /** The targets of the table's relations, by the names of exports; empty if no module was given. */
  readonly tables: TableModule;
  /** Whether the scope restricts these targets, for the specs of the table. */
  readonly isNarrowed?: boolean;
  readonly grammar: Grammar;
  readonly memory: ChainMemory;
  /** The database itself. */
  readonly place: BuilderPlace;
  /** The callbacks of another table on the database, if it has a repository there. */
  readonly callbacksOf: (table: AnyTable) => Callbacks | undefined;
}

/** A draft together with a place: the part of a builder that drafts know. */
export interface PlacedDraft {
  readonly draft: AnyDraft;
  at(place: BuilderPlace, constants: readonly ConstantNode[]): PlacedDraft;
}

/** The step that led to a draft. */
interface Origin {
  readonly before: AnyDraft;
  readonly key: string;
  readonly made: PlacedDraft;
  /** The drafts that the key names by their ids. */
  readonly operands: readonly AnyDraft[];
}

export type AnyDraft = Draft<Statement>;

/** Replaces the constants in an argument of a step by their places in the draft. */
export type Placing = <T>(part: T) => T;

/** A step of a chain: what it makes of a draft, and the key by which it is found again. */
export interface ChainStep<D, To = D> {
  /** Undefined: the step is made again each time. */
  readonly key: string | undefined;
  /** The drafts that the key names by their ids. */
  readonly operands?: readonly AnyDraft[];
  /** The arguments that may hold constants, in the order in which `on` places them. */
  readonly parts?: readonly unknown[];
  on(draft: D, placed: Placing): To;
}

/** A step that only adds a problem. */
export function failed<D extends AnyDraft>(problem: Problem): ChainStep<D> {
  return { key: undefined, on: (draft) => draft.failing(problem) };
}

const asItIs: Placing = (part) => part;

let nextId = 1;

const BEFORE_ID = DRAFT.charCodeAt(0);
const ZERO = 48;
const NINE = 57;

/** FNV-1a of a key, without the ids of drafts in it: a draft that is not cached has another each time. */
function hashOf(key: string, before: number): number {
  let hash = before ^ 0x811c9dc5;
  let isId = false;
  for (let i = 0; i < key.length; i++) {
    const code = key.charCodeAt(i);
    isId = code === BEFORE_ID || (isId && code >= ZERO && code <= NINE);
    if (!isId) hash = Math.imul(hash ^ code, 0x01000193);
  }
  return hash;
}

/** A statement of kind `T` being written. */
export abstract class Draft<T extends Statement> {
  // All fields are private: a draft is shared, and freezing it costs more than making it.
  readonly #source: DraftSource;
  readonly #kind: T["kind"];
  readonly #problems: readonly Problem[];
  readonly #start: T["spec"];
  readonly #edit: Edit | undefined;
  #spec: T["spec"] | undefined;
  // The number of constants that a builder of this draft has.
  #holes = 0;
  // Only drafts whose steps all have keys have an id other than 0. A draft of a spec from outside has none.
  #id = 0;
  // Kept until the draft is cached.
  #origin: Origin | undefined;
  #next: Map<string, Led<PlacedDraft>> | undefined;
  #ways: ChainWays<PlacedDraft> | undefined;
  // The cache entry of the draft, once it is cached.
  #led: Led<PlacedDraft> | undefined;
  #ref: WeakRef<Branches> | undefined;

  constructor(
    source: DraftSource,
    kind: T["kind"],
    start: T["spec"],
    problems: readonly Problem[] = [],
    edit?: Edit,
  ) {
    this.#source = source;
    this.#kind = kind;
    this.#problems = problems;
    this.#start = start;
    this.#edit = edit;
  }

  get source(): DraftSource {
    return this.#source;
  }

  get kind(): T["kind"] {
    return this.#kind;
  }

  /** Problems that the spec cannot hold, such as a field set twice; thrown together with those of resolving. */
  get problems(): readonly Problem[] {
    return this.#problems;
  }

  /** Never given to callers: the rendered text is kept, and must not differ from the resolved statement. */
  get spec(): T["spec"] {
    this.#spec ??= edited(this.#start, this.#edit);
    return this.#spec;
  }

  get statement(): T {
    // The kind and the spec belong to one statement.
    const { table, tables, memory } = this.source;
    return { kind: this.kind, table, tables, database: memory, spec: this.spec } as unknown as T;
  }

  /** The statement that `render` shows, prepared once. */
  abstract get prepared(): PreparedPlan;

  /** The names of all parameters of a call. */
  abstract get names(): ReadonlySet<string>;

  /** The draft with keys of its spec set. */
  with(values: Partial<T["spec"]>): this {
    return this.#edited({ before: this.#edit, values }, this.problems);
  }

  /** The draft with more items in a list of its spec. Items of an untyped caller are checked with the statement. */
  adding(list: string, items: readonly unknown[]): this {
    return this.#edited({ before: this.#edit, list, items }, this.problems);
  }

  /** The draft with one more condition. */
  filtered(condition: object): this {
    return this.adding("where", [condition]);
  }

  /** The draft with problems, otherwise unchanged. */
  failing(...problems: readonly Problem[]): this {
    return problems.length === 0 ? this : this.#edited(this.#edit, [...this.problems, ...problems]);
  }

  #edited(edit: Edit | undefined, problems: readonly Problem[]): this {
    // Every draft is made of the same parts, so this class can make another draft of its kind.
    const Kind = this.constructor as new (...parts: ConstructorParameters<typeof Draft<T>>) => this;
    return new Kind(this.source, this.kind, this.#start, problems, edit);
  }

  /** Identifies this draft among all drafts whose steps have keys; undefined if it is not one of them. */
  get id(): number | undefined {
    return this.#id === 0 ? undefined : this.#id;
  }

  /** Marks the draft as the start of chains. The caller that made it must keep it. */
  begin(): void {
    this.#id = nextId++;
  }

  /** Whether a draft holds places for constants; otherwise it holds the constants themselves. */
  protected get hasHoles(): boolean {
    return true;
  }

  /**
   * The builder after a step: the cached one, if the step has a key.
   * @param before the constants of the builder so far.
   */
  take<To extends AnyDraft, B extends PlacedDraft>(
    step: ChainStep<this, To>,
    place: BuilderPlace,
    before: readonly ConstantNode[],
    Kind: new (draft: To, place: BuilderPlace, constants: readonly ConstantNode[]) => B,
  ): B {
    const led = step.key === undefined ? undefined : this.#next?.get(step.key);
    if (led !== undefined) {
      led.step.isUsed = true;
      // A key identifies one step, and a step leads to builders of one kind.
      return led.made.at(place, this.#constantsOf(led.made, before, step.parts ?? [])) as B;
    }
    const found = step.parts === undefined ? NO_CONSTANTS : constantsIn(step.parts);
    const own = this.hasHoles ? found : NO_CONSTANTS;
    // A key does not tell constants apart, so a step that holds them is made each time.
    const key = own.length < found.length ? undefined : step.key;
    const draft = own.length === 0 ? step.on(this, asItIs) : this.#placing(step, own);
    const constants = own.length === 0 ? before : [...before, ...own];
    draft.#holes = constants.length;
    const made = new Kind(draft, place, constants);
    // The cached builder is that of the database, so that nothing holds on to a transaction or to constants.
    if (key !== undefined) this.#lead(key, made.at(draft.source.place, NO_CONSTANTS), step.operands ?? []);
    return made;
  }

  /** The draft after a step with constants: it has a hole in the place of each. */
  #placing<To extends AnyDraft>(step: ChainStep<this, To>, own: readonly ConstantNode[]): To {
    let placed = 0;
    const draft = step.on(this, (part) =>
      mapGiven(part, (node) => {
        if (node.kind === "hole") return node;
        if (node !== own[placed]) throw new TypeError("the constants of a step are not in its order");
        return { kind: "hole", index: this.#holes + placed++ };
      }),
    );
    if (placed < own.length) throw new TypeError("a constant of a step has no place");
    return draft;
  }

  /** The constants of a cached builder that a call leads to. */
  #constantsOf(
    { draft }: PlacedDraft,
    before: readonly ConstantNode[],
    parts: readonly unknown[],
  ): readonly ConstantNode[] {
    return draft.#holes === before.length ? before : [...before, ...constantsIn(parts)];
  }

  /** The builder that a step with these arguments led to before, found without its key. */
  again(
    place: BuilderPlace,
    before: readonly ConstantNode[],
    of: unknown,
    a: unknown,
    b: unknown,
    c: unknown,
  ): PlacedDraft | undefined {
    const made = this.#ways?.find(of, a, b, c);
    if (made === undefined) return undefined;
    const constants =
      made.draft.#holes === before.length ? before : this.#constantsOf(made, before, [a, b, c]);
    return made.at(place, constants);
  }

  /** Stores the arguments of a step that is found by its key. */
  note({ draft }: PlacedDraft, of: unknown, a: unknown, b: unknown, c: unknown): void {
    const led = draft.#led;
    if (led === undefined || this.#next?.get(led.step.key) !== led) return;
    this.#ways ??= new ChainWays();
    const hasConstants = draft.#holes > this.#holes;
    const kept = (part: unknown) => (hasConstants ? withoutConstants(part) : part);
    this.#ways.add({ led, of, a: kept(a), b: kept(b), c: kept(c) });
  }

  /** Stores the step that made the draft of a builder. The step is cached when the draft is accepted. */
  #lead(key: string, made: PlacedDraft, operands: readonly AnyDraft[]): void {
    const { draft } = made;
    // A step without effect returns the same draft. A start without an id has no cached steps.
    if (this.#id === 0 || draft === this) return;
    draft.#id = nextId++;
    draft.#origin = { before: this, key, made, operands };
    Object.freeze(made);
  }

  /** Removes a step of this draft. */
  forget(key: string): void {
    this.#next?.delete(key);
    this.#ways?.delete(key);
  }

  /** A text was rendered: from now on the chain is cached, with the number of characters of its texts. */
  protected accepted(characters: number): void {
    if (!this.source.memory.takes(this.#hash())) return;
    this.#remember();
    this.source.memory.weigh(this.#id, characters);
  }

  /** Tells chains apart, and is the same for equal ones. */
  #hash(): number {
    let hash = 0;
    let start: AnyDraft = this;
    for (let step = this.#origin; step !== undefined; step = start.#origin) {
      hash = hashOf(step.key, hash);
      for (const operand of step.operands) hash = Math.imul(hash ^ operand.#hash(), 0x01000193);
      start = step.before;
    }
    return hash ^ start.#id;
  }

  /**
   * Caches the chain, and returns whether this builder is the cached one. Another builder of the same steps may be
   * cached already.
   */
  #remember(): boolean {
    const chain: Origin[] = [];
    for (let step = this.#origin; step !== undefined; step = step.before.#origin) chain.push(step);
    let at: AnyDraft = chain.at(-1)?.before ?? this;
    for (let i = chain.length - 1; i >= 0; i--) {
      const step = chain[i];
      if (step === undefined) break;
      const known = at.#next?.get(step.key);
      if (known === undefined) {
        // The key contains the ids of operands. If an operand is not cached, this step is not either.
        if (!step.operands.every((operand) => operand.#remember())) return false;
        at.#leadTo(step);
      }
      at = (known?.made ?? step.made).draft;
    }
    return at === this;
  }

  #leadTo({ key, made }: Origin): void {
    const { draft } = made;
    draft.#origin = undefined;
    this.#next ??= new Map();
    this.#ref ??= new WeakRef<Branches>(this);
    const step = { from: this.#ref, key, weight: key.length, isUsed: false };
    draft.#led = { made, step };
    this.#next.set(key, draft.#led);
    // Comes last, because it may remove the step that was just added.
    this.source.memory.add(draft.#id, step);
  }
}
