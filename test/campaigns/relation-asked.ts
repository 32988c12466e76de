/** Questions as the package is asked them: a builder that is executed, or a change that is undone. */
import {
  builtQuery,
  builtValue,
  call,
  conditioned,
  type Loose,
  ordered,
  type Params,
  type Repositories,
  repositoryOf,
} from "./relation-builder.js";
import type { Question } from "./relation-plans.js";

/** What a question is asked with: a builder that can be executed. */
export interface Asked {
  render(): { readonly native: { readonly sql: string } };
  exec(params: object): Promise<unknown>;
  execOrNull(params: object): Promise<unknown>;
}

/** The builder of a question; its parameters are added to `params`. */
export function builtQuestion(question: Question, of: Repositories, params: Params): Asked {
  const { query } = question;
  const asks = (builder: Loose) => builder as unknown as Asked;
  switch (question.op) {
    case "value":
      return asks(builtValue(question, of, params));
    case "compound": {
      const both = [query, question.other].map((one) => builtQuery(one, of, params)) as [Loose, Loose];
      let builder = call(both[0], question.verb, both[1]);
      for (const order of question.orders) builder = ordered(builder, order, params);
      return asks(question.limit === undefined ? builder : call(builder, "limit", question.limit));
    }
    case "change":
      return change(question, of, params);
    case "insert":
      return insert(question, of, params);
    case "stream":
      return stream(builtQuery(query, of, params));
    case "pages":
      return walk(call(builtQuery(query, of, params), "page", question.size));
    case "first":
      return asks(builtQuery(query, of, params, "select"));
    default: {
      const builder = builtQuery(query, of, params);
      return asks(question.op === "rows" ? builder : call(builder, question.op));
    }
  }
}

/** All rows of a stream. */
function stream(builder: Loose): Asked {
  // What a query without types makes is a builder of rows.
  const rows = builder as unknown as Asked & { stream(params: object): AsyncIterable<unknown> };
  const exec = async (params: object): Promise<unknown> => {
    const all: unknown[] = [];
    for await (const row of rows.stream(params)) all.push(row);
    return all;
  };
  return { render: () => rows.render(), exec, execOrNull: exec };
}

/** How many rows a change takes, and all rows behind it, before it is undone. */
function change(
  { query, from }: Extract<Question, { op: "change" }>,
  of: Repositories,
  params: Params,
): Asked {
  interface Changing extends Pick<Asked, "render"> {
    exec(params: object, options: object): Promise<number>;
    execMany(params: object, options: object): Promise<readonly unknown[]>;
  }
  const start = call(repositoryOf(of, query.table), from === undefined ? "remove" : "modify");
  const set = from === undefined ? start : call(start, "setFrom", from.field, from.relation, from.theirs);
  // What a query without types makes is a builder of a change.
  const changing = conditioned(query, set, of, params) as unknown as Changing;
  const exec = (params: object) =>
    toldBehind(of, query.table, async (tx) =>
      from === undefined
        ? await changing.exec(params, { tx })
        : (await changing.execMany(params, { tx })).length,
    );
  return { render: () => changing.render(), exec, execOrNull: exec };
}

/** How many rows of a query are stored, and all rows of their table behind it, before it is undone. */
function insert(
  { query, into }: Extract<Question, { op: "insert" }>,
  of: Repositories,
  params: Params,
): Asked {
  // What a query without types makes is a builder of rows.
  const rows = builtQuery(query, of, params) as unknown as Asked;
  const inserting = call(repositoryOf(of, into), "insert") as unknown as {
    execFrom(rows: object, params: object, options: object): Promise<number>;
  };
  const exec = (params: object) => toldBehind(of, into, (tx) => inserting.execFrom(rows, params, { tx }));
  return { render: () => rows.render(), exec, execOrNull: exec };
}

/** The number that a change tells, and all rows of a table behind it, before it is undone. */
async function toldBehind(
  of: Repositories,
  table: string,
  work: (tx: object) => Promise<number>,
): Promise<unknown> {
  // What a query without types makes is a builder of rows.
  const all = call(repositoryOf(of, table), "query") as unknown as {
    exec(params: object, options: object): Promise<readonly unknown[]>;
  };
  const { db } = of as unknown as {
    db: { transaction(work: (tx: object) => Promise<never>): Promise<never> };
  };
  let told: readonly unknown[] = [];
  const undone = new Error("undone");
  const changing = db.transaction(async (tx) => {
    told = [{ count: await work(tx) }, ...(await all.exec({}, { tx }))];
    throw undone;
  });
  await changing.catch((error: unknown) => {
    if (error !== undone) throw error;
  });
  return told;
}

/** All pages, one after the other. */
function walk(builder: Loose): Asked {
  interface Page {
    readonly rows: readonly unknown[];
    readonly next: string | null;
  }
  // What a query without types makes is a builder of pages.
  const pages = builder as unknown as Asked & {
    exec(params: object, options: { readonly after?: string }): Promise<Page>;
  };
  const exec = async (params: object): Promise<unknown> => {
    const all: unknown[] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const { rows, next }: Page = await pages.exec(params, after === undefined ? {} : { after });
      all.push(...rows);
      after = next;
      if (rows.length === 0 && next !== null) throw new Error("an empty page that is not the last");
    }
    return all;
  };
  return { render: () => pages.render(), exec, execOrNull: exec };
}
