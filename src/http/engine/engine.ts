/**
 * The engine: handlers, the extractor, the texts of the document; then a router for an Express application or its own
 * server. It is set up first and used afterwards. Its first use refuses an incomplete set-up.
 */

import type { RequestHandler, Router } from "express";
import { DeclarationError, hasMethods, isReadable, quoted, safely } from "../../core/errors.js";
import type { Info, OpenAPI } from "../../openapi/index.js";
import { isSchema } from "../contract/any-schema.js";
import { filled, object } from "../contract/configured.js";
import { isMiddleware } from "../contract/declaration.js";
import { events } from "../contract/events.js";
import type { Handler } from "../contract/handler.js";
import {
  challengeOf,
  checkedExtractors,
  type Extractor,
  type Identity,
  schemesOf,
  unguarded,
} from "../contract/identity.js";
import type { Model } from "../contract/model.js";
import { namesOf, parseTemplate, type Segment, segmentsOf } from "../contract/path.js";
import { Documents, type GivenParts } from "../describe/documents.js";
import { mergeObjects } from "../describe/merge.js";
import { pageHandlers } from "../describe/pages.js";
import { makeRouter, makeServedApp, type ServedApp } from "../express/app.js";
import { type Address, type EngineServer, listenOn, makeServer } from "../express/server.js";
import { compileEndpoint } from "../pipeline/endpoint.js";
import type { ErrorMapper, Exchange, Runtime } from "../pipeline/exchange.js";
import type { ByMethod } from "../pipeline/locate.js";
import { Routes } from "../pipeline/routes.js";
import { type Dispatch, dispatcher } from "../pipeline/run.js";
import { checkAddress, type EngineOptions, type EngineSettings, engineSettings } from "./engine-options.js";
import { type ReadinessCheck, readinessHandler } from "./readiness.js";
import { Deadline, readShutdown, type ShutdownOptions, type ShutdownResult, shutDown } from "./shutdown.js";

/** Every interface. */
export const HostAll = "";
/** The name `localhost`. */
export const HostLocal = "localhost";
/** IPv4 loopback. */
export const HostLoopback = "127.0.0.1";

/** An engine, the type of its callers, and the handlers that it has. */
export interface Engine<Id extends Identity = Identity, H = Handler<string, string, unknown, Id>> {
  /** Asked in this order: `null` passes on to the next, an identity or an error ends it. A later call replaces them. */
  withAuthenticator(...extractors: readonly [Extractor<Id>, ...Extractor<Id>[]]): Engine<Id, H>;
  /** For all paths, including unknown ones. */
  withMiddleware(...middleware: readonly RequestHandler[]): Engine<Id, H>;
  withHandlers<const Hs extends readonly Handler<string, string, unknown, Id>[]>(
    ...handlers: Hs
  ): Engine<Id, H | Hs[number]>;
  withModels(...models: readonly Model[]): Engine<Id, H>;
  /** Merged under the generated parts, and over earlier ones. */
  withSpec(partial: Partial<OpenAPI>): Engine<Id, H>;
  withOpenAPIInfo(info: Info): Engine<Id, H>;
  withTag(name: string, description?: string): Engine<Id, H>;
  withTagGroup(name: string, ...tags: readonly string[]): Engine<Id, H>;
  /**
   * Maps errors that handlers and their middleware throw, for example those of a database, to errors that they declare.
   * If it returns `undefined`, or an error that the handler does not declare, the next mapper is called; after the last
   * one it is a bare 500. Of a list the first error that the handler declares counts. An answer without details and with the default message is the handler's own declared error.
   */
  withErrorMapper(map: ErrorMapper): Engine<Id, H>;
  /** Prefixes handlers, document and docs page. */
  withBaseUrl(path: string): Engine<Id, H>;
  /**
   * Answers the probes of a load balancer at a path: 200, or 503 after `shutdown` begins, or if the check returns
   * `false` or throws: `({ signal }) => db.ping({ signal })`.
   */
  withReadiness(path: string, check?: ReadinessCheck): Engine<Id, H>;
  /** A router for any Express application. It passes on paths that the engine does not own. */
  router(): Router;
  start(host: string, port: number): Promise<Address>;
  /**
   * Ends the engine, once: a later call can only bring the deadline forward.
   * @example
   * process.on("SIGTERM", () => void api.shutdown({ drainMs: 5_000 }));
   */
  shutdown(options?: ShutdownOptions): Promise<ShutdownResult>;
  /** Whether the engine serves requests and is not about to end. */
  readonly ready: boolean;
  /** The document. With an identity: only the handlers that it may call. */
  openapi(identity?: Identity): OpenAPI;
  /** Types only; absent at run time. */
  readonly "~handlers"?: H;
}

/**
 * Makes an engine.
 * @example
 * import { createEngine, GET, HostLoopback } from "rowtype/http";
 * const hello = GET("/hello/{name}", ({ params }) => ({ hello: params.path.name }));
 * const { url } = await createEngine().withHandlers(hello).start(HostLoopback, 0);
 */
