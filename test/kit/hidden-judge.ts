/**
 * Every method of every builder, in random programs over tables with rules of all kinds: what is hidden is not read and
 * not changed. The same programs run where the hidden rows are not there, and must do the same; and where all rows are
 * visible, where they must do something else now and then, or nothing was hidden from them.
 */
import { Chance } from "../campaigns/expression-chance.js";
import type { Server } from "../servers.js";
import { call } from "./hidden-conditions.js";
import { idsIn, type Outcome, outcomeIn } from "./hidden-outcomes.js";
import { type Ids, type Program, programOf, type Way } from "./hidden-programs.js";
import type { Kind } from "./hidden-steps.js";
import {
  type Copies,
  type Name,
  openCopies,
  type Repositories,
  refill,
  rules,
  storedIn,
  ways,
} from "./hidden-world.js";

// Most methods need a few.
const TRIES = 200;

/** Methods that show a builder, make nothing of rows, or are no user's. */
const silent = new Set(
  `constructor render safeRender build toSpec renderAfter insertSchema of offered at spec given shownSpec take taking
   isLast options call atomically undoable callsBack scanned bound checkParams batchOperation sending sendingOf takesAnyRows`.split(
    /\s+/,
  ),
);
/** Methods of vectors alone. */
const ofVectors = new Set(["whereDistance", "orderByExpr"]);

const first: Readonly<Record<Kind, (of: Repositories) => object>> = {
  query: ({ docs }) => call(docs, "query"),
  select: ({ docs }) => call(docs, "select"),
  aggregate: ({ docs }) => call(docs, "count"),
  compound: ({ docs }) => call(call(docs, "query"), "union", call(docs, "query")),
  page: ({ docs }) => call(call(call(docs, "query"), "orderBy", "id", "asc"), "page", 3),
  modify: ({ docs }) => call(docs, "modify"),
  remove: ({ docs }) => call(docs, "remove"),
  insert: ({ docs }) => call(docs, "insert"),
};
/** The kinds of builders. */
export const kinds = Object.keys(first) as readonly Kind[];

/** Whether programs with a method can meet a row that was hidden: no plan does, and of inserts those of a query. */
const meets = (kind: Kind, method: string) =>
  kind === "insert" ? method === "execFrom" : method !== "explain";

/** The methods that follow a relation, on a builder each. */
export const related: readonly (readonly [Kind, string])[] = [
  ["query", "join"],
  ["query", "leftJoin"],
  ["query", "rightJoin"],
  ["query", "fullJoin"],
  ["query", "with"],
  ["query", "fields"],
  ["aggregate", "join"],
  ["aggregate", "whereExists"],
  ["query", "whereNotExists"],
  ["modify", "whereExists"],
  ["modify", "setFrom"],
  ["remove", "whereNotExists"],
];
const isThere = ({ own, path }: Way, kind: Kind, method: string) => {
  const isOne = ways[own][path]?.[1] === true;
  if (kind !== "query" && kind !== "aggregate" && own === "logs") return false;
  return method === "setFrom" ? isOne && own !== "marks" : method !== "fields" || !isOne;
};

// A query becomes a set operation by its own methods: their programs are those of set operations.
const ofSets = new Set(["union", "unionAll", "intersect", "intersectAll", "except", "exceptAll"]);

/** The methods of a builder, as the run time has them. */
function methodsOf(kind: Kind, of: Repositories): readonly string[] {
  const found = new Set<string>();
  let at = Object.getPrototypeOf(first[kind](of));
  for (; at !== Object.prototype; at = Object.getPrototypeOf(at))
    for (const name of Object.getOwnPropertyNames(at)) found.add(name);
  const isAsked = (name: string) =>
    !silent.has(name) && !ofVectors.has(name) && !(kind === "query" && ofSets.has(name));
  return [...found].filter(isAsked).sort();
}

/** Judges the builders of one server. */
export class HiddenRows {
  readonly #copies: Copies;
  readonly #chance: Chance;
  readonly #each: number;
  #ids: Ids | undefined;
  #before = "";

  private constructor(copies: Copies, each: number, seed: number) {
    this.#copies = copies;
    this.#each = each;
    this.#chance = new Chance(seed);
  }

  /** @param each programs of each method that succeed. */
  static async on(server: Server, each: number, seed: number): Promise<HiddenRows> {
    const made = new HiddenRows(await openCopies(server), each, seed);
    await made.#fill();
    return made;
  }

