/**
 * The argument of a handler's function. The signal and the response are made when they are read: most handlers read
 * neither.
 */
import type { Request, Response } from "express";
import { NotFound } from "../contract/errors.js";
import type { Identity } from "../contract/identity.js";
import type { Exchange } from "./exchange.js";
import type { RequestParams } from "./parameters.js";
import { refusalOf } from "./refusal.js";

/** Answers for a handler whose own answer could not begin. */
type Fail = (exchange: Exchange, thrown: unknown) => void;

/** What the groups of a handler give, by name. */
export type Context = Readonly<Record<string, unknown>>;

/** The argument of a handler's function, for any types. */
export class RuntimeCall {
  readonly params: RequestParams;
  readonly body: unknown;
  readonly identity: Identity | null;
  /** What the groups of the handler give; absent outside of groups. */
  declare readonly context?: Context;
  readonly #exchange: Exchange;
  readonly #fail: Fail;

  constructor(exchange: Exchange, params: RequestParams, body: unknown, fail: Fail, context?: Context) {
    this.params = params;
    this.body = body;
    this.identity = exchange.identity;
    if (context !== undefined) this.context = context;
    if (exchange.precondition !== undefined) this.ifMatch = exchange.precondition.ask;
    this.#exchange = exchange;
    this.#fail = fail;
  }

  /** Without the option `ifMatch`; with it the call has its own. */
  ifMatch(_tag: string | null): void {
    throw new TypeError("the handler does not declare the option ifMatch");
  }

  get request(): Request {
    // The response is a property of the request.
    this.#exchange.expose();
    return this.#exchange.request;
  }

  get response(): Response {
    this.#exchange.expose();
    return watched(this.#exchange, this.#fail);
  }

  get signal(): AbortSignal {
    return this.#exchange.signal;
  }
}

/** The members of a call, in the order of a copy. */
const MEMBERS = ["params", "body", "identity", "request", "response", "signal"];

/**
 * The call for a handler. All its members look like own properties: a copy, `{ ...call }`, is a call. Three accessors
 * defined on each call would do the same, for 5 times the cost of this proxy with two reads.
 */
export function callOf(
  exchange: Exchange,
  params: RequestParams,
  body: unknown,
  fail: Fail,
  context?: Context,
): RuntimeCall {
  return new Proxy(new RuntimeCall(exchange, params, body, fail, context), AS_OWN);
}

const AS_OWN: ProxyHandler<RuntimeCall> = {
  // The getters run on the call itself, which has the private fields.
  get: (call, name) => Reflect.get(call, name),
  ownKeys: (call) => [...new Set([...MEMBERS, ...Reflect.ownKeys(call)])],
  getOwnPropertyDescriptor(call, name) {
    const own = Reflect.getOwnPropertyDescriptor(call, name);
    if (own !== undefined || typeof name !== "string" || !MEMBERS.includes(name)) return own;
    return { configurable: true, enumerable: true, get: () => Reflect.get(call, name) };
  },
};

/** `sendFile` and a pipe begin an answer before any header is sent. After that the handler owns the response. */
function watched(exchange: Exchange, fail: Fail): Response {
  const { request, response } = exchange;
  const take = () => {
    exchange.handlerOwnsResponse = true;
  };
  if (Object.hasOwn(response, "sendFile")) return response;
  response.once("pipe", take);
  // Methods of Express' response report their failures here.
  request.next ??= (error?: unknown) => fail(exchange, refusalOf(error ?? NotFound, response));
  const sendFile = response.sendFile;
  Object.defineProperty(response, "sendFile", {
    configurable: true,
    writable: true,
    // All overloads of Express are passed on unchanged.
    value: (...args: readonly unknown[]) => {
      take();
      // Express reports an unreadable file here if the caller gave no callback.
      request.next = (error?: unknown) => {
        exchange.handlerOwnsResponse = false;
        fail(exchange, refusalOf(error ?? NotFound, response));
      };
      return Reflect.apply(sendFile, response, args);
    },
  });
  return response;
}
