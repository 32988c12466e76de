/**
 * The argument of a handler's function. The signal and the response are made when they are read: most handlers read
 * neither.
 */
import type { Request, Response } from "express";
import { NotFound } from "../contract/errors.js";
import type { Identity } from "../contract/identity.js";
import type { Exchange } from "./exchange.js";
import type { Params } from "./parameters.js";
import { refusalOf } from "./refusal.js";

/** Answers for a handler whose own answer could not be begun. */
type Fail = (exchange: Exchange, thrown: unknown) => void;

/** The argument of a handler's function, whatever its types. */
export class RuntimeCall {
  readonly params: Params;
  readonly body: unknown;
  readonly identity: Identity | null;
  declare readonly request: Request;
  declare readonly response: Response;
  declare readonly signal: AbortSignal;
  readonly #exchange: Exchange;
  readonly #fail: Fail;

  constructor(exchange: Exchange, params: Params, body: unknown, fail: Fail) {
    this.params = params;
    this.body = body;
    this.identity = exchange.identity;
    this.#exchange = exchange;
    this.#fail = fail;
    // Properties of its own, so that a copy of the call is a call; the getters are the same functions for all calls,
    // because an object with getters of its own costs as much as the rest of the request.
    Object.defineProperty(this, "request", REQUEST);
    Object.defineProperty(this, "response", RESPONSE);
    Object.defineProperty(this, "signal", SIGNAL);
  }

  static exchangeOf(call: RuntimeCall): Exchange {
    return call.#exchange;
  }

  static failOf(call: RuntimeCall): Fail {
    return call.#fail;
  }
}

const REQUEST: PropertyDescriptor & ThisType<RuntimeCall> = {
  enumerable: true,
  get() {
    const exchange = RuntimeCall.exchangeOf(this);
    // The response is a property of the request.
    exchange.expose();
    return exchange.request;
  },
};

const RESPONSE: PropertyDescriptor & ThisType<RuntimeCall> = {
  enumerable: true,
  get() {
    const exchange = RuntimeCall.exchangeOf(this);
    exchange.expose();
    return watched(exchange, RuntimeCall.failOf(this));
  },
};

const SIGNAL: PropertyDescriptor & ThisType<RuntimeCall> = {
  enumerable: true,
  get() {
    return RuntimeCall.exchangeOf(this).signal;
  },
};

/** `sendFile` and a pipe begin an answer before any header is out; from then on the response is the handler's. */
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
    // All overloads of Express are handed on as they come.
    value: (...args: readonly unknown[]) => {
      take();
      // Express reports a file that cannot be read here, if the caller gave no callback.
      request.next = (error?: unknown) => {
        exchange.handlerOwnsResponse = false;
        fail(exchange, refusalOf(error ?? NotFound, response));
      };
      return Reflect.apply(sendFile, response, args);
    },
  });
  return response;
}
