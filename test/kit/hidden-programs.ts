/** Random programs of one builder each over the tables of `hidden-world.ts`: each contains a method that is asked for. */
import { value } from "rowtype";
import type { Chance } from "../campaigns/expression-chance.js";
import { call, type Place, type Plan, type Step } from "./hidden-conditions.js";
import { groups, type Kind, makers } from "./hidden-steps.js";
import { type Loose, type Name, names } from "./hidden-world.js";

/** A program: a builder, how it is executed, and with which values. */
export interface Program {
  readonly kind: Kind;
  readonly own: Name;
  readonly build: (place: Place) => Loose;
  readonly form: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The records of an insert or of a batch. */
  readonly records: readonly Readonly<Record<string, unknown>>[];
  /** What is added to the keys of the rows that an insert takes from a query. */
  readonly offset?: number;
  /** Whether a record has the key of a row that is hidden: a violated key then, where nothing is hidden, not. */
  readonly collides: boolean;
  /** What it is, for the message of a failure. */
  readonly used: readonly string[];
}

/** Whether a kind of builder changes rows. */
export const isChange = (kind: Kind) => kind === "modify" || kind === "remove" || kind === "insert";

/** The ways to execute each builder. */
export const forms: Readonly<Record<Kind, readonly string[]>> = {
  query: ["exec", "execTx", "stream", "explain", "bind"],
  select: ["exec", "execOrNull", "execTx", "explain", "bind"],
  aggregate: ["exec", "execTx", "bind"],
  compound: ["exec", "execTx", "stream", "explain", "bind"],
  page: ["exec", "execTx", "explain", "bind"],
  modify: ["exec", "execMany", "execBatch", "execEach", "execPatch", "execTx", "bind", "bindMany"],
  remove: ["exec", "execMany", "execBatch", "execEach", "execTx", "bind", "bindMany"],
  insert: ["exec", "execMany", "execBatch", "execFrom", "execTx", "bind", "bindMany"],
};

const pick = (chance: Chance, group: Readonly<Record<string, unknown>>) => chance.of(Object.keys(group));

// A plan is no row, and what is committed has to be made anew.
const apart = new Set(["explain", "bind", "bindMany"]);

/** A table, and one of its relations. */
export interface Way {
  readonly own: Name;
  readonly path: string;
}

/** A program of a kind of builder that uses a method: a step of it, or a way to execute it; over a relation, if asked. */
export function programOf(kind: Kind, method: string, chance: Chance, ids: Ids, way?: Way): Program {
  if (!forms[kind].includes(method) && !knows(kind, method))
    throw new Error(`${kind} has ${method}, and no program uses it`);
  const isForm = forms[kind].includes(method);
  const form = isForm ? method : chance.of(forms[kind].filter((one) => !apart.has(one)));
  const asked = isForm ? undefined : method;
  if (kind === "insert") return insertOf(form, asked, chance, ids);
  if (kind === "modify" || kind === "remove") return changeOf(kind, form, asked, chance, way);
  return readingOf(kind, form, asked, chance, way);
}

// Methods of inserts and set operations have their places in the programs themselves.
const more: Readonly<Record<string, ReadonlySet<string>>> = {
  insert: new Set(["onConflict", "doNothing", "doUpdate", "set", "setPath", "with"]),
  compound: new Set(["orderBy", "orderByNulls", "limit", "limitParam", "offset", "offsetParam", "page"]),
};
const knows = (kind: Kind, method: string) => method in makers[kind] || (more[kind]?.has(method) ?? false);

function planOf(chance: Chance, own: Name, isSingle = false, path?: string): Plan {
  return { own, chance, places: new Map(), params: {}, isSingle, path, used: new Set() };
}

/** The steps of these names, in an order that builders take. */
function stepsOf(plan: Plan, list: readonly string[], kind: Kind): readonly Step[] {
  const known: Readonly<Record<string, (plan: Plan) => Step>> = makers[kind];
  return list.map((name) => {
    plan.used.add(name);
    const maker = known[name];
    if (maker === undefined) throw new Error(`no step ${name} of ${kind}`);
    return maker(plan);
  });
}

// The phases of a query: what is joined, what holds, what comes out, in which order, how many.
const phases = ["joining", "filtering", "optional", "selecting", "ordering", "paging"] as const;

