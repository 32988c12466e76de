/**
 * The texts that are kept prepared on the connections of a pool, by name. The server parses and plans such a text once
 * per connection. For a call by id that is almost half of the server's time.
 */
import { createHash } from "node:crypto";
import { Lru } from "../../../core/lru.js";

/** The maximum number of names, of total characters, and of characters of one text. Longer texts are mostly batches. */
const MOST_NAMES = 256;
const MOST_CHARACTERS = 500_000;
const LONGEST = 8_000;

/** How many unused names a connection may have before it closes their statements. */
const MOST_STALE = 64;

const PREFIX = "rowtype_";

/**
 * Commands that may change a table, and with it the types that its statements were prepared with. The server keeps the
 * old parameter types, and would convert a value to the previous type of a column.
 */
const CHANGES_TABLES: ReadonlySet<string> = new Set(["ALTER", "DROP", "DO"]);

interface Kept {
  /** A text that is sent only once needs no name. */
  name: string | undefined;
  /** How often it got a new name. */
  renewed: number;
  /** How often tables had changed when it got its name. */
  epoch: number;
  /** Its statement may be outdated. The next call omits the name, and shows whether that helps. */
  isDoubted: boolean;
}

/** pg's record of a connection's statements: the text of each name. */
export type Parsed = Record<string, string>;

/** The names of the texts of one pool. */
export class PostgresStatements {
  /** Set to false by `prepare: false`. */
  isOn = true;
  #epoch = 0;
  readonly #names = new Set<string>();
  readonly #seen = new WeakMap<Parsed, number>();
  #stale = 0;
  readonly #texts = new Lru<string, Kept>({
    max: MOST_NAMES,
    maxWeight: MOST_CHARACTERS,
    weigh: (_, text) => text.length,
    onEvict: ({ name }) => this.#drop(name),
  });

  /**
   * The name of a text, from its second use on. It is made from the text: even with a pooler a name never stands for
   * another text.
   */
  nameOf(text: string): string | undefined {
    if (!this.isOn || text.length > LONGEST) return undefined;
    const kept = this.#texts.get(text);
    if (kept === undefined) {
      this.#texts.set(text, { name: undefined, renewed: 0, epoch: this.#epoch, isDoubted: false });
      return undefined;
    }
    if (kept.isDoubted) return undefined;
    if (kept.epoch !== this.#epoch) {
      this.#drop(kept.name);
      kept.epoch = this.#epoch;
      kept.name = undefined;
    }
    kept.name ??= this.#named(text, kept.renewed);
    return kept.name;
  }

  /**
   * A command was executed. If it may have changed tables, every text is prepared again when it is next sent. The
   * command's transaction has locked these tables: nobody prepares a text over them until it ends.
   */
  noteCommand(command: string): void {
    if (CHANGES_TABLES.has(command)) this.#epoch++;
  }

  /** Whether a statement may have failed because something has changed since it was prepared. */
  doubts(text: string, name: string | undefined, error: unknown): boolean {
    if (name === undefined || !isOfOutdated(error)) return false;
    const kept = this.#texts.get(text);
    if (kept === undefined || kept.name !== name) return false;
    kept.isDoubted = true;
    return true;
  }

  /** A doubted text was sent without its name. */
  sentUnnamed(text: string, isFine: boolean): void {
    const kept = this.#texts.get(text);
    if (kept?.isDoubted !== true) return;
    kept.isDoubted = false;
    if (!isFine) return;
    this.#drop(kept.name);
    kept.renewed++;
    kept.name = undefined;
  }

  /** Texts were sent together, and some or all of them executed. */
  noteAnswers(
    sent: readonly { readonly text: string; readonly name?: string | undefined }[],
    results: readonly { readonly command: string }[],
    error: unknown,
  ): void {
    for (const [i, { text, name }] of sent.entries()) {
      const result = results[i];
      if (name === undefined && i <= results.length) this.sentUnnamed(text, result !== undefined);
      if (result !== undefined) this.noteCommand(result.command);
      else if (i === results.length) this.doubts(text, name, error);
    }
  }

  /** The unused names on a connection, once there are many: they are closed with the next statement. */
  staleOn(parsed: Parsed): readonly string[] {
    const seen = this.#seen.get(parsed);
    if (seen === undefined) this.#seen.set(parsed, this.#stale);
    if (seen === undefined || this.#stale - seen < MOST_STALE) return [];
    this.#seen.set(parsed, this.#stale);
    return Object.keys(parsed).filter((name) => name.startsWith(PREFIX) && !this.#names.has(name));
  }

  #named(text: string, renewed: number): string {
    const hash = createHash("sha256").update(text).digest("base64url");
    const suffix = [this.#epoch, renewed].join("_");
    const name = `${PREFIX}${hash}${suffix === "0_0" ? "" : `_${suffix}`}`;
    this.#names.add(name);
    return name;
  }

  #drop(name: string | undefined): void {
    if (name !== undefined && this.#names.delete(name)) this.#stale++;
  }
}

// The statement is gone; the result has other columns; or the parameter types are outdated, which leads to a missing
// operator, a number out of range, or an invalid text.
const OUTDATED: ReadonlySet<unknown> = new Set(["26000", "22003", "22P02"]);

function isOfOutdated(error: unknown): boolean {
  const { code, routine }: { code?: unknown; routine?: unknown } = Object(error);
  if (code === "0A000") return routine === "RevalidateCachedQuery";
  return OUTDATED.has(code) || (typeof code === "string" && code.startsWith("42"));
}
