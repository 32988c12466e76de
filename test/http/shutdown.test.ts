import express from "express";
import { describe, expect, test } from "vitest";
import { createEngine, DeclarationError, GET, HostLoopback, identity, on } from "../../src/http/index.js";
import { raw } from "./raw.js";
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
