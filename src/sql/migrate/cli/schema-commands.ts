/** The commands that compare a database with its declarations. */
import { relative } from "node:path";
import { quoted } from "../../../core/errors.js";
import { DeclarationError } from "../../words/errors.js";
import { checkFolder } from "../check.js";
import { diff } from "../diff.js";
import { generate } from "../generate.js";
import { pull } from "../pull.js";
import { openScratch } from "../scratch.js";
import { type Answer, type CommandContext, closing, count, done, withDatabase, written } from "./answer.js";
import { checkOpened, type LoadedConfig, loadTables } from "./load-config.js";

type SchemaCommand = "generate" | "diff" | "check" | "pull";

export const schemaCommands: { readonly [C in SchemaCommand]: (asked: CommandContext) => Promise<Answer> } = {
  generate: async (asked) => {
    const { revert } = asked.values;
    const [name = revert === undefined ? undefined : `revert-${revert.replace(/^\d{8}_\d{6}_/, "")}`] =
      asked.rest;
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
        revert,
        scratch: config.scratch,
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
        `the declarations are what ${count(names.length, "migration")} ${names.length === 1 ? "gives" : "give"}\n`,
      );
    }),

  pull: (asked) =>
    withDatabase(asked, async (db, { config }) => {
      const { names = "camel", out } = asked.values;
      if (names !== "camel" && names !== "same")
        throw new DeclarationError(`--names is camel or same, not ${quoted(names)}`);
      const schemas = config.schemas === undefined ? {} : { schemas: config.schemas };
      const pulled = await pull(db, { names, ...schemas, ...shared(config) });
      const lost = pulled.notCarried.map((one) => `not carried: ${one}\n`).join("");
      return written(asked, out, pulled.source, pulled, lost);
    }),
};

async function tablesOf(loaded: LoadedConfig) {
  return Object.values(await loadTables(loaded));
}

function shared({ ignore }: LoadedConfig["config"]): { readonly ignore?: readonly string[] } {
  return ignore === undefined ? {} : { ignore };
}

function dropOf({ values: { drop } }: CommandContext): "tables" | undefined {
  if (drop === undefined || drop === "tables") return drop;
  throw new DeclarationError(`--drop is tables, not ${quoted(drop)}`);
}
