// Says over HTTP whether a text is PL/SQL by ANTLR's grammar of it. A process of its own, shared by all test files: the
// parser needs seconds until it has seen enough, and a tenth of a second for many a statement after that. Asked over
// its channel, it tells which texts it has accepted.
import { createServer } from "node:http";

let parser;
async function load() {
  const { antlr } = await import("./antlr.mjs");
  const { PlSqlLexer, PlSqlParser } = await import("@griffithswaite/ts-plsql-parser");
  return (sql) => {
    const errors = [];
    const listener = {
      syntaxError: (_recognizer, _symbol, line, column, message) =>
        errors.push(`${line}:${column} ${message.slice(0, 200)}`),
      reportAmbiguity: () => {},
      reportAttemptingFullContext: () => {},
      reportContextSensitivity: () => {},
    };
    const parse = (mode) => {
      errors.length = 0;
      const lexer = new PlSqlLexer(new antlr.CharStream(sql));
      const tree = new PlSqlParser(new antlr.CommonTokenStream(lexer));
      for (const one of [lexer, tree]) {
        one.removeErrorListeners();
        one.addErrorListener(listener);
      }
      tree._interp.predictionMode = mode;
      tree.sql_script();
      return [...errors];
    };
    // The quick way of predicting first; where it fails the full one decides.
    const [SLL, LL] = [0, 1];
    const quick = parse(SLL);
    return quick.length === 0 ? quick : parse(LL);
  };
}

const accepted = new Set();

const server = createServer(async (request, response) => {
  try {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const sql = Buffer.concat(chunks).toString();
    parser ??= load();
    const errors = accepted.has(sql) ? [] : (await parser)(sql);
    if (errors.length === 0) accepted.add(sql);
    response.end(JSON.stringify(errors));
  } catch (error) {
    response.writeHead(500).end(String(error?.stack ?? error));
  }
});
// While a text is parsed nothing else happens here: limits of time would close connections that wait.
server.keepAliveTimeout = 0;
server.requestTimeout = 0;
server.headersTimeout = 0;
server.listen(0, "127.0.0.1", () => process.send(server.address().port));
process.on("message", () => process.send([...accepted]));
process.on("disconnect", () => process.exit());
