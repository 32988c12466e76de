/**
 * What Oracle refuses and other judges let pass: an alias of a table behind AS, words that it does not have, a
 * SELECT without FROM, too long names and lists.
 */

interface Token {
  readonly text: string;
  readonly kind: "word" | "name" | "string" | "other";
}

const TOKEN =
  /(?<string>'(?:[^']|'')*')|(?<name>"[^"]*")|(?<word>[\p{L}_][\p{L}\p{N}_$#]*)|(?<other>:\w+|\|\||<>|<=|>=|::|\d+(?:\.\d+)?|\S)/gu;

const FOREIGN_WORDS = new Set(
  "LIMIT FILTER TRUE FALSE ILIKE EXCLUDED CONFLICT GLOB REGEXP AUTOINCREMENT LATERAL IF".split(" "),
);
const FOREIGN_SIGNS = new Set(["`", "?", "$", "::", ";", "!", "~", "@", "&", "[", "]", "{", "}", "#"]);
const CLAUSES = new Set(
  "FROM WHERE GROUP HAVING ORDER FETCH OFFSET FOR UNION INTERSECT MINUS EXCEPT".split(" "),
);
const OPERATIONS = new Set("UNION INTERSECT MINUS EXCEPT".split(" "));
const MOST_ITEMS = 1_000;

/** What is wrong with a statement, a sentence each. Blocks of PL/SQL are none of its business. */
export function lintOracle(sql: string): string[] {
  if (/^\s*(BEGIN|DECLARE)\b/i.test(sql)) return [];
  const tokens = read(sql);
  return [...wordsOf(tokens), ...namesOf(tokens), ...clausesOf(tokens), ...listsOf(tokens)];
}

function read(sql: string): Token[] {
  return [...sql.matchAll(TOKEN)].map(({ 0: text, groups = {} }): Token => {
    const kind = groups["string"] ? "string" : groups["name"] ? "name" : groups["word"] ? "word" : "other";
    return { text: kind === "word" ? text.toUpperCase() : text, kind };
  });
}

function wordsOf(tokens: readonly Token[]): string[] {
  return tokens.flatMap(({ text, kind }, i) => {
    if (kind === "word" && FOREIGN_WORDS.has(text)) return [`${text} is not Oracle's`];
    // In DDL of ours `#` and the like stand in quotes only.
    if (kind === "other" && FOREIGN_SIGNS.has(text)) return [`${text} is not Oracle's`];
    const next = tokens[i + 1];
    if (text === "DISTINCT" && next?.text === "ON") return ["DISTINCT ON is not Oracle's"];
    if (text === "DEFAULT" && next?.text === "VALUES") return ["DEFAULT VALUES is not Oracle's"];
    return [];
  });
}

function namesOf(tokens: readonly Token[]): string[] {
  return tokens.flatMap(({ text, kind }) => {
    if (kind !== "name") return [];
    if (text === '""') return ["a name without a character"];
    return Buffer.byteLength(text) - 2 > 128 ? ["a name of more than 128 bytes"] : [];
  });
}

interface Level {
  /** The clause that is being read; undefined outside a query. */
  clause: string | undefined;
  isQuery: boolean;
  hasFrom: boolean;
}

function clausesOf(tokens: readonly Token[]): string[] {
  const faults: string[] = [];
  const levels: Level[] = [{ clause: undefined, isQuery: false, hasFrom: false }];
  const end = ({ isQuery, hasFrom }: Level) => {
    if (isQuery && !hasFrom) faults.push("a SELECT without FROM");
  };
  for (const { text, kind } of tokens) {
    const level = levels.at(-1);
    if (level === undefined) return [...faults, "a parenthesis too many"];
    if (text === "(" && kind === "other") levels.push({ clause: undefined, isQuery: false, hasFrom: false });
    else if (text === ")" && kind === "other") end(levels.pop() ?? level);
    if (kind !== "word") continue;
    if (text === "SELECT") Object.assign(level, { clause: text, isQuery: true, hasFrom: false });
    else if (text === "AS" && level.clause === "FROM") faults.push("AS before the alias of a table");
    else if (level.isQuery && CLAUSES.has(text)) {
      if (OPERATIONS.has(text)) end(level);
      level.clause = text;
      if (text === "FROM") level.hasFrom = true;
      if (OPERATIONS.has(text)) level.isQuery = false;
    }
  }
  if (levels.length !== 1) faults.push("a parenthesis is not closed");
  for (const level of levels) end(level);
  return faults;
}

function listsOf(tokens: readonly Token[]): string[] {
  const faults: string[] = [];
  for (const [i, { text, kind }] of tokens.entries()) {
    if (kind !== "word" || text !== "IN" || tokens[i + 1]?.text !== "(") continue;
    let depth = 0;
    let items = 1;
    for (const token of tokens.slice(i + 1)) {
      if (token.kind === "other" && token.text === "(") depth++;
      if (token.kind === "other" && token.text === ")" && --depth === 0) break;
      if (depth === 1 && token.kind === "other" && token.text === ",") items++;
    }
    if (items > MOST_ITEMS) faults.push(`a list of ${items} items`);
    if (tokens[i + 2]?.text === ")") faults.push("a list without items");
  }
  return faults;
}
