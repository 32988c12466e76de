/** The commands: each opens what it needs, does its work by the functions of `rowtype/migrate`, and says what it did. */
import { writeFile } from "node:fs/promises";
import { relative, resolve } from "node:path";
import { quoted } from "../../../core/errors.js";
import { toMermaid } from "../../ddl/diagram.js";
import type { Database } from "../../door/database.js";
import { DeclarationError } from "../../words/errors.js";
import { checkFolder } from "../check.js";
import type { OpenedDatabase } from "../config.js";
import { diff } from "../diff.js";
import { MigrationError } from "../errors.js";
import { generate } from "../generate.js";
import { migrate } from "../migrate.js";
import { pull } from "../pull.js";
import { dropEverything } from "../reset.js";
import { openScratch } from "../scratch.js";
import { status } from "../status.js";
import type { Arguments, Command } from "./arguments.js";
import { checkOpened, type LoadedConfig, loadConfig, loadTables, openDatabase } from "./load-config.js";

/** What a command is given. */
export interface Asked extends Pick<Arguments, "values" | "rest"> {
  readonly cwd: string;
}

/** What a command says. */
export interface Answer {
  readonly json: unknown;
  /** For people; it ends with a line break, or is empty. */
  readonly text: string;
  /** Whether something is left to do. */
  readonly isOpen: boolean;
}

export const commands: { readonly [C in Command]: (asked: Asked) => Promise<Answer> } = {
  generate: async (asked) => {
    const [name] = asked.rest;
    if (name === undefined)
      throw new DeclarationError("say the name of the migration: rowtype generate add-teams");
    return withDatabase(asked, async (db, loaded) => {
      const { config, folder } = loaded;
      const path = await generate(await tablesOf(loaded), db, {
        folder,
        name,
        allow: asked.values.allow,
        ...shared(config),
        drop: dropOf(asked),
        dialects: config.dialects,
      });
      if (path === null) return done({ path }, "nothing to do\n");
      return done({ path }, `wrote ${relative(asked.cwd, path)}\n`);
    });
  },

  diff: (asked) =>
    withDatabase(asked, async (db, loaded) => {
      const drop = dropOf(asked);
      const options = {
        ...shared(loaded.config),
        ...(drop === undefined ? {} : { drop }),
        ...(asked.values.exact === true ? { types: "exact" as const } : {}),
      };
      const change = await diff(await tablesOf(loaded), db, options);
      const text = change.text();
      return { json: { steps: change.steps, text }, text, isOpen: !change.isEmpty };
    }),

  migrate: (asked) =>
    withDatabase(asked, async (db, { folder }) => {
      const {
        to,
        allow,
        accept,
        "dry-run": dryRun,
        "out-of-order": outOfOrder,
        "lock-wait-ms": wait,
      } = asked.values;
      const lockWaitMs = wait === undefined ? undefined : Number(wait);
      if (outOfOrder !== undefined && outOfOrder !== "apply" && outOfOrder !== "refuse")
        throw new DeclarationError(`--out-of-order is apply or refuse, not ${quoted(outOfOrder)}`);
      const result = await migrate(db, { folder, to, dryRun, allow, accept, outOfOrder, lockWaitMs });
      const early = new Set(result.outOfOrder.map(({ name }) => name));
      const lines = [
        ...result.applied.map(
          ({ name, steps }) =>
            `applied ${name} (${count(steps.length, "step")})${early.has(name) ? ", earlier than one that was applied before" : ""}`,
        ),
        ...result.pending.map(
          ({ name, steps }) => `pending ${name}${steps.map((step) => `\n  ${step}`).join("")}`,
        ),
      ];
      return done(result, lines.length === 0 ? "nothing to do\n" : `${lines.join("\n")}\n`);
    }),

  status: (asked) =>
    withDatabase(asked, async (db, { folder }) => {
      const found = await status(db, { folder });
      const { applied, pending, changed, missing, outOfOrder, failed } = found;
      const early = new Set(outOfOrder.map(({ name }) => name));
      const lines = [
        ...applied.map(({ name }) => `applied  ${name}`),
        ...pending.map(
          ({ name, steps, done }) =>
            `pending  ${name}${done > 0 ? ` (${done} of ${count(steps, "step")} done)` : ""}${early.has(name) ? " (earlier than an applied one)" : ""}`,
        ),
        ...changed.map(({ name }) => `changed  ${name}`),
        ...missing.map(({ name }) => `missing  ${name}`),
        ...failed.map(({ name, step, error }) => `failed   ${name}: ${step}: ${error}`),
      ];
      const isOpen = [pending, changed, missing, failed].some((list) => list.length > 0);
      return { json: found, text: lines.length === 0 ? "no migrations\n" : `${lines.join("\n")}\n`, isOpen };
    }),

  check: (asked) =>
    withDatabase(asked, async (db, loaded) => {
      const { config, folder } = loaded;
      const tables = await tablesOf(loaded);
      const scratch =
        config.scratch === undefined ? await openScratch(db) : checkOpened(await config.scratch(), "scratch");
      const names = await closing(scratch, () =>
        checkFolder(tables, scratch.db, { folder, ...shared(config), dialects: config.dialects }),
      );
      return done(
        { migrations: names },
        `${count(names.length, "migration")} give what the declarations say\n`,
      );
    }),

  pull: (asked) =>
    withDatabase(asked, async (db, { config }) => {
      const { names = "camel", out } = asked.values;
      if (names !== "camel" && names !== "same")
        throw new DeclarationError(`--names is camel or same, not ${quoted(names)}`);
      const schemas = config.schemas === undefined ? {} : { schemas: config.schemas };
      const pulled = await pull(db, { names, ...schemas });
      const lost = pulled.notCarried.map((one) => `not carried: ${one}\n`).join("");
      return written(asked, out, pulled.source, pulled, lost);
    }),

  erd: async (asked) => {
    const source = toMermaid(await loadTables(await loadConfig(asked.values.config, asked.cwd)));
    return written(asked, asked.values.out, source, { source }, "");
  },

  reset: (asked) =>
    withDatabase(asked, async (db, { config, folder }) => {
      if (config.disposable !== true)
        throw new MigrationError(
          "MIGRATION_REFUSED",
          "reset drops everything in the database: only if the configuration says disposable: true",
        );
      const dropped = await dropEverything(db, config.ignore);
      const { applied } = await migrate(db, { folder });
      const json = { dropped, applied };
      return done(
        json,
        `dropped ${count(dropped.length, "table")}, applied ${count(applied.length, "migration")}\n`,
      );
    }),
};

