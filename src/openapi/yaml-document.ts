/**
 * From text to the nodes of one YAML document, by the parser of the `yaml` package. It is stopped at the first error
 * and at the first excess level: a hostile text costs no more than a good one.
 */
import { Composer, CST, type Document, Lexer, Parser } from "yaml";
import { fail, MAX_DEPTH, type Path } from "./source-text.js";

/**
 * The schema "failsafe" leaves scalars as written, for `plainScalar` to read; `stringKeys` does the same for keys. The
 * parser's own check for duplicate keys is quadratic, ours is not.
 */
const OPTIONS = {
  schema: "failsafe",
  stringKeys: true,
  uniqueKeys: false,
  prettyErrors: false,
  resolveKnownTags: false,
} as const;

/** The document of a text that contains one, without errors. */
export function yamlDocument(text: string): Document.Parsed {
  const tokens = new Tokens(text);
  let first: ComposerError | undefined;
  const composer = new Composer(OPTIONS);
  // By default it collects errors, and a text of only errors takes seconds. It catches errors thrown during parsing and
  // reports those too: only the first report counts. If the method is ever renamed, errors are collected again.
  Object.assign(composer, {
    onError(at: ErrorPlace, code: string, message: string, warning?: boolean) {
      if (warning === true) return;
      first ??= { offset: offsetOf(at), code, message };
      throw STOP;
    },
  });
  let document: Document.Parsed | undefined;
  try {
    for (const next of composer.compose(tokens.read(), true, text.length)) {
      if (document !== undefined) {
        fail("INVALID_SYNTAX", "expected one YAML document, found another after it", text, next.range[0], []);
      }
      const error = next.errors[0];
      if (error !== undefined)
        refuse({ ...error, offset: error.pos[0], message: error.message }, tokens, text);
      document = next;
    }
  } catch (error) {
    if (first !== undefined) refuse(first, tokens, text);
    // The parser's stack is exhausted; nothing else in it throws such errors.
    if (error instanceof RangeError) fail("TOO_COMPLEX", TOO_DEEP, text, tokens.offset, []);
    throw error;
  }
  if (document === undefined) fail("INVALID_SYNTAX", "expected a YAML document", text, 0, []);
  return document;
}

const STOP = new Error("the first error of a YAML text");
const TOO_DEEP = `expected at most ${MAX_DEPTH} levels of nesting, found more`;

type ErrorPlace = number | readonly [number, ...number[]] | { readonly offset: number };

interface ComposerError {
  readonly offset: number;
  readonly code: string;
  readonly message: string;
}

function offsetOf(at: ErrorPlace): number {
  if (typeof at === "number") return at;
  return "offset" in at ? at.offset : at[0];
}

function refuse(error: ComposerError, tokens: Tokens, text: string): never {
  const path = pathAt(tokens.document, error.offset);
  if (error.code === "RESOURCE_EXHAUSTION") fail("TOO_COMPLEX", TOO_DEEP, text, error.offset, path);
  // The message names YAML tokens, cut short. It may quote a character of the text.
  const problem = error.message.replace(/\p{Cc}+/gu, " ");
  fail("INVALID_SYNTAX", `expected YAML: ${problem}`, text, error.offset, path);
}

/** The tokens of a text, up to the first wrong one: a hostile text may have a million of those, and each takes time. */
class Tokens {
  readonly #text: string;
  readonly #parser: Parser = new Parser();
  #flow = 0;
  #indicators = 0;
  /** The offset up to which the text was read. */
  offset = 0;
  /** The token of the document, after it was read. */
  document: CST.Document | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  *read(): Generator<CST.Token, void> {
    let isText = false;
    for (const lexeme of new Lexer().lex(this.#text)) {
      if (isText || lexeme.length > 1) isText = false;
      else if (lexeme === CST.SCALAR) isText = true;
      else this.#count(lexeme);
      for (const token of this.#parser.next(lexeme)) {
        yield token;
        if (token.type === "error") return;
        if (token.type === "document") this.document = token;
      }
      if (!MARKS.has(lexeme)) this.offset += lexeme.length;
    }
    for (const token of this.#parser.end()) {
      if (token.type === "document") this.document = token;
      yield token;
      if (token.type === "error") return;
    }
  }

  /**
   * Counts the tokens that open levels: brackets and, outside of them, the indicators of one line. (Levels by
   * indentation require a text that grows with their square.) Each level costs the parser, long before the nodes are
   * visited.
   */
  #count(lexeme: string): void {
    if (lexeme === "[" || lexeme === "{") this.#flow++;
    else if (lexeme === "]" || lexeme === "}") this.#flow = Math.max(0, this.#flow - 1);
    else if (lexeme === "\n") this.#indicators = 0;
    else if (this.#flow === 0 && (lexeme === "-" || lexeme === "?" || lexeme === ":")) this.#indicators++;
    else return;
    if (this.#flow <= MAX_DEPTH && this.#indicators <= 2 * MAX_DEPTH) return;
    for (const token of this.#parser.end()) if (token.type === "document") this.document = token;
    fail("TOO_COMPLEX", TOO_DEEP, this.#text, this.offset, pathAt(this.document, this.offset));
  }
}

/** The lexer's tokens between the pieces of the text. */
const MARKS: ReadonlySet<string> = new Set([CST.DOCUMENT, CST.FLOW_END, CST.SCALAR]);

/** The path to the innermost value around an offset. */
function pathAt(document: CST.Document | undefined, offset: number): Path {
  const path: (string | number)[] = [];
  for (let token = document?.value; token !== undefined; ) {
    if (token.type !== "block-map" && token.type !== "block-seq" && token.type !== "flow-collection") break;
    const isList =
      token.type === "block-seq" || (token.type === "flow-collection" && token.start.source === "[");
    const items: readonly CST.CollectionItem[] = token.items;
    const index = items.findLastIndex(({ key, value }) => (key ?? value ?? NOWHERE).offset <= offset);
    const item = items[index];
    if (item === undefined) break;
    if (isList) path.push(index);
    if (!isList || item.sep !== undefined) path.push(keyOf(item.key));
    token = item.value;
  }
  return path;
}

const NOWHERE = { offset: Number.POSITIVE_INFINITY };

function keyOf(key: CST.Token | null | undefined): string {
  // A fault of the key is reported elsewhere.
  return CST.resolveAsScalar(key ?? null, true, () => {})?.value ?? "";
}
