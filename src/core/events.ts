/**
 * Typed events over `node:diagnostics_channel`. A family declares its event map once and gets `on` and an emitter.
 * Without listeners an emit is one property read. Listeners never disturb the code that emits.
 */
import { type Channel, channel } from "node:diagnostics_channel";
import { describeType, listed, quoted } from "./errors.js";

/** The events of a family: name to payload. */
export type EventMap = Readonly<Record<string, object>>;

/** Registers a listener for one event and returns the function that removes it. */
export type On<Events> = <Name extends keyof Events & string>(
  name: Name,
  listener: (event: Readonly<Events[Name]>) => void,
) => () => void;

/** The sending side: one for each family. */
export interface Emitter<Events> {
  readonly on: On<Events>;
  /** Whether the event has a listener: ask before building an expensive payload. */
  readonly listens: (name: keyof Events & string) => boolean;
  /** Whether any event of the family has a listener. */
  readonly isHeard: () => boolean;
  readonly emit: <Name extends keyof Events & string>(name: Name, event: Events[Name]) => void;
  /** Like `emit`, with a payload that is made only if there is a listener. */
  readonly emitWith: <Name extends keyof Events & string>(name: Name, make: () => Events[Name]) => void;
}

/**
 * Makes the emitter of a family. Event `x` is published on the channel `rowtype:x`.
 * @param names every event of the family.
 * @param refuse makes the error with which `on` refuses any other name, and a listener that is not a function.
 */
export function emitter<Events>(
  names: readonly (keyof Events & string)[],
  refuse: (message: string) => Error,
): Emitter<Events> {
  const channels = new Map<string, Channel>(names.map((name) => [name, channel(`rowtype:${name}`)]));

  const all = [...channels.values()];

  const channelOf = (name: string): Channel => {
    const found = channels.get(name);
    if (found === undefined) throw refuse(`unknown event ${quoted(name)}; events: ${listed(names)}`);
    return found;
  };

  return {
    on(name, listener) {
      const target = channelOf(name);
      if (typeof listener !== "function")
        throw refuse(`the listener of an event is a function, not ${describeType(listener)}`);
      // The channel passes `unknown`. Only `emit` below publishes on it, with the payload of this name.
      const receive = (event: unknown) =>
        isolated("an event listener", () => listener(event as Events[typeof name]));
      target.subscribe(receive);
      return () => {
        target.unsubscribe(receive);
      };
    },
    isHeard: () => all.some(({ hasSubscribers }) => hasSubscribers),
    listens: (name) => channelOf(name).hasSubscribers,
    emit(name, event) {
      const target = channelOf(name);
      if (target.hasSubscribers) target.publish(event);
    },
    emitWith(name, make) {
      const target = channelOf(name);
      if (target.hasSubscribers) target.publish(make());
    },
  };
}

/**
 * Calls a function that only observes. If it throws or its promise rejects, a process warning is emitted: an error
 * thrown from `publish` would end the process.
 */
export function isolated(what: string, call: () => unknown): void {
  const warn = (error: unknown) =>
    process.emitWarning(`${what} failed: ${error instanceof Error ? error.message : String(error)}`, {
      type: "RowtypeListenerWarning",
    });
  try {
    const result = call();
    if (result instanceof Promise) result.catch(warn);
  } catch (error) {
    warn(error);
  }
}
