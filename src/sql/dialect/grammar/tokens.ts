/** Reads a caller's SQL text token by token, as a dialect divides it. */
import type { ScanGrammar } from "./scan.js";

const kept = new WeakMap<ScanGrammar, RegExp>();

/** Finds the next token of a text, from `lastIndex`: a part that is not code, a placeholder, a name or a word. */
export function tokensOf(scan: ScanGrammar): RegExp {
  let tokens = kept.get(scan);
  if (tokens === undefined) {
    const { skipped, own } = scan;
    // A cast is two colons; a word cannot end in the middle of a number. Other characters are copied unchanged.
    const parts = [
      skipped,
      `(?<own>${own})`,
      "::",
      ":\\.\\.\\.(?<list>[A-Za-z_]\\w*)",
      ":(?<name>[A-Za-z_]\\w*)",
      WORD,
      "\\d[\\w.]*",
      "[\\s\\S]",
    ];
    tokens = new RegExp(parts.join("|"), "y");
    kept.set(scan, tokens);
  }
  return tokens;
}

const WORD = "(?<word>[A-Za-z_\\u0080-\\uffff][\\w$\\u0080-\\uffff]*)";

/** A token of a text, and the parts by which it is known. */
interface SqlToken {
  readonly text: string;
  /** Where it begins. */
  readonly at: number;
  readonly groups: { readonly [G in "own" | "list" | "name" | "word"]?: string | undefined };
}

/** The tokens of a text. What stands in a comment that the server executes is code. */
export function* readTokens(text: string, scan: ScanGrammar, begin = 0): Generator<SqlToken> {
  const tokens = tokensOf(scan);
  for (let at = begin, end = begin; at < text.length; at = end) {
    tokens.lastIndex = at;
    const { groups = {} } = tokens.exec(text) ?? {};
    end = endOfToken(text, at, tokens.lastIndex, scan);
    yield { text: text.slice(at, end), at, groups };
  }
}

function endOfToken(text: string, at: number, end: number, { nestsComments, executed }: ScanGrammar): number {
  if (!text.startsWith("/*", at)) return end;
  if (nestsComments) return endOfComment(text, at);
  const [opening = ""] = executed?.exec(text.slice(at, at + MOST_OF_OPENING)) ?? [];
  return opening === "" ? end : at + opening.length;
}

const MOST_OF_OPENING = 20;

/** Where a comment that nests ends. */
export function endOfComment(text: string, begin: number): number {
  let depth = 0;
  for (const edge of text.slice(begin).matchAll(/\/\*|\*\//g)) {
    depth += edge[0] === "/*" ? 1 : -1;
    if (depth === 0) return begin + edge.index + edge[0].length;
  }
  return text.length;
}

/** The fault of a part of a statement; undefined if it has none. */
export type FragmentFault = "own placeholder" | "name" | "hole in text" | "open text";

/**
 * Finds faults by which a part of a statement would affect the text around it: quotes and comments that do not end in
 * it, holes inside them, placeholders that are not holes.
 * @param texts the text before each hole, and after the last one.
 */
export function faultOfFragment(texts: readonly string[], scan: ScanGrammar): FragmentFault | undefined {
  // No text contains this character; the last one is at the end.
  if (texts.some((text) => text.includes(HOLE))) return "open text";
  const text = `${texts.join(HOLE)}${HOLE}`;
  const tokens = tokensOf(scan);
  for (let at = 0; at < text.length; at = tokens.lastIndex) {
    tokens.lastIndex = at;
    const { own, list, name = list } = tokens.exec(text)?.groups ?? {};
    if (scan.nestsComments && text.startsWith("/*", at)) tokens.lastIndex = endOfComment(text, at);
    if (own !== undefined) return "own placeholder";
    if (name !== undefined && scan.readsNames) return "name";
    const token = text.slice(at, tokens.lastIndex);
    if (token === HOLE || !token.includes(HOLE)) continue;
    return token.endsWith(HOLE) && tokens.lastIndex === text.length ? "open text" : "hole in text";
  }
  return undefined;
}

const HOLE = "\u0001";
