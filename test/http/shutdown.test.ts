import express from "express";
import { describe, expect, test } from "vitest";
import { createEngine, DeclarationError, GET, HostLoopback, identity, on } from "../../src/http/index.js";
import { raw } from "./raw.js";
import { runProcess } from "./run-process.js";
import { ask, listening } from "./serve.js";

describe("shutdown", () => {
  test("row 89: lets requests finish, tells them by their signal, and ends idle connections at once", async () => {
    const seen: string[] = [];
    const offs = (["http.engine.shutdown.started", "http.engine.shutdown.complete"] as const).map((name) =>
      on(name, () => seen.push(name)),
    );
    let aborted = false;
    const api = createEngine().withHandlers(
      GET("/slow", async ({ signal }) => {
        await new Promise((resolve) => setTimeout(resolve, 200));
        aborted = signal.aborted;
        return "done";
      }),
      GET("/x", () => 1),
    );
    const { url, port } = await api.start(HostLoopback, 0);
    await ask(`${url}/x`);
    const idle = raw(port, "", { endAfterMs: 5_000 });
    const slow = ask(`${url}/slow`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const started = performance.now();
    const ends = Promise.all([api.shutdown(), api.shutdown()]);
    expect(await idle).toBe("");
    expect(await slow).toMatchObject({ status: 200, json: "done" });
    expect(await ends).toEqual([{ graceful: true }, { graceful: true }]);
    expect(performance.now() - started).toBeLessThan(1_500);
    expect(aborted).toBe(true);
    await expect(fetch(`${url}/x`)).rejects.toThrow();
    expect(seen).toEqual(["http.engine.shutdown.started", "http.engine.shutdown.complete"]);
    for (const off of offs) off();
  });

  test("row 89: cuts what is left at the deadline or when its signal aborts", async () => {
    for (const options of [{ timeoutMs: 100 }, { signal: AbortSignal.timeout(100) }]) {
      const api = createEngine().withHandlers(GET("/never", () => new Promise(() => {})));
      const { url } = await api.start(HostLoopback, 0);
      const never = ask(`${url}/never`).catch(() => "cut");
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(await api.shutdown(options)).toEqual({ graceful: false });
      expect(await never).toBe("cut");
    }
  });

  test("row 89: of an engine in an application waits for its requests", async () => {
    const api = createEngine().withHandlers(
      GET("/slow", async ({ signal }) => {
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
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await api.shutdown({ timeoutMs: 2_000 })).toEqual({ graceful: true });
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
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const shut = async (api: ReturnType<typeof createEngine>, times: number) => {
    for (let time = 0; time < times; time++) {
      await api.shutdown({ drainMs: 1, timeoutMs: 60_000 });
      await api.shutdown();
      await api.shutdown({ signal: new AbortController().signal });
    }
  };

  test("leaves no timer behind: after start, before it, and after a start that failed", async () => {
    const taken = createEngine();
    const { port } = await taken.start(HostLoopback, 0);
    const before = timers();
    const started = createEngine();
    await started.start(HostLoopback, 0);
    await shut(started, 3);
    const unstarted = createEngine();
    await shut(unstarted, 3);
    const mounted = createEngine();
    mounted.router();
    await shut(mounted, 3);
    const failed = createEngine();
    await expect(failed.start(HostLoopback, port)).rejects.toThrow("EADDRINUSE");
    await shut(failed, 3);
    expect(timers()).toBe(before);
    await Promise.all([taken.shutdown(), taken.shutdown(), taken.shutdown({ drainMs: 5 })]);
    await taken.shutdown();
    expect(timers()).toBeLessThanOrEqual(before);
  });

  test("leaves none behind where requests were cut at the deadline", async () => {
    const before = timers();
    const api = createEngine().withHandlers(GET("/never", () => new Promise(() => {})));
    const { url } = await api.start(HostLoopback, 0);
    const never = ask(`${url}/never`).catch(() => "cut");
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await api.shutdown({ timeoutMs: 20 })).toEqual({ graceful: false });
    expect(await api.shutdown()).toEqual({ graceful: false });
    expect(await never).toBe("cut");
    expect(timers()).toBeLessThanOrEqual(before + 1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(timers()).toBeLessThanOrEqual(before);
  });

  test("does not keep the process alive", async () => {
    const started = performance.now();
    const { code, stderr } = await runProcess(`
      import { createEngine, HostLoopback } from HTTP;
      const api = createEngine();
      await api.start(HostLoopback, 0);
      await api.shutdown();
      await api.shutdown();
    `);
    expect([code, stderr]).toEqual([0, ""]);
    expect(performance.now() - started).toBeLessThan(9_000);
  });
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