export function createEngine<Id extends Identity = Identity>(options: EngineOptions = {}): Engine<Id, never> {
  const engine = new RealEngine(options);
  events.emit("http.engine.created", {});
  // The class works with handlers and identities of any type. The interface narrows them.
  return engine as Engine as Engine<Id, never>;
}

/** The application that in-process tests call without a socket. */
export function applicationOf(engine: object): ServedApp {
  if (!safely(() => engine instanceof RealEngine))
    throw new DeclarationError("this is not an engine of createEngine()");
  // The check above has shown that it is one.
  return (engine as RealEngine).servedApp();
}

class RealEngine implements Engine<Identity, Handler> {
  readonly #settings: EngineSettings;
  readonly #handlers: Handler[] = [];
  readonly #pages: Handler[];
  /** The names of the handlers at each path, by method. */
  readonly #claims = new Routes<Map<string, string>>();
  readonly #middleware: RequestHandler[] = [];
  readonly #models: Model[] = [];
  readonly #errorMappers: ErrorMapper[] = [];
  readonly #tags = new Map<string, string | undefined>();
  readonly #tagGroups = new Map<string, readonly string[]>();
  readonly #active = new Set<Exchange>();
  readonly #closing = new AbortController();
  #extractors: readonly Extractor[] = [];
  #spec: Partial<OpenAPI> = {};
  #info: Info | undefined;
  #baseUrl = "";
  #baseSegments: readonly Segment[] = [];
  #dispatch: Dispatch | undefined;
  #server: EngineServer | undefined;
  #listening: Promise<Address> | undefined;
  readonly #documents = new Documents(() => this.#parts());
  readonly #deadline = new Deadline();
  #shutdown: Promise<ShutdownResult> | undefined;

