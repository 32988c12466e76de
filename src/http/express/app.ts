/**
 * The only door to Express: an engine's requests as a router for any Express application, and as an application
 * of their own.
 */
import { IncomingMessage, type RequestListener, type ServerOptions, ServerResponse } from "node:http";
import express, { type Request, type Response, type Router } from "express";
import type { Dispatch } from "../pipeline/run.js";

/** A router that hands on what the engine does not own. */
export function makeRouter(dispatch: Dispatch): Router {
  const router = express.Router();
  router.use((request, response, next) => dispatch(request, response, next));
  return router;
}

/** An application and the classes that its server makes requests and responses of. */
export interface ServedApp {
  readonly listener: RequestListener;
  readonly classes: Pick<ServerOptions, "IncomingMessage" | "ServerResponse">;
}

/**
 * An application whose requests and responses are created with Express' prototypes. Express would set the prototypes of
 * every request and response, which costs more than all of its other work, and it has one route here, the engine. So
 * this sets what Express' entry sets, and calls the engine.
 */
export function makeServedApp(dispatch: Dispatch): ServedApp {
  const app = express();
  app.disable("x-powered-by");
  app.use((request, response) => dispatch(request, response));
  class Served extends IncomingMessage {}
  class Answer extends ServerResponse {}
  Object.setPrototypeOf(Served.prototype, app.request);
  Object.setPrototypeOf(Answer.prototype, app.response);
  // If such a request is given to the application again, its prototypes are already set.
  Object.assign(app, { request: Served.prototype, response: Answer.prototype });

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
  // Node types the two classes by generics that a subclass cannot repeat.
  return { listener, classes: { IncomingMessage: Served, ServerResponse: Answer as typeof ServerResponse } };
}
