/** The three ways that an edit takes to a database: files of rowtype, files of Drizzle, and Drizzle's `push`. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { diff, generate, MigrationError, migrate } from "rowtype/migrate";
import { type DrizzleKit, drizzleProject, type Said } from "./drizzle-kit.js";
import type { Edit } from "./edits.js";
import { type Kit, type Model, rowsOfBase } from "./model.js";
import { openPlace, type Place } from "./places.js";
import { type Loss, lossOf, rowsOf, structureOf } from "./state.js";
import { toRowtype } from "./to-rowtype.js";

/** What came of an edit. */
export interface Outcome {
  /** `refused`: until it is allowed by name; then it was done. */
  readonly came: "done" | "refused" | "asks" | "fails" | "wrong";
  /** Whether the structure changed although the edit failed. */
  readonly half: boolean;
  readonly loss: Loss;
  /** Whether a second run finds nothing to do; undefined where the first one did nothing. */
  readonly silent?: boolean;
  readonly said: string;
}

/** An edit with the schema that it starts from. */
export type Case = Edit & { readonly base: Model };

type Way = (edit: Case, kit: Kit) => Promise<Outcome>;

/** Runs an edit on a database with rows, and looks at it afterwards. */
async function measured(
  edit: Case,
  kit: Kit,
  way: {
    first(place: Place): Promise<void>;
    fresh(place: Place): Promise<void>;
    edit(place: Place): Promise<{ came: "done" | "refused" | "asks" | "fails"; said: string }>;
    isSilent(place: Place): Promise<boolean>;
  },
): Promise<Outcome> {
  const [place, other] = [await openPlace(kit), await openPlace(kit)];
  try {
    await way.first(place);
    for (const sql of rowsOfBase()) await place.run(sql);
    const [before, was] = [await rowsOf(edit.base, place), await structureOf(place)];
    const { came, said } = await way.edit(place);
    const [loss, is] = [await lossOf(before, edit.model, place), await structureOf(place)];
    if (came === "asks" || came === "fails") return { came, half: is !== was, loss, said };
    await way.fresh(other);
    const isRight = is === (await structureOf(other));
    return { came: isRight ? came : "wrong", half: false, loss, silent: await way.isSilent(place), said };
  } finally {
    await place.close();
    await other.close();
  }
}

export const byRowtype: Way = async (edit, kit) => {
  const folder = mkdtempSync(join(tmpdir(), "rowtype-edit-"));
  const now = toRowtype(edit.model, kit);
  const options = { folder, ...(edit.title === "drop a table" ? { drop: "tables" as const } : {}) };
  try {
    return await measured(edit, kit, {
      first: async ({ db }) => {
        await generate(toRowtype(edit.base, kit), db, { folder, name: "first" });
        await migrate(db, { folder });
      },
      fresh: async ({ db }) => {
        await generate(now, db, { folder: join(folder, "fresh"), name: "fresh" });
        await migrate(db, { folder: join(folder, "fresh") });
      },
      edit: async ({ db }) => {
        let refused = "";
        try {
          try {
            await generate(now, db, { ...options, name: "edit" });
          } catch (error) {
            if (!(error instanceof MigrationError) || error.code !== "MIGRATION_REFUSED") throw error;
            refused = error.message;
            const change = await diff(now, db, "drop" in options ? { drop: "tables" } : {});
            await generate(now, db, { ...options, name: "edit", allow: markedSteps(change.text()) });
          }
          await migrate(db, { folder });
          return { came: refused === "" ? "done" : "refused", said: refused };
        } catch (error) {
          return { came: "fails", said: String(error) };
        }
      },
      isSilent: async ({ db }) => (await generate(now, db, { ...options, name: "again" })) === null,
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** The words of the steps that a file marks as a loss, a block, or a drop of what is not declared. */
const markedSteps = (text: string): string[] =>
  [...text.matchAll(/^-- step (.*)$/gm)].flatMap(([, words = ""]) =>
    /\((?:loses data|undeclared|blocks)\)/.test(words) ? [words.replace(/ \([a-z ]+\)/g, "")] : [],
  );

let projects = 0;
const failed = ({ code, text }: Said) => code !== 0 || /\berror\b/i.test(text);
const done = (said: Said, what: string) => {
  if (said.asks || failed(said)) throw new Error(`${what}: ${said.text}`);
};

export const byDrizzleFiles =
  (drizzle: DrizzleKit): Way =>
  async (edit, kit) => {
    let project: ReturnType<typeof drizzleProject> | undefined;
    return measured(edit, kit, {
      first: async ({ url }) => {
        project = drizzleProject(drizzle, `p${projects++}`, kit, url);
        project.say(edit.base);
        done(await project.run("generate"), "generate");
        done(await project.run("migrate"), "migrate");
      },
      fresh: pushed(drizzle, edit, kit),
      edit: async () => {
        project?.say(edit.model);
        const written = await project?.run("generate");
        if (written?.asks === true) return { came: "asks", said: written.text };
        if (written === undefined || failed(written)) return { came: "fails", said: written?.text ?? "" };
        const applied = await project?.run("migrate");
        return {
          came: applied === undefined || failed(applied) ? "fails" : "done",
          said: applied?.text ?? "",
        };
      },
      isSilent: async () => /No schema changes/.test((await project?.run("generate"))?.text ?? ""),
    });
  };

export const byDrizzlePush =
  (drizzle: DrizzleKit, ...flags: readonly string[]): Way =>
  async (edit, kit) => {
    let project: ReturnType<typeof drizzleProject> | undefined;
    return measured(edit, kit, {
      first: async ({ url }) => {
        project = drizzleProject(drizzle, `p${projects++}`, kit, url);
        project.say(edit.base);
        done(await project.run("push"), "push");
      },
      fresh: pushed(drizzle, edit, kit),
      edit: async () => {
        project?.say(edit.model);
        const said = await project?.run("push", ...flags);
        if (said?.asks === true) return { came: "asks", said: said.text };
        return { came: said === undefined || failed(said) ? "fails" : "done", said: said?.text ?? "" };
      },
      isSilent: async () => /No changes detected/.test((await project?.run("push"))?.text ?? ""),
    });
  };

/** A new database of the declarations, as Drizzle makes it. */
function pushed(drizzle: DrizzleKit, edit: Case, kit: Kit) {
  return async ({ url }: Place): Promise<void> => {
    const project = drizzleProject(drizzle, `p${projects++}`, kit, url);
    project.say(edit.model);
    done(await project.run("push"), "push to an empty database");
  };
}
