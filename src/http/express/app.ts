/**
 * The only door to Express: an engine's requests as a router for any Express application, and as an application
 * of their own.
 */
import express, { type Express, type Router } from "express";
import type { Dispatch } from "../pipeline/dispatch.js";

/** A router that hands on what the engine does not own. */
export function makeRouter(dispatch: Dispatch): Router {
  const router = express.Router();
  router.use((request, response, next) => dispatch(request, response, next));
  return router;
}

/** An application that answers everything. */
export function makeApp(dispatch: Dispatch): Express {
  const app = express();
  app.disable("x-powered-by");
  app.use((request, response) => dispatch(request, response));
  return app;
}
