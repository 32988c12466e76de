/** Steps of builders by the names of their methods, for random programs over the tables of `hidden-world.ts`. */
import { add, and, c, compare, count, of as ofRelation, rowNumber, sum, value } from "rowtype";
import {
  asQuery,
  call,
  conditions,
  fieldsOf,
  filtering,
  loose,
  type Makers,
  type Plan,
  pairOf,
  paths,
  rowsOf,
  type Step,
  someField,
  target,
} from "./hidden-conditions.js";
import { hidden, type Loose, type Name, names, ways } from "./hidden-world.js";

const optional: Makers = {
  whereOptional: (plan) => {
    const name = `p${Object.keys(plan.params).length}`;
    if (!plan.chance.oneIn(3)) plan.params[name] = 1 + plan.chance.below(4);
    const by = someField(plan);
    return (b) => call(b, "whereOptional", by, ">=", name);
  },
};

const kinds = ["join", "leftJoin", "rightJoin", "fullJoin"] as const;

/** Every way to join, of every kind. */
const joining: Makers = Object.fromEntries(
  kinds.flatMap((kind) => {
    const named = (plan: Plan, table: Name) => {
      const name = `j${plan.places.size}`;
      plan.places.set(name, table);
      return name;
    };
    const by = (plan: Plan): Step => {
      const all = paths(plan, plan.isSingle ? true : undefined);
      const path = all.length > 0 ? plan.chance.of(all) : "none";
      if (all.length === 0) return (b) => call(b, kind, path);
      const name = named(plan, target(plan.own, path));
      return (b) => call(b, kind, path, name);
    };
    const on = (plan: Plan): Step => {
      const table = plan.chance.of(names);
      const pair = pairOf(plan);
      const name = named(plan, table);
      const way = plan.chance.below(3);
      const equal = () => loose(compare)(pair[0], "=", `${name}.${pair[1]}`);
      return (b, { of }) => {
        const given = way === 0 ? hidden[table] : of[table];
        if (way < 2) return call(b, `${kind}On`, name, given, ...pair);
        return call(b, `${kind}On`, name, given, loose(and)(equal(), loose(c)(`${name}.n`, "<=", value(3))));
      };
    };
    const query = (plan: Plan): Step => {
      const table = plan.chance.of(names);
      const pair = pairOf(plan);
      const rows = rowsOf(plan, table);
      const name = named(plan, table);
      const isCondition = plan.chance.oneIn(2);
      return (b, place) => {
        const named = call(asQuery(rows(place)), "as", name);
        const condition = loose(compare)(pair[0], "=", `${name}.${pair[1]}`);
        return isCondition
          ? call(b, `${kind}Query`, named, condition)
          : call(b, `${kind}Query`, named, ...pair);
      };
    };
    return [
      [kind, by],
      [`${kind}On`, on],
      [`${kind}Query`, query],
    ];
  }),
);

const parts = ({ own, places }: Plan) => [
  ...fieldsOf(own),
  ...[...places.keys()].flatMap((name) => [`${name}.id`, `${name}.n`]),
];

/** What says which rows come out, and how. */
const selecting: Makers = {
  fields: (plan) => {
    const { chance } = plan;
    const lists = paths(plan, false);
    const path = lists.length > 0 ? chance.of(lists) : undefined;
    const dice = plan.path === undefined ? chance.below(4) : 0;
    const more = (): unknown[] => {
      if (dice === 0 && path !== undefined)
        return [call(loose(ofRelation)(path, loose(sum)("n")), "as", "sums")];
      if (dice === 1)
        return [call(call(loose(rowNumber)(), "over", { orderBy: [["id", "asc"]] }), "as", "place")];
      if (dice === 2) return [call(call(loose(count)(), "over", {}), "as", "all")];
      return [];
    };
    return (b) => call(b, "fields", ...parts(plan), ...more());
  },
  with: (plan) => {
    const all = paths(plan);
    const path = all.length > 0 ? plan.chance.of(all) : "none";
    const rows =
      all.length > 0 && plan.chance.oneIn(2)
        ? rowsOf(plan, target(plan.own, path), ways[plan.own][path]?.[1] === false)
        : undefined;
    return (b, place) => call(b, "with", path, ...(rows === undefined ? [] : [asQuery(rows(place))]));
  },
  withOn: (plan) => {
    const rows = rowsOf(plan, plan.chance.of(names), true);
    const [mine, theirs] = pairOf(plan);
    const isCondition = plan.chance.oneIn(2);
    return (b, place) =>
      isCondition
        ? call(b, "withOn", "inside", asQuery(rows(place)), loose(compare)(mine, "=", `inside.${theirs}`))
        : call(b, "withOn", "inside", asQuery(rows(place)), mine, theirs);
  },
  groupBy: () => (b) =>
    call(
      call(b, "fields", "n", call(loose(count)(), "as", "number"), call(loose(sum)("id"), "as", "total")),
      "groupBy",
      "n",
    ),
  having: (plan) => {
    const grouped = selecting["groupBy"]?.(plan) as Step;
    return (b, place) => call(grouped(b, place), "having", "number", ">=", value(plan.isSingle ? 1 : 2));
  },
  havingAgg: (plan) => {
    const grouped = selecting["groupBy"]?.(plan) as Step;
    return (b, place) =>
      call(grouped(b, place), "havingAgg", "count", "*", ">=", value(plan.isSingle ? 1 : 2));
  },
  distinct: () => (b) => call(call(b, "fields", "n"), "distinct"),
  distinctOn: () => (b) =>
    call(
      call(call(call(b, "fields", "id", "n"), "distinctOn", "n"), "orderBy", "n", "asc"),
      "orderBy",
      "id",
      "asc",
    ),
  ...Object.fromEntries(
    ["forUpdate", "forNoKeyUpdate", "forShare", "forKeyShare"].map((lock) => [
      lock,
      (): Step => (b) => call(b, lock),
    ]),
  ),
};

