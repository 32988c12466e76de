/** The texts of PostgreSQL: escapes in literals and names, and casts between its types of text. */
import type { TextDialect } from "./dialect.js";
import { backslashEscaped } from "./one-line-literals.js";
import { postgresRules, type Token } from "./sql-cursor.js";

export const postgresText: TextDialect = {
  name: "postgres",
  tokens: postgresRules,
  expressions: { ignoresCase: false, withoutCasts: withoutTextCasts },
  breaks: {
    literal: (value) => `E'${backslashEscaped(value)}'`,
    letter: /(?<![\p{L}\p{N}_$])[eE]$/u,
    name: (value) => {
      const inner = value.replaceAll("\\", "\\\\").replaceAll('"', '""');
      return `U&"${inner.replaceAll("\n", "\\000A").replaceAll("\r", "\\000D")}"`;
    },
  },
  undoesDdl: true,
};

const TEXT_TYPE = ["text", "varchar", "bpchar", "character varying", "character"];

function withoutTextCasts(tokens: readonly Token[]): readonly Token[] {
  const left: Token[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token === undefined) continue;
    const length = token.text === ":" && tokens[i + 1]?.text === ":" ? castLength(tokens, i + 2) : 0;
    if (length > 0) i += 1 + length;
    else left.push(token);
  }
  return withoutIdleParentheses(left);
}

/** The number of tokens in the name of a text type at this place. */
function castLength(tokens: readonly Token[], at: number): number {
  const textAt = (i: number) => tokens[at + i]?.text ?? "";
  const two = `${textAt(0)} ${textAt(1)}`;
  let length = TEXT_TYPE.includes(two) ? 2 : TEXT_TYPE.includes(textAt(0)) ? 1 : 0;
  if (length === 0) return 0;
  if (textAt(length) === "(" && textAt(length + 2) === ")") length += 3;
  if (textAt(length) === "[" && textAt(length + 1) === "]") length += 2;
  return length;
}

// Without the parentheses that casts needed: those around one token or one array, and doubled ones.
function withoutIdleParentheses(tokens: readonly Token[]): readonly Token[] {
  const ends = new Map<number, number>();
  const open: number[] = [];
  for (const [i, { kind, text }] of tokens.entries()) {
    if (kind === "symbol" && text === "(") open.push(i);
    const begin = kind === "symbol" && text === ")" ? open.pop() : undefined;
    if (begin !== undefined) ends.set(begin, i);
  }
  for (const [begin, end] of ends) {
    const before = tokens[begin - 1];
    const isCall =
      before?.kind === "name" ||
      (before?.kind === "word" && !/^(?:and|or|not|in|then|else|when|like)$/i.test(before.text));
    const isDoubled = ends.get(begin + 1) === end - 1;
    const isOne = end === begin + 2 && !isCall;
    if (isDoubled || isOne) return withoutIdleParentheses(tokens.filter((_, i) => i !== begin && i !== end));
  }
  return tokens;
}
