/** The commands: each does its work with the functions of `rowtype/migrate`, and reports the result. */
import { quoted } from "../../../core/errors.js";
import { toMermaid } from "../../ddl/diagram.js";
import { DeclarationError } from "../../words/errors.js";
import { migrate } from "../migrate.js";
import { dropEverything } from "../reset.js";
import { status } from "../status.js";
import { MigrationError } from "../words/errors.js";
import { type Answer, type CommandContext, count, done, withDatabase, written } from "./answer.js";
import type { Command } from "./arguments.js";
import { loadConfig, loadTables } from "./load-config.js";
import { schemaCommands } from "./schema-commands.js";

export const commands: { readonly [C in Command]: (asked: CommandContext) => Promise<Answer> } = {
  ...schemaCommands,
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