  constructor(options: EngineOptions) {
    this.#settings = engineSettings(options);
    this.#pages = [...pageHandlers(this.#settings.docs, () => this.#documents.served())];
    for (const page of this.#pages) this.#claim(page);
  }

  withAuthenticator(...extractors: readonly Extractor[]): this {
    return this.#change(() => {
      this.#extractors = checkedExtractors(extractors);
    });
  }

  withMiddleware(...middleware: readonly RequestHandler[]): this {
    return this.#change(() => {
      for (const one of middleware) {
        if (!isMiddleware(one)) {
          throw new DeclarationError("middleware are functions of request, response and next");
        }
      }
      this.#middleware.push(...middleware);
    });
  }

  withHandlers(...handlers: readonly Handler[]): this {
    return this.#change(() => {
      for (const handler of handlers) {
        if (!isReadable(handler) || !hasMethods(handler, ["run"])) {
          throw new DeclarationError("handlers are what GET, POST, handler and stream give");
        }
        this.#claim(handler);
        this.#handlers.push(handler);
        const { method, path, name } = handler;
        events.emit("http.handler.registered", { method, path, handlerName: name });
      }
    });
  }

  withModels(...models: readonly Model[]): this {
    return this.#change(() => {
      for (const one of models) {
        if (!isReadable(one) || !isSchema(one.schema))
          throw new DeclarationError("models are what model() gives");
      }
      this.#models.push(...models);
    });
  }

  withSpec(partial: Partial<OpenAPI>): this {
    return this.#change(() => {
      if (!isReadable(partial)) {
        throw new DeclarationError("withSpec takes a part of a document");
      }
      this.#spec = mergeObjects(this.#spec, partial);
    });
  }

  withOpenAPIInfo(info: Info): this {
    return this.#change(() => {
      this.#info = object(info, "the fields of withOpenAPIInfo");
    });
  }

  withTag(name: string, description?: string): this {
    return this.#change(() => {
      filled(name, "the name of a tag");
      this.#tags.set(name, description);
    });
  }

  withTagGroup(name: string, ...tags: readonly string[]): this {
    return this.#change(() => {
      filled(name, "the name of a tag group");
      for (const tag of tags) filled(tag, "a tag of a group");
      this.#tagGroups.set(name, [...(this.#tagGroups.get(name) ?? []), ...tags]);
    });
  }

  withErrorMapper(map: ErrorMapper): this {
    return this.#change(() => {
      if (typeof map !== "function") throw new DeclarationError("an error mapper is a function");
      this.#errorMappers.push(map);
    });
  }

  withBaseUrl(path: string): this {
    return this.#change(() => {
      const trimmed = typeof path === "string" && path.endsWith("/") ? path.slice(0, -1) : path;
      if (trimmed === "/") throw new DeclarationError(`base URL ${quoted(path)} has an empty segment`);
      const segments = trimmed === "" ? [] : parseTemplate(trimmed);
      if (namesOf(segments).length > 0) throw new DeclarationError("a base URL has no parameters");
      this.#baseUrl = trimmed;
      this.#baseSegments = segments;
    });
  }

  withReadiness(path: string, check?: ReadinessCheck): this {
    return this.#change(() => {
      if (check !== undefined && typeof check !== "function") {
        throw new DeclarationError("the check of readiness is a function");
      }
      const probe = readinessHandler(path, () => this.ready, check, this.#settings.reportSeldom);
      this.#claim(probe);
      this.#pages.push(probe);
    });
  }

  get ready(): boolean {
    const isOpen = this.#server === undefined || this.#server.server.listening;
    return this.#dispatch !== undefined && this.#shutdown === undefined && isOpen;
  }

  router(): Router {
    return makeRouter(this.compile());
  }

  async start(host: string, port: number): Promise<Address> {
    if (this.#server !== undefined) throw new DeclarationError("the engine has been started");
    if (this.#shutdown !== undefined) throw new DeclarationError("the engine has been shut down");
    checkAddress(host, port);
    const server = makeServer(this.servedApp(), this.#settings.timeouts);
    this.#server = server;
    events.emit("http.engine.starting", { host, port });
    this.#listening = listenOn(server.server, host, port);
    try {
      return await this.#listening;
    } catch (error) {
      this.#server = undefined;
      throw error;
    }
  }

  async shutdown(given: ShutdownOptions = {}): Promise<ShutdownResult> {
    const options = readShutdown(given);
    this.#deadline.add(options);
    this.#shutdown ??= this.#end(options.drainMs ?? 0).finally(() => this.#deadline.clear());
    return this.#shutdown;
  }

  openapi(identity?: Identity): OpenAPI {
    return this.#documents.of(identity);
  }

  /** The application of this engine alone. */
  servedApp(): ServedApp {
    return makeServedApp(this.compile(), this.#settings.errorForm);
  }

  /** Compiles the set-up and refuses a set-up that cannot work. It cannot be changed afterwards. */
  compile(): Dispatch {
    if (this.#dispatch !== undefined) return this.#dispatch;
    const { maxBodySize, timeouts, strictQuery, uploadFolder, errorForm, report, reportSeldom } =
      this.#settings;
    const routes = new Routes<ByMethod>();
    for (const handler of [...this.#pages, ...this.#handlers]) {
      const fault = unguarded(this.#extractors, handler.options.authentication);
      if (fault !== undefined) throw new DeclarationError(`${handler.method} ${handler.path} ${fault}`);
      const segments = [...this.#baseSegments, ...segmentsOf(handler)];
      const methods: ByMethod = routes.at(segments, () => new Map());
      const isStrict = strictQuery && !this.#pages.includes(handler);
      methods.set(handler.method, compileEndpoint(handler, this.#baseUrl, isStrict));
    }
    const runtime: Runtime = {
      maxBodySize,
      uploadFolder,
      errorForm,
      identityMs: timeouts.identityMs,
      extractors: this.#extractors,
      challenge: challengeOf(this.#extractors),
      errorMappers: [...this.#errorMappers],
      report,
      reportSeldom,
      closing: this.#closing.signal,
      active: this.#active,
    };
    this.#dispatch = dispatcher(routes, [...this.#middleware], runtime);
    return this.#dispatch;
  }

  async #end(drainMs: number): Promise<ShutdownResult> {
    events.emit("http.engine.shutdown.started", {});
    // A server that is closed before it listens would listen forever.
    await this.#listening?.catch(() => {});
    if (drainMs > 0) await this.#deadline.wait(drainMs);
    this.#closing.abort(new Error("the engine is shutting down"));
    for (const exchange of this.#active) exchange.interrupt();
    const result = await shutDown(this.#server, this.#active, this.#deadline.signal);
    events.emit("http.engine.shutdown.complete", result);
    return result;
  }

  #parts(): GivenParts {
    return {
      handlers: this.#handlers.filter(({ options }) => !options.hidden),
      version: this.#settings.openapi,
      strictQuery: this.#settings.strictQuery,
      errorForm: this.#settings.errorForm,
      models: this.#models,
      spec: this.#spec,
      info: this.#info,
      tags: this.#tags,
      tagGroups: this.#tagGroups,
      security: schemesOf(this.#extractors),
    };
  }

  /** One handler owns a method at a path. The base URL, whenever it is set, precedes all paths. */
  #claim(handler: Handler): void {
    const { method, path, name } = handler;
    const methods = this.#claims.at(segmentsOf(handler), () => new Map());
    const other = methods.get(method);
    if (other !== undefined) {
      throw new DeclarationError(`${method} ${path} is taken: ${quoted(other)} has the same method and path`);
    }
    methods.set(method, name);
  }

  #change(apply: () => void): this {
    if (this.#dispatch !== undefined)
      throw new DeclarationError("the engine is in use: it is set up before start and router");
    this.#documents.forget();
    apply();
    return this;
  }
}
