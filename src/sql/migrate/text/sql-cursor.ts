/**
 * Reads the SQL text of a database's tables, token by token: that of `sqlite_schema`, and that of MariaDB's `SHOW
 * CREATE TABLE`. It knows words, names, literals and parentheses, but no statements.
 */

/** A piece of SQL text. */
export interface Token {
  readonly kind: "word" | "name" | "text" | "number" | "symbol";
  /** The text as it is written. */
  readonly text: string;
  /** The text without its quotes, if it has quotes. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** How a text is divided. */
export interface TokenRules {
  /** Whether a backslash escapes in a literal. */
  readonly backslashes: boolean;
  /** Whether double quotes contain names; otherwise they contain literals. */
  readonly doubleQuotesName: boolean;
  /** Whether brackets contain names. */
  readonly bracketsName: boolean;
}

export const sqliteRules: TokenRules = { backslashes: false, doubleQuotesName: true, bracketsName: true };
export const mariadbRules: TokenRules = { backslashes: true, doubleQuotesName: false, bracketsName: false };
export const postgresRules: TokenRules = { backslashes: false, doubleQuotesName: true, bracketsName: false };

const TOKEN =
  /(?<space>\s+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|(?<word>[\p{L}_\u0080-\u{10ffff}][\p{L}\p{N}\p{M}_$\u0080-\u{10ffff}]*)|(?<number>\d[\w.]*)|(?<tick>`(?:[^`]|``)*`)|(?<bracket>\[[^\]]*\])|(?<other>[\s\S])/uy;
const PLAIN_LITERAL = /(['"])(?:(?!\1)[\s\S]|\1\1)*\1/y;
const ESCAPED_LITERAL = /(['"])(?:(?!\1)[^\\]|\\[\s\S]|\1\1)*\1/y;

/** The tokens of a text, without blanks and comments. */
export function tokensOf(sql: string, rules: TokenRules): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < sql.length; ) {
    const char = sql[at];
    if (char === "'" || char === '"') {
      const token = literalAt(sql, at, rules);
      tokens.push(token);
      at = token.end;
      continue;
    }
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(sql);
    const { groups = {} } = found ?? {};
    const [text = ""] = found ?? [];
    const end = at + Math.max(text.length, 1);
    const { space, word, number, tick, bracket } = groups;
    const quoted = tick ?? (rules.bracketsName ? bracket : undefined);
    if (quoted !== undefined)
      tokens.push({ kind: "name", text, value: quoted.slice(1, -1).replaceAll("``", "`"), start: at, end });
    else if (bracket !== undefined && bracket.length > 1) {
      // An array subscript: only its first character is a token here.
      tokens.push({ kind: "symbol", text: "[", value: "[", start: at, end: at + 1 });
      at += 1;
      continue;
    } else if (space === undefined) {
      const kind = word !== undefined ? "word" : number !== undefined ? "number" : "symbol";
      tokens.push({ kind, text, value: text, start: at, end });
    }
    at = end;
  }
  return tokens;
}

function literalAt(sql: string, at: number, rules: TokenRules): Token {
  const { doubleQuotesName } = rules;
  // In `E'…'` of PostgreSQL, a backslash escapes.
  const backslashes =
    rules.backslashes ||
    (sql[at] === "'" && /(?<![\p{L}\p{N}_$])[eE]$/u.test(sql.slice(Math.max(0, at - 2), at)));
  const form = backslashes ? ESCAPED_LITERAL : PLAIN_LITERAL;
  form.lastIndex = at;
  const text = form.exec(sql)?.[0] ?? sql.slice(at);
  const quote = text[0] ?? "'";
  const inner = text.slice(1, -1).replaceAll(quote + quote, quote);
  const value = backslashes
    ? inner.replace(/\\([\s\S])/g, (_, char: string) => escapes[char] ?? char)
    : inner;
  const kind = quote === '"' && doubleQuotesName ? "name" : "text";
  return { kind, text, value, start: at, end: at + text.length };
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", 0: "\0", Z: "\x1a" };

/** Reads tokens one after another. */
export class SqlCursor {
  readonly #sql: string;
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(sql: string, rules: TokenRules) {
    this.#sql = sql;
    this.#tokens = tokensOf(sql, rules);
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#tokens.length;
  }

  peek(ahead = 0): Token | undefined {
    return this.#tokens[this.#at + ahead];
  }

  next(): Token | undefined {
    const token = this.#tokens[this.#at];
    this.#at += 1;
    return token;
  }

  /** Whether these words or symbols are next, in any case. */
  sees(...words: readonly string[]): boolean {
    return words.every((word, i) => {
      const token = this.peek(i);
      return token !== undefined && token.kind !== "name" && token.kind !== "text" && isWord(token, word);
    });
  }

  /** Passes these words, if they are next. */
  takes(...words: readonly string[]): boolean {
    if (!this.sees(...words)) return false;
    this.#at += words.length;
    return true;
  }

  /** The next token as a name. */
  name(): string {
    return this.next()?.value ?? "";
  }

  /** The text in the next parentheses; undefined if no parenthesis is next. */
  inParentheses(): string | undefined {
    if (!this.sees("(")) return undefined;
    const open = this.next();
    let depth = 1;
    for (let token = this.next(); token !== undefined; token = this.next()) {
      if (token.kind !== "symbol") continue;
      if (token.text === "(") depth++;
      if (token.text === ")") depth--;
      if (depth === 0) return this.#sql.slice(open?.end, token.start);
    }
    return this.#sql.slice(open?.end);
  }

  /** The text from a token to the one before the next. */
  since(token: Token | undefined): string {
    const last = this.#tokens[this.#at - 1];
    return token === undefined || last === undefined ? "" : this.#sql.slice(token.start, last.end);
  }

  /** The rest of the text. */
  rest(): string {
    const token = this.peek();
    return token === undefined ? "" : this.#sql.slice(token.start).trim();
  }

  /** Passes everything up to the end of this item of a list in parentheses. */
  skipItem(): void {
    while (!this.isAtEnd && !this.sees(",") && !this.sees(")"))
      if (this.inParentheses() === undefined) this.next();
  }
}

function isWord({ text }: Token, word: string): boolean {
  return text.toLowerCase() === word.toLowerCase();
}

/** The tokens without redundant parentheses around the whole. */
export function unwrapped(tokens: readonly Token[]): readonly Token[] {
  if (tokens[0]?.text !== "(" || tokens.at(-1)?.text !== ")") return tokens;
  let depth = 0;
  for (const [i, { kind, text }] of tokens.entries()) {
    if (kind !== "symbol") continue;
    if (text === "(") depth++;
    if (text === ")") depth--;
    if (depth === 0 && i < tokens.length - 1) return tokens;
  }
  return depth === 0 ? unwrapped(tokens.slice(1, -1)) : tokens;
}