async function withDatabase(
  asked: Asked,
  work: (db: Database, loaded: LoadedConfig) => Promise<Answer>,
): Promise<Answer> {
  const loaded = await loadConfig(asked.values.config, asked.cwd);
  const opened = await openDatabase(loaded);
  return closing(opened, () => work(opened.db, loaded));
}

async function closing<T>({ close }: OpenedDatabase, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await close?.();
  }
}

async function tablesOf(loaded: LoadedConfig) {
  return Object.values(await loadTables(loaded));
}

function shared({ ignore }: LoadedConfig["config"]): { readonly ignore?: readonly string[] } {
  return ignore === undefined ? {} : { ignore };
}

function dropOf({ values: { drop } }: Asked): "tables" | undefined {
  if (drop === undefined || drop === "tables") return drop;
  throw new DeclarationError(`--drop is tables, not ${quoted(drop)}`);
}

async function written(
  { cwd }: Asked,
  out: string | undefined,
  source: string,
  json: unknown,
  more: string,
): Promise<Answer> {
  if (out === undefined) return done(json, source.endsWith("\n") ? source : `${source}\n`);
  await writeFile(resolve(cwd, out), source);
  return done(json, `wrote ${out}\n${more}`);
}

function done(json: unknown, text: string): Answer {
  return { json, text, isOpen: false };
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? "" : "s"}`;
}
