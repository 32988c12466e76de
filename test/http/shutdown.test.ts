import express from "express";
import { describe, expect, test } from "vitest";
import { createEngine, DeclarationError, GET, HostLoopback, identity, on } from "../../src/http/index.js";
import { HANG_MS } from "../stopwatch.js";
import { gate } from "./gate.js";
import { raw } from "./raw.js";
import { runProcess } from "./run-process.js";
import { ask, listening } from "./serve.js";

describe("shutdown", () => {
  test("row 89: lets requests finish, aborts their signal, and ends idle connections at once", async () => {
    const seen: string[] = [];
    const offs = (["http.engine.shutdown.started", "http.engine.shutdown.complete"] as const).map((name) =>
      on(name, () => seen.push(name)),
    );
    let aborted = false;
    const [asked, answered] = [gate(), gate()];
    // Longer than the test: only the shutdown ends what is idle.
    const timeouts = { headersMs: 600_000, requestMs: 600_000, keepAliveMs: 600_000 };
    const api = createEngine({ timeouts }).withHandlers(
      GET("/slow", async ({ signal }) => {
        asked.open();
        await answered.opened;
        aborted = signal.aborted;
        return "done";
      }),
      GET("/x", () => 1),
    );
    const { url, port } = await api.start(HostLoopback, 0);
    await ask(`${url}/x`);
    const idle = raw(port, "", { endAfterMs: 60_000 });
    const slow = ask(`${url}/slow`);
    await asked.opened;
    const started = performance.now();
    const whole = { timeoutMs: 2 * HANG_MS };
    const ends = Promise.all([api.shutdown(whole), api.shutdown(whole)]);
    expect(await idle).toBe("");
    answered.open();
    expect(await slow).toMatchObject({ status: 200, json: "done" });
    expect(await ends).toEqual([{ graceful: true }, { graceful: true }]);
    expect(performance.now() - started).toBeLessThan(HANG_MS);
    expect(aborted).toBe(true);
    await expect(fetch(`${url}/x`)).rejects.toThrow();
    expect(seen).toEqual(["http.engine.shutdown.started", "http.engine.shutdown.complete"]);
    for (const off of offs) off();
  });

  test("row 89: cuts what is left at the deadline or when its signal aborts", async () => {
    for (const options of [{ timeoutMs: 100 }, { signal: AbortSignal.timeout(100) }]) {
      const asked = gate();
      const api = createEngine().withHandlers(
        GET("/never", () => {
          asked.open();
          return new Promise(() => {});
        }),
      );
      const { url } = await api.start(HostLoopback, 0);
      const never = ask(`${url}/never`).catch(() => "cut");
      await asked.opened;
      expect(await api.shutdown(options)).toEqual({ graceful: false });
      expect(await never).toBe("cut");
    }
  });

  test("row 89: of an engine in an application waits for its requests", async () => {
    const asked = gate();
    const api = createEngine().withHandlers(
      GET("/slow", async ({ signal }) => {
        asked.open();
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        return "told";
      }),
    );
    const app = express();
    app.use(api.router());
    const server = app.listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const slow = ask(`http://127.0.0.1:${port}/slow`);
    await asked.opened;
    expect(await api.shutdown({ timeoutMs: 60_000 })).toEqual({ graceful: true });
    expect((await slow).json).toBe("told");
    server.close();
  });

  test("row 89: settles before start, and the engine cannot be started after", async () => {
    const api = createEngine();
    expect(await api.shutdown()).toEqual({ graceful: true });
    await expect(api.start(HostLoopback, 0)).rejects.toThrow(DeclarationError);
  });
});

describe("a second shutdown", () => {
  // Timers are counted in a process that has no others: those of a test runner and of `fetch` come and go.
  const COUNTED = `
    import { get } from "node:http";
    import { createEngine, GET, HostLoopback } from "rowtype/http";
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const shut = async (api) => {
      for (let time = 0; time < 3; time++) {
        await api.shutdown({ drainMs: 1, timeoutMs: 60_000 });
        await api.shutdown();
        await api.shutdown({ signal: new AbortController().signal });
      }
    };
    const counts = {};
  `;

  test("leaves no timer behind: after start, before it, and after a start that failed", async () => {
    const { stdout, stderr } = await runProcess(`${COUNTED}
      const taken = createEngine();
      const { port } = await taken.start(HostLoopback, 0);
      const before = timers();
      const started = createEngine();
      await started.start(HostLoopback, 0);
      await shut(started);
      counts.started = timers() - before;
      const unstarted = createEngine();
      await shut(unstarted);
      counts.unstarted = timers() - before;
      const mounted = createEngine();
      mounted.router();
      await shut(mounted);
      counts.mounted = timers() - before;
      const failed = createEngine();
      counts.failure = await failed.start(HostLoopback, port).catch((error) => error.code ?? error.cause?.code);
      await shut(failed);
      counts.failed = timers() - before;
      await Promise.all([taken.shutdown(), taken.shutdown(), taken.shutdown({ drainMs: 5 })]);
      await taken.shutdown();
      counts.end = timers();
      console.log(JSON.stringify(counts));
    `);
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual({
      started: 0,
      unstarted: 0,
      mounted: 0,
      failure: "EADDRINUSE",
      failed: 0,
      end: 0,
    });
  }, 90_000);

  test("leaves no timer behind if requests were cut at the deadline", async () => {
    const { stdout, stderr } = await runProcess(`${COUNTED}
      let asked;
      const isAsked = new Promise((resolve) => (asked = resolve));
      const api = createEngine().withHandlers(GET("/never", () => (asked(), new Promise(() => {}))));
      const { port } = await api.start(HostLoopback, 0);
      const cut = new Promise((resolve) => {
        get({ port, host: HostLoopback, path: "/never", agent: false }).on("error", () => resolve(true));
      });
      await isAsked;
      counts.first = await api.shutdown({ timeoutMs: 20 });
      counts.second = await api.shutdown();
      counts.cut = await cut;
      await new Promise((resolve) => setTimeout(resolve, 100));
      counts.end = timers();
      console.log(JSON.stringify(counts));
    `);
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual({
      first: { graceful: false },
      second: { graceful: false },
      cut: true,
      end: 0,
    });
  }, 90_000);

  test("does not keep the process alive", async () => {
    const { code, stdout, stderr } = await runProcess(`
      import { createEngine, HostLoopback } from "rowtype/http";
      const api = createEngine();
      await api.start(HostLoopback, 0);
      const whole = { timeoutMs: ${2 * HANG_MS} };
      await api.shutdown(whole);
      await api.shutdown(whole);
      const ended = performance.now();
      process.once("exit", () => console.log(performance.now() - ended));
    `);
    expect([code, stderr]).toEqual([0, ""]);
    // To start the process may take longer than a time limit of the engine.
    expect(Number(stdout)).toBeLessThan(HANG_MS);
  }, 90_000);
});

test("many requests at once that look at their signal raise no warning", async () => {
  const warnings: Error[] = [];
  const listen = (warning: Error) => warnings.push(warning);
  process.on("warning", listen);
  const api = createEngine()
    .withAuthenticator(async () => identity({ id: "1" }))
    .withHandlers(
      GET("/x", { authentication: true }, async ({ signal }) => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        return signal.aborted;
      }),
    );
  const url = await listening(api);
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask(`${url}/x`)));
  expect(answers.every(({ json }) => json === false)).toBe(true);
  process.off("warning", listen);
  expect(warnings).toEqual([]);
});
