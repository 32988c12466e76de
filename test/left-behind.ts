/**
 * What a file of tests must leave as it found it: files share a process, and the next one would find it changed. Open
 * sockets, timers under way and what modules cache are not looked at.
 */
import { hasSubscribers } from "node:diagnostics_channel";
import { afterAll, expect } from "vitest";
import { z } from "zod";
import { HTTP_EVENT_NAMES } from "../src/http/contract/events.js";
import { events, migrationEvents } from "../src/sql/words/events.js";

// Zod completes its settings with the first schema.
z.object({});

const state: Readonly<Record<string, () => unknown>> = {
  "listeners of HTTP events": () => HTTP_EVENT_NAMES.filter((name) => hasSubscribers(`rowtype:${name}`)),
  "listeners of statements": () => events.isHeard(),
  "listeners of migrations": () => migrationEvents.isHeard(),
  "listeners of the process": () =>
    Object.fromEntries(process.eventNames().map((name) => [String(name), process.listenerCount(name)])),
  "variables of the environment": () => ({ ...process.env }),
  "the folder": () => process.cwd(),
  timers: () => [globalThis.Date, globalThis.setTimeout, globalThis.setInterval, globalThis.setImmediate],
  fetch: () => globalThis.fetch,
  "methods of the process": () => [process.emitWarning, process.stdout.write, process.stderr.write],
  "members of every object": () => Object.getOwnPropertyNames(Object.prototype),
  "settings of Zod": () => ({ ...z.config() }),
};

/** Fails the file after its tests if it has changed what files share. */
export function refuseLeftBehind(): void {
  const found = Object.entries(state).map(([what, look]) => ({ what, look, before: look() }));
  afterAll(() => {
    for (const { what, look, before } of found)
      expect(look(), `${what}: a file leaves them as it found them`).toEqual(before);
  });
}