function readingOf(
  kind: Kind,
  form: string,
  asked: string | undefined,
  chance: Chance,
  way: Way | undefined,
): Program {
  const base: Kind = kind === "compound" || kind === "page" ? "query" : kind;
  const plan = planOf(chance, way?.own ?? chance.of(names), kind === "select", way?.path);
  const known: object = makers[base];
  const isWhole = kind !== "compound";
  const list = phases.flatMap((phase) => {
    const isShape = phase !== "joining" && phase !== "filtering";
    if (!isWhole && isShape) return [];
    const more = isShape ? 0 : chance.below(3);
    const own = isWhole && asked !== undefined && asked in groups[phase] ? [asked] : [];
    return [...Array.from({ length: more }, () => pick(chance, groups[phase])), ...own];
  });
  const steps = [
    ...stepsOf(
      plan,
      list.filter((one) => one in known),
      base,
    ),
  ];
  // Of one row it has to be said which.
  const key = value(1 + chance.below(7));
  if (kind === "select") steps.unshift((b) => call(b, "where", "id", "=", key));
  if (kind === "page") steps.push(...stepsOf(plan, ["page"], "query"));
  if (kind === "compound") steps.push(...compoundOf(plan, asked));
  else if (asked !== undefined && last.has(asked)) steps.push(...stepsOf(plan, [asked], kind));
  const start = startOf(base, chance);
  return {
    kind,
    own: plan.own,
    build: (place) => steps.reduce((b, step) => step(b, place), start(place.of[plan.own])),
    form: asked !== undefined && last.has(asked) && asked !== "dynamic" ? "exec" : form,
    params: plan.params,
    records: [],
    collides: false,
    used: [...plan.used, form],
  };
}

// The methods that give a builder of another kind.
const last = new Set(["count", "exists", "as", "page", "dynamic"]);

/** The first builder of a table, of a part of it now and then. */
function startOf(kind: Kind, chance: Chance): (repository: Loose) => Loose {
  const [isPart, least] = [chance.oneIn(6), 1 + chance.below(4)];
  const method = kind === "aggregate" ? chance.of(["count", "sum", "avg", "min", "max"]) : kind;
  const args = kind === "aggregate" && method !== "count" ? ["n"] : [];
  return (repository) => call(isPart ? call(repository, "scope", { n: least }) : repository, method, ...args);
}

function compoundOf(plan: Plan, asked: string | undefined): readonly Step[] {
  const { chance } = plan;
  const first = asked !== undefined && asked in groups.combining ? asked : pick(chance, groups.combining);
  const steps: Step[] = [(b) => call(b, "fields", "n"), ...stepsOf(plan, [first], "compound")];
  const ordered: Step = (b) => call(b, "orderBy", "n", "asc");
  const ends: Readonly<Record<string, Step>> = {
    orderBy: ordered,
    orderByNulls: (b) => call(b, "orderByNulls", "n", "asc", "last"),
    limit: (b, place) => call(ordered(b, place), "limit", 3),
    offset: (b, place) => call(call(ordered(b, place), "limit", 3), "offset", 1),
    limitParam: (b, place) => call(ordered(b, place), "limitParam", "most"),
    offsetParam: (b, place) => call(call(ordered(b, place), "limit", 3), "offsetParam", "from"),
    page: (b, place) => call(ordered(b, place), "page", 3),
    dynamic: (b) => call(b, "dynamic"),
  };
  const end = asked === undefined ? undefined : ends[asked];
  if (asked === "limitParam") plan.params["most"] = 3;
  if (asked === "offsetParam") plan.params["from"] = 1;
  return end === undefined ? steps : [...steps, end];
}

/** The tables whose rows a change finds, and which rules are left out so that any condition finds them. */
const changed: readonly {
  readonly own: Name;
  readonly without: readonly string[];
  readonly byKey: boolean;
}[] = [
  { own: "docs", without: [], byKey: true },
  { own: "docs", without: ["version"], byKey: false },
  { own: "notes", without: [], byKey: false },
  { own: "tags", without: [], byKey: false },
  { own: "marks", without: [], byKey: false },
];

const without = (repository: Loose, rules: readonly string[]) =>
  rules.length === 0 ? repository : call(repository, "without", ...rules);