  async close(): Promise<void> {
    for (const { lent } of Object.values(this.#copies)) await lent.close();
  }

  /** What is wrong with the methods of a kind of builder. */
  async faultsOf(kind: Kind): Promise<readonly string[]> {
    const faults: string[] = [];
    for (const method of methodsOf(kind, this.#copies.among.of))
      faults.push(...(await this.#runs(kind, method)));
    return faults;
  }

  /** What is wrong where a relation is followed. */
  async faultsOfRelations(): Promise<readonly string[]> {
    const faults: string[] = [];
    for (const [own, relations] of Object.entries(ways) as [Name, object][])
      for (const path of Object.keys(relations))
        for (const [kind, method] of related)
          if (isThere({ own, path }, kind, method))
            faults.push(...(await this.#runs(kind, method, { own, path })));
    return faults;
  }

  /** Whether builders of a kind find hidden rows where `without` stands in the call. */
  async frees(kind: Kind): Promise<boolean> {
    for (let tried = 0; tried < 200; tried++) {
      const program = programOf(kind, "exec", this.#chance, this.#known);
      const ruled = await outcomeIn(this.#copies.among, program, this.#known);
      const open = await outcomeIn(this.#copies.among, program, this.#known, "open");
      if (open.isOk && (ruled.result !== open.result || ruled.hidden !== open.hidden)) return true;
    }
    return false;
  }

  get #known(): Ids {
    if (this.#ids === undefined) throw new Error("no rows yet");
    return this.#ids;
  }

  async #fill(): Promise<void> {
    await refill(this.#copies, this.#chance);
    this.#ids = await idsIn(this.#copies);
    [this.#before] = await storedIn(this.#copies.among.open, this.#ids);
  }

  /** Runs programs with a method until enough succeed, and one of them would have met a hidden row. */
  async #runs(kind: Kind, method: string, way?: Way): Promise<readonly string[]> {
    let [ok, met, refused] = [0, 0, 0];
    const codes = new Set<string>();
    const each = kind === "insert" || way !== undefined ? 5 * this.#each : this.#each;
    for (let tried = 0; tried < Math.max(TRIES, 20 * each) && (ok < each || met === 0); tried++) {
      if (tried % 20 === 19) await this.#fill();
      const { among, isMet, fault } = await this.#judged(
        programOf(kind, method, this.#chance, this.#known, way),
      );
      if (fault !== undefined) return [fault];
      if (isMet) met++;
      if (among.isOk) ok++;
      else codes.add(among.result);
      // What a dialect has not it will not have.
      if (among.result === "UNSUPPORTED" && ++refused > 5 && ok === 0) return [];
      if (ok >= each && !meets(kind, method)) return [];
    }
    if (ok >= each && met > 0) return [];
    const about = `${kind} ${method} ${way?.own ?? ""} ${way?.path ?? ""}`;
    return [`${about}: ${ok} succeeded, ${met} would have met a hidden row (${[...codes]})`];
  }

  /** What is wrong with a program, if it met a row that was hidden; and whether there was one to meet. */
  async #judged(program: Program): Promise<{ among: Outcome; isMet: boolean; fault?: string }> {
    const ids = this.#known;
    const among = await outcomeIn(this.#copies.among, program, ids);
    const alone = await outcomeIn(this.#copies.alone, program, ids);
    const shown = await outcomeIn(this.#copies.shown, program, ids);
    const isChanged = among.hidden !== this.#before && among.hidden !== "";
    const differs = among.result !== alone.result || among.others !== alone.others;
    const isMet = alone.result !== shown.result || alone.others !== shown.others;
    if (program.form.startsWith("bind")) await this.#fill();
    const about = `${program.kind} of ${program.own}: ${program.used.join(" ")}`;
    if (isChanged) return { among, isMet, fault: `${about} changed a hidden row` };
    // A key that a hidden row has is a violated key.
    if (program.collides && program.form !== "execFrom" && alone.isOk && among.result !== "UNIQUE_VIOLATION")
      return { among, isMet, fault: `${about} met a hidden key and gave ${among.result}` };
    // A statement of many rows cannot say which of them met one that nobody sees.
    const isUpsertFrom = program.form === "execFrom" && program.used.includes("onConflict");
    if (isUpsertFrom && rules[program.own].length > 0 && among.isOk)
      return { among, isMet, fault: `${about} may meet a hidden key and gave ${among.result}` };
    if (!differs || program.collides) return { among, isMet };
    return { among, isMet, fault: `${about} gave ${among.result} for ${alone.result}` };
  }
}
