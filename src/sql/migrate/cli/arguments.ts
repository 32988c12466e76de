/** The arguments of `rowtype`: the command, its options, and the text of `--help`. */
import { parseArgs } from "node:util";
import { listed, quoted } from "../../../core/errors.js";
import { DeclarationError } from "../../words/errors.js";

const COMMANDS = ["generate", "diff", "migrate", "status", "check", "pull", "erd", "reset"] as const;
export type Command = (typeof COMMANDS)[number];

const text = { type: "string" } as const;
const texts = { type: "string", multiple: true } as const;
const flag = { type: "boolean" } as const;

const COMMON = { config: text, json: flag, help: { type: "boolean", short: "h" } } as const;

/** The options of single commands, without those of all commands. */
const OPTIONS = {
  generate: { allow: texts, drop: text, revert: text },
  diff: { drop: text, exact: flag },
  migrate: {
    to: text,
    "dry-run": flag,
    allow: texts,
    accept: texts,
    "out-of-order": text,
    "lock-wait-ms": text,
  },
  status: {},
  check: {},
  pull: { out: text, names: text },
  erd: { out: text },
  reset: {},
} as const;

const ALL = {
  ...COMMON,
  version: flag,
  ...OPTIONS.generate,
  ...OPTIONS.diff,
  ...OPTIONS.migrate,
  ...OPTIONS.pull,
} as const;

/** The options of all commands. */
interface OptionValues {
  readonly config?: string | undefined;
  readonly json?: boolean | undefined;
  readonly help?: boolean | undefined;
  readonly version?: boolean | undefined;
  readonly allow?: string[] | undefined;
  readonly drop?: string | undefined;
  readonly revert?: string | undefined;
  readonly exact?: boolean | undefined;
  readonly to?: string | undefined;
  readonly "dry-run"?: boolean | undefined;
  readonly accept?: string[] | undefined;
  readonly "out-of-order"?: string | undefined;
  readonly "lock-wait-ms"?: string | undefined;
  readonly out?: string | undefined;
  readonly names?: string | undefined;
}

/** The parsed arguments. */
export interface Arguments {
  readonly command: Command | "help" | "version";
  readonly values: OptionValues;
  /** The arguments after the command. */
  readonly rest: readonly string[];
}

export const USAGE: string = `rowtype: migrations from declarations

  rowtype generate NAME  writes what the declarations say and the database lacks as the next file of the folder
      --allow "drop column people.age"   lets a step lose data or block, and marks it in the file; repeatable
      --drop tables                      drops tables that are not declared
      --revert 20261122_013000_add-teams undoes what that migration did to the structure
  rowtype diff           prints the same, and writes nothing; exit 1 if there is a difference
      --drop tables, --exact             types of another making are a difference too
  rowtype migrate        applies the files that are not applied
      --to NAME, --dry-run, --allow WORDS, --lock-wait-ms 60000, --out-of-order apply|refuse
      --accept NAME                      records a file as it is now, without running it; repeatable
  rowtype status         prints what is applied and what is not; exit 1 if anything is to do
  rowtype check          applies the folder to an empty database, which must then be as declared
  rowtype pull           prints the declarations of the database: --out FILE, --names camel|same
  rowtype erd            prints a diagram of the declarations (Mermaid): --out FILE
  rowtype reset          drops everything and migrates again, if the configuration says disposable: true

  --config PATH  default rowtype.config.ts, .mts, .js or .mjs in this folder
  --json         prints JSON

Exit codes: 0 nothing is left to do; 1 differences, pending files, a refusal; 2 an error.
It never asks a question.
`;

/**
 * Reads arguments.
 * @throws {DeclarationError} for a command or an option that does not exist.
 */
export function readArguments(argv: readonly string[]): Arguments {
  const { values, positionals } = parse(argv);
  const [command, ...rest] = positionals;
  if (values.version === true) return { command: "version", values, rest };
  if (values.help === true || command === "help") return { command: "help", values, rest };
  if (command === undefined) throw new DeclarationError(`say a command: ${listed(COMMANDS)}; or --help`);
  if (!isCommand(command))
    throw new DeclarationError(`unknown command ${quoted(command)}; commands: ${listed(COMMANDS)}`);
  const known = new Set([...Object.keys(COMMON), ...Object.keys(OPTIONS[command])]);
  const other = Object.keys(values).find((name) => !known.has(name));
  if (other !== undefined)
    throw new DeclarationError(
      `${command} has no option --${other}; options: ${[...known].map((one) => `--${one}`).join(", ")}`,
    );
  const most = command === "generate" ? 1 : 0;
  if (rest.length > most) throw new DeclarationError(`${command} takes no ${quoted(rest[most])}`);
  return { command, values, rest };
}

function parse(argv: readonly string[]): {
  readonly values: OptionValues;
  readonly positionals: readonly string[];
} {
  try {
    return parseArgs({ args: [...argv], options: ALL, allowPositionals: true, strict: true });
  } catch (error) {
    throw new DeclarationError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function isCommand(name: string): name is Command {
  return COMMANDS.some((one) => one === name);
}