function changeOf(
  kind: "modify" | "remove",
  form: string,
  asked: string | undefined,
  chance: Chance,
  way: Way | undefined,
): Program {
  const isFit = ({ own }: { readonly own: Name }) => {
    if (way !== undefined) return own === way.own;
    return asked === "setPath" ? own === "docs" : asked !== "setFrom" || own === "docs" || own === "notes";
  };
  const { own, without: left, byKey } = chance.of(changed.filter(isFit));
  const plan = planOf(chance, own, false, way?.path);
  const list: string[] = [];
  // A patch sets its own keys.
  if (kind === "modify" && form !== "execPatch")
    list.push(asked !== undefined && asked in groups.setting ? asked : chance.of(["set", "set", "setExpr"]));
  list.push(asked !== undefined && asked in groups.filtering ? asked : pick(chance, groups.filtering));
  if (asked === "returning" || asked === "dynamic") list.push(asked);
  const isKeyed = byKey || chance.oneIn(3) || ["exec", "execEach", "execTx", "execPatch"].includes(form);
  const steps: Step[] = [...stepsOf(plan, list, kind)];
  if (isKeyed) steps.push((b) => call(b, "where", "id", "=", "id"));
  const version = byKey ? { version: chance.oneIn(5) ? 2 : 1 } : {};
  const record = () => ({ ...(isKeyed ? { id: 1 + chance.below(7) } : {}), ...version });
  return {
    kind,
    own,
    build: (place) => steps.reduce((b, step) => step(b, place), call(without(place.of[own], left), kind)),
    form,
    params: { ...plan.params, ...record() },
    records: Array.from({ length: 1 + chance.below(3) }, record),
    collides: false,
    used: [...plan.used, form],
  };
}

/** The keys of the rows of each table, by whether they are hidden. */
export type Ids = Readonly<
  Record<Name, { readonly visible: readonly number[]; readonly hidden: readonly number[] }>
>;

const recordOf: Readonly<Record<Name, object>> = {
  docs: { m: null, title: "new", more: {}, peerId: 1, state: "live" },
  notes: { m: null, docId: 1, state: "live" },
  marks: { docId: 1, tagId: 1, state: "live" },
  tags: { m: null },
  logs: { m: null, noteId: null, docId: null },
};

const upserting = new Set(["onConflict", "doNothing", "doUpdate", "set", "setPath"]);

function insertOf(form: string, asked: string | undefined, chance: Chance, ids: Ids): Program {
  const own = chance.of(
    asked === "with" || asked === "setPath"
      ? (["docs"] as const)
      : form === "execFrom"
        ? (["logs", "tags"] as const)
        : names,
  );
  const plan = planOf(chance, own);
  const isConditional = asked !== undefined && asked in groups.conditions;
  const isUpsert =
    isConditional || (asked !== undefined && upserting.has(asked)) || (asked !== "with" && chance.oneIn(2));
  const isUpdate =
    isConditional ||
    asked === "set" ||
    asked === "setPath" ||
    asked === "doUpdate" ||
    (asked !== "doNothing" && chance.oneIn(2));
  const steps: Step[] = [];
  if (isUpsert) {
    steps.push(
      (b) => call(b, "onConflict", "id"),
      (b) => call(b, isUpdate ? "doUpdate" : "doNothing"),
    );
    for (const one of ["onConflict", isUpdate ? "doUpdate" : "doNothing"]) plan.used.add(one);
    if (isUpdate && (asked === "set" || chance.oneIn(3))) steps.push((b) => call(b, "set", "n", value(9)));
    if (asked === "setPath") steps.push((b) => call(b, "setPath", "more", ["k"], value(9)));
  }
  if (isConditional) steps.push(...stepsOf(plan, [asked], "insert"));
  if (asked === "with") steps.push((b, { of }) => call(b, "with", "notes", call(of.notes, "insert")));
  if (asked === "returning" || asked === "dynamic") steps.push(...stepsOf(plan, [asked], "insert"));
  if (asked !== undefined) plan.used.add(asked);
  const { visible, hidden } = ids[own];
  let fresh = 100;
  const idOf = () => {
    const from = chance.below(5);
    if (isUpsert && from < 2 && visible.length > 0) return chance.of(visible);
    if (isUpsert && from === 2 && hidden.length > 0 && form !== "execFrom") return chance.of(hidden);
    return fresh++;
  };
  const records = Array.from({ length: 1 + chance.below(3) }, () => ({
    id: idOf(),
    n: chance.below(5),
    ...recordOf[own],
    ...(asked === "with" ? { notes: [{ id: fresh++, n: 1, m: null, state: "live" }] } : {}),
  }));
  const isLong = ["execMany", "execBatch", "bindMany"].includes(form);
  const sent = isLong ? records : records.slice(0, 1);
  // Keys of rows that are there, or others.
  const offset = isUpsert && chance.oneIn(2) ? 0 : 50;
  return {
    kind: "insert",
    own,
    // Nobody has read a version.
    build: (place) =>
      steps.reduce(
        (b, step) => step(b, place),
        call(without(place.of[own], own === "docs" ? ["version"] : []), "insert"),
      ),
    form,
    params: plan.params,
    records: sent,
    offset,
    collides: form === "execFrom" ? offset === 0 : sent.some(({ id }) => hidden.includes(id)),
    used: [...plan.used, form],
  };
}
