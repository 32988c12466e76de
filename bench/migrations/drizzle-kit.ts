/** Drizzle's command line, installed into a temporary folder, without a terminal: as in a pipeline. */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Kit, Model } from "./model.js";
import { driverFolder } from "./places.js";
import { toDrizzle } from "./to-drizzle.js";

/** What a run said, and what it came to. */
export interface Said {
  readonly text: string;
  readonly code: number | null;
  readonly asks: boolean;
}

export interface DrizzleKit {
  readonly folder: string;
  remove(): void;
}

/** Installs the package and its drivers for PostgreSQL and MariaDB; that of SQLite is the one that is here. */
export function installDrizzle(packages: readonly string[]): DrizzleKit {
  const folder = mkdtempSync(join(tmpdir(), "rowtype-drizzle-"));
  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", ...packages], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  symlinkSync(driverFolder, join(folder, "node_modules", "better-sqlite3"));
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}

/** A project in a folder of its own: `say` writes what is declared, `run` calls the command line. */
export function drizzleProject(kit: DrizzleKit, name: string, dialect: Kit, url: string) {
  const folder = join(kit.folder, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "drizzle.config.json"),
    JSON.stringify({
      dialect: { postgres: "postgresql", mariadb: "mysql", sqlite: "sqlite" }[dialect],
      schema: `./${name}/schema.js`,
      out: `./${name}/out`,
      dbCredentials: { url },
    }),
  );
  return {
    say: (model: Model) => writeFileSync(join(folder, "schema.js"), toDrizzle(model, dialect)),
    run: (command: string, ...flags: readonly string[]): Promise<Said> =>
      new Promise((resolve) => {
        const child = spawn(
          process.execPath,
          ["node_modules/drizzle-kit/bin.cjs", command, "--config", `${name}/drizzle.config.json`, ...flags],
          { cwd: kit.folder, stdio: ["ignore", "pipe", "pipe"], timeout: 60_000 },
        );
        let text = "";
        for (const stream of [child.stdout, child.stderr])
          stream.setEncoding("utf8").on("data", (part: string) => {
            text += part;
          });
        child.once("close", (code) => resolve({ text, code, asks: /require a TTY/.test(text) }));
      }),
  };
}
