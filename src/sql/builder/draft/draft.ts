/**
 * A statement being written, and what is worked out of it: equal chains share one draft, wherever they run. A step
 * leads to a draft whose spec is longer, or to the one that the same step led to before. It sends nothing.
 */
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

/** What all drafts of one table on one database share. */
export interface DraftSource {
  readonly table: AnyTable;
  /** What the relations of the table lead to, by the names of exports; empty where no module was given. */
  readonly tables: TableModule;
  /** Whether these are narrowed by the scope, for what its specs say. */
  readonly isNarrowed?: boolean;
  readonly grammar: Grammar;
  readonly memory: ChainMemory;
  /** The database itself. */
  readonly place: BuilderPlace;
  /** The callbacks of another table on the database, if it has a repository there. */
  readonly callbacksOf: (table: AnyTable) => Callbacks | undefined;
}

/** A draft together with a place: a builder, as far as drafts know it. */
export interface PlacedDraft {
  readonly draft: AnyDraft;
  at(place: BuilderPlace): PlacedDraft;
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

/** A step that builders of several kinds have, with the key by which it is found again. */
export interface DraftStep {
  readonly key: string | undefined;
  readonly on: <D extends AnyDraft>(draft: D) => D;
}

let nextId = 1;

/** A statement of kind `T` being written. */
export abstract class Draft<T extends Statement> {
  // All of them private: a draft is shared, and to freeze it costs more than to make it.
  readonly #source: DraftSource;
  readonly #kind: T["kind"];
  readonly #problems: readonly Problem[];
  readonly #start: T["spec"];
  readonly #edit: Edit | undefined;
  #spec: T["spec"] | undefined;
  // Only drafts of which all steps have keys have an id other than 0: one of a spec from outside has none.
  #id = 0;
  // Kept until the draft is remembered.
  #origin: Origin | undefined;
  #next: Map<string, Led<PlacedDraft>> | undefined;
  #ways: ChainWays<PlacedDraft> | undefined;
  // How the draft is found again, once it is.
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

  /** What the spec cannot hold, such as a field set twice; thrown together with what resolving finds. */
  get problems(): readonly Problem[] {
    return this.#problems;
  }

  /** Never handed out: the rendered text is kept, and must not differ from what was resolved. */
  get spec(): T["spec"] {
    this.#spec ??= edited(this.#start, this.#edit);
    return this.#spec;
  }

  get statement(): T {
    // The kind and the spec are those of one statement.
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

  /** The draft with more in a list of its spec. What an untyped caller adds is checked with the statement. */
  adding(list: string, items: readonly unknown[]): this {
    return this.#edited({ before: this.#edit, list, items }, this.problems);
  }

  /** The draft with a problem, and nothing else changed. */
  failing(problem: Problem): this {
    return this.#edited(this.#edit, [...this.problems, problem]);
  }

  #edited(edit: Edit | undefined, problems: readonly Problem[]): this {
    // Every draft is made of the same things, so the class of this one makes another one of its kind.
    const Kind = this.constructor as new (...parts: ConstructorParameters<typeof Draft<T>>) => this;
    return new Kind(this.source, this.kind, this.#start, problems, edit);
  }

  /** Tells this draft from all others whose steps have keys, where it is one of them. */
  get id(): number | undefined {
    return this.#id === 0 ? undefined : this.#id;
  }

  /** Marks the draft where chains begin, which whoever made it keeps. */
  begin(): void {
    this.#id = nextId++;
  }

  /** What a step led to before. */
  known(key: string): PlacedDraft | undefined {
    const led = this.#next?.get(key);
    if (led === undefined) return undefined;
    led.step.isUsed = true;
    return led.made;
  }

  /** What a step with these arguments led to before, found without its key. */
  again(of: unknown, a: unknown, b: unknown, c: unknown): PlacedDraft | undefined {
    return this.#ways?.find(of, a, b, c);
  }

  /** Notes the arguments of a step that is found again by its key. */
  note({ draft }: PlacedDraft, of: unknown, a: unknown, b: unknown, c: unknown): void {
    const led = draft.#led;
    if (led === undefined || this.#next?.get(led.step.key) !== led) return;
    this.#ways ??= new ChainWays();
    this.#ways.add({ led, of, a, b, c });
  }

  /** Notes by which step the draft of a builder was made; it is found again once it was accepted. */
  lead(key: string, made: PlacedDraft, operands: readonly AnyDraft[]): void {
    const { draft } = made;
    // A step that leads nowhere stays where it is, and what begins without an id has no steps that are found again.
    if (this.#id === 0 || draft === this) return;
    draft.#id = nextId++;
    draft.#origin = { before: this, key, made, operands };
    Object.freeze(made);
  }

  /** Removes a step from here. */
  forget(key: string): void {
    this.#next?.delete(key);
    this.#ways?.delete(key);
  }

  /** A text was rendered: from now on the chain is remembered, with the number of characters of its texts. */
  protected accepted(characters: number): void {
    this.#remember();
    this.source.memory.weigh(this.#id, characters);
  }

  /**
   * Caches the chain, and returns whether this builder is the cached one: another builder of the same steps may
   * be.
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
        // The key names operands by their ids: where one is not found again, neither is this.
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
    // The last, because it may remove what was just added.
    this.source.memory.add(draft.#id, step);
  }
}
