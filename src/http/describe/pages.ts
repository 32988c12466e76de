/**
 * The pages that an engine serves about itself: the document, as JSON and YAML, and the docs page. They are ordinary
 * handlers, but are not in the document.
 */
import { readFile } from "node:fs/promises";
import type { Request, Response } from "express";
import type { OpenAPI } from "../../openapi/index.js";
import { toJSON } from "../../openapi/write-json.js";
import { GET, type Handler } from "../contract/handler.js";
import { type SwaggerFile, swaggerFile } from "./swagger-files.js";

/** The handlers of the document and the page. */
export function pageHandlers(
  docs: false | { readonly authentication: true } | undefined,
  document: () => OpenAPI,
): readonly Handler[] {
  const options = typeof docs === "object" && docs.authentication ? ({ authentication: true } as const) : {};
  let json: string | undefined;
  let yaml: string | undefined;
  const sendJson = (response: Response) => {
    json ??= toJSON(document());
    send(response, "application/json; charset=utf-8", json);
  };
  const sendYaml = async (response: Response) => {
    // The YAML library is loaded only when a client requests YAML.
    const { toYAML } = await import("../../openapi/index.js");
    yaml ??= toYAML(document());
    send(response, "application/yaml; charset=utf-8", yaml);
  };

  const described = [
    GET("/openapi", options, ({ request, response }) => {
      response.vary("Accept");
      return prefersYaml(request) ? sendYaml(response) : sendJson(response);
    }),
    GET("/openapi.yaml", options, ({ response }) => sendYaml(response)),
  ];
  if (docs === false) return described;
  return [
    ...described,
    GET("/docs", options, ({ response }) => {
      response.setHeader("Content-Security-Policy", POLICY);
      response.setHeader("Referrer-Policy", "no-referrer");
      send(response, "text/html; charset=utf-8", PAGE);
    }),
    GET("/docs/init.js", options, ({ response }) => send(response, SCRIPT_TYPE, INIT)),
    GET("/docs/swagger-ui-bundle.js", options, ({ response }) =>
      sendFile(response, SCRIPT_TYPE, "swagger-ui-bundle.js"),
    ),
    GET("/docs/swagger-ui.css", options, ({ response }) =>
      sendFile(response, "text/css; charset=utf-8", "swagger-ui.css"),
    ),
  ];
}

const SCRIPT_TYPE = "text/javascript; charset=utf-8";

/** Nothing is loaded from elsewhere, and the page itself has no script. Swagger UI sets styles when it renders. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

/** The same for every engine: titles and descriptions reach it only as data. URLs are relative to its parent. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API documentation</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/init.js"></script>
</body>
</html>
`;

/**
 * OpenAPI 3.1 and Swagger UI know no QUERY: what the document has under `x-query` is shown as an operation of a path with
 * a mark, and sent as what it is.
 */
const INIT = `const MARK = "~QUERY~";
function withQueries(text) {
  const spec = JSON.parse(text);
  for (const [path, item] of Object.entries(spec.paths ?? {})) {
    const { "x-query": post, parameters = [] } = item;
    if (!post) continue;
    spec.paths[path + MARK] = { parameters, post };
    delete item["x-query"];
  }
  return JSON.stringify(spec);
}
const showQueries = (system) => ({
  statePlugins: {
    spec: { wrapActions: { updateSpec: (original) => (text) => original(withQueries(text)) } },
  },
  wrapComponents: {
    OperationSummary: (Original) => (props) => {
      const path = props.operationProps.get("path");
      const operationProps = path.endsWith(MARK)
        ? props.operationProps.set("path", path.slice(0, -MARK.length)).set("method", "query")
        : props.operationProps;
      return system.React.createElement(Original, { ...props, operationProps });
    },
  },
});
window.ui = SwaggerUIBundle({
  url: new URL("openapi", document.baseURI).href,
  dom_id: "#swagger-ui",
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [showQueries],
  layout: "BaseLayout",
  deepLinking: true,
  queryConfigEnabled: false,
  validatorUrl: null,
  requestInterceptor: (request) => {
    if (request.url.includes(MARK)) {
      request.url = request.url.replace(MARK, "");
      request.method = "QUERY";
    }
    return request;
  },
});
`;

function send(response: Response, type: string, text: string | Buffer): void {
  response.setHeader("Content-Type", type);
  response.setHeader("Content-Length", Buffer.byteLength(text));
  response.end(text);
}

async function sendFile(response: Response, type: string, name: SwaggerFile): Promise<void> {
  response.setHeader("Cache-Control", "private, max-age=3600");
  send(response, type, await readFile(swaggerFile(name)));
}

/** JSON comes first: it is sent for a wildcard, and to clients that accept neither. */
const JSON_TYPES = ["application/json", "application/vnd.oai.openapi+json"];
const YAML_TYPES = [
  "application/yaml",
  "application/yaml;charset=utf-8",
  "application/x-yaml",
  "application/vnd.yaml",
  "application/openapi+yaml",
  "application/vnd.oai.openapi",
  "application/vnd.oai.openapi;version=3.1",
  "text/yaml",
  "text/x-yaml",
  "text/vnd.yaml",
];

function prefersYaml(request: Request): boolean {
  const chosen = request.accepts([...JSON_TYPES, ...YAML_TYPES]);
  return chosen !== false && YAML_TYPES.includes(chosen);
}
