/**
 * The only module that uses Express: an engine's requests as a router for any Express application, and as a separate
 * application.
 */
import { IncomingMessage, type RequestListener, type ServerOptions, ServerResponse } from "node:http";
import express, { type Express, type Request, type Response, type Router } from "express";
import { type ErrorForm, PLAIN } from "../contract/error-form.js";
import type { Dispatch } from "../pipeline/run.js";

/** A router that passes on requests that the engine does not own. */
export function makeRouter(dispatch: Dispatch): Router {
  const router = express.Router();
  router.use((request, response, next) => dispatch(request, response, next));
  return router;
}

/** An application, and the classes of its server's requests and responses. */
export interface ServedApp {
  readonly listener: RequestListener;
  readonly classes: Pick<ServerOptions, "IncomingMessage" | "ServerResponse">;
  /** How the server writes errors of its own. */
  readonly errorForm: ErrorForm;
}

const servedApps = new WeakMap<Express, ServedApp>();

/**
 * An application in the form that a server should serve: its requests and responses are created with its prototypes.
 * Express sets the prototypes of every request and response, which makes both slow; here they are already set. A
 * request of an application with an engine's router costs a third of its cost by `app.listen` (`bench/http.ts`).
 */
export function servedApp(app: Express): ServedApp {
  const known = servedApps.get(app);
  if (known !== undefined) return known;
  class Served extends IncomingMessage {}
  class Answer extends ServerResponse {}
  Object.setPrototypeOf(Served.prototype, app.request);
  Object.setPrototypeOf(Answer.prototype, app.response);
  Object.assign(app, { request: Served.prototype, response: Answer.prototype });
  // Node types the two classes with generics that a subclass cannot repeat.
  const classes = { IncomingMessage: Served, ServerResponse: Answer as typeof ServerResponse };
  const served: ServedApp = { listener: app, classes, errorForm: PLAIN };
  servedApps.set(app, served);
  return served;
}

/**
 * The application of a single engine. It has one route, the engine: this code sets the properties that Express' entry
 * sets, and calls the engine.
 */
export function makeServedApp(dispatch: Dispatch, errorForm: ErrorForm): ServedApp {
  const app = express();
  app.disable("x-powered-by");
  app.use((request, response) => dispatch(request, response));
  const { classes } = servedApp(app);
  const listener = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    // The prototypes were set above.
    const request = incoming as Request;
    const response = outgoing as Response;
    request.res = response;
    request.originalUrl = request.url;
    request.baseUrl = "";
    request.params = Object.create(null);
    response.locals = Object.create(null);
    dispatch(request, response);
  };
  return { listener, classes, errorForm };
}