// Every order ends with the key, so that a limit has one meaning.
const byKey = (b: Loose) => call(b, "orderBy", "id", "asc");
const ordering: Makers = {
  orderBy: () => (b) => byKey(call(b, "orderBy", "n", "desc")),
  orderByNulls: () => (b) => byKey(call(b, "orderByNulls", "n", "desc", "first")),
};

const paging: Makers = {
  limit: () => (b) => call(byKey(b), "limit", 3),
  offset: () => (b) => call(call(byKey(b), "limit", 4), "offset", value(1)),
  limitParam: ({ params }) => {
    params["most"] = 2;
    return (b) => call(byKey(b), "limitParam", "most");
  },
  offsetParam: ({ params }) => {
    params["from"] = 1;
    return (b) => call(call(byKey(b), "limit", 4), "offsetParam", "from");
  },
};

const combining: Makers = Object.fromEntries(
  ["union", "unionAll", "intersect", "intersectAll", "except", "exceptAll"].map((method) => [
    method,
    (plan: Plan): Step => {
      const other = plan.chance.of(names);
      const rows = rowsOf(plan, other);
      return (b, place) => call(b, method, call(asQuery(rows(place)), "fields", "n"));
    },
  ]),
);

/** A query made a part of another. */
const wrapping: Makers = {
  count: () => (b) => call(b, "count"),
  exists: () => (b) => call(b, "exists"),
  as:
    () =>
    (b, { db }) =>
      call(call(db, "from", call(call(b, "fields", "id", "n"), "as", "x")), "fields", "id", "n"),
  page: () => (b) => call(byKey(b), "page", 3),
};

/** What a change sets. */
const setting: Makers = {
  set: ({ chance }) => {
    const dice = chance.below(3);
    return (b) => {
      if (dice === 0) return call(b, "set", "n", loose(add)("n", value(1)));
      return call(b, "set", "n", value(7));
    };
  },
  setExpr: () => (b) => call(b, "setExpr", "n", "+", value(10)),
  setPath: () => (b) => call(b, "setPath", "more", ["k"], value(70)),
  setFrom: (plan) => {
    const all = paths(plan, true);
    const path = all.length > 0 ? plan.chance.of(all) : "none";
    return (b) => call(b, "setFrom", "m", path, "n");
  },
};

const returning: Makers = {
  returning: () => (b) => call(b, "returning", "id", "n"),
};
const dynamic: Makers = { dynamic: () => (b) => call(b, "dynamic") };

/** The steps of each kind of builder. */
export const makers = {
  query: {
    ...filtering,
    ...optional,
    ...joining,
    ...selecting,
    ...ordering,
    ...paging,
    ...wrapping,
    ...dynamic,
  },
  select: { ...filtering, ...optional, ...joining, ...selecting, ...ordering, ...dynamic },
  aggregate: { ...filtering, ...optional, ...joining, ...dynamic },
  compound: { ...combining, ...dynamic },
  page: { ...dynamic },
  modify: { ...filtering, ...setting, ...returning, ...dynamic },
  remove: { ...filtering, ...returning, ...dynamic },
  insert: { ...conditions, ...returning, ...dynamic },
} as const satisfies Readonly<Record<string, Makers>>;
export type Kind = keyof typeof makers;
export const groups = {
  conditions,
  filtering,
  optional,
  joining,
  selecting,
  ordering,
  paging,
  combining,
  setting,
};
