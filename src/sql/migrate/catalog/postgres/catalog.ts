/**
 * Reads the catalog of PostgreSQL, in the server's own words: types by `format_type`, expressions by `pg_get_expr`.
 * The same queries read the tables of a schema and, for `diff`, temporary tables made from declarations.
 */
import type { output } from "zod";
import * as z from "zod";
import type {
  CatalogCheck,
  CatalogColumn,
  CatalogEnum,
  CatalogForeignKey,
  CatalogIndex,
  CatalogKey,
  CatalogTable,
  CatalogUnknown,
  CatalogView,
  ReferenceAction,
} from "../../words/catalog.js";
import type { CatalogScope, Runs } from "../../words/reading.js";
import type { CatalogParts } from "../dialect.js";

/** Reads the tables of these schemas. */
export async function readPostgres(db: Runs, { schemas, home: said }: CatalogScope): Promise<CatalogParts> {
  const home = said ?? (await currentSchema(db));
  const given = { schemas: schemas.map((schema) => schema ?? home) };
  const nameOf = (schema: string) => (schema === home ? null : schema);
  const classes = await db.sql(CLASSES, classRow).exec(given);
  const columns = groupedBy(await db.sql(COLUMNS, columnRow).exec(given), ({ oid }) => oid);
  const constraints = groupedBy(await db.sql(CONSTRAINTS, constraintRow).exec(given), ({ oid }) => oid);
  const indexes = groupedBy(await db.sql(INDEXES, indexRow).exec(given), ({ oid }) => oid);
  const enums = await db.sql(ENUMS, enumRow).exec(given);
  const others = await db.sql(OTHERS, otherRow).exec(given);

  const unknown: CatalogUnknown[] = others.map((one) => ({ ...one, schema: nameOf(one.schema) }));
  const tables: CatalogTable[] = [];
  const views: CatalogView[] = [];
  const byOid = new Map(classes.map((one) => [one.oid, one]));
  for (const { oid, schema: spelled, name, kind, comment, definition, partitioned, root } of classes) {
    const schema = nameOf(spelled);
    const own = (columns.get(oid) ?? []).map(columnOf);
    if (kind === "v") {
      const query = (definition ?? "").replace(/;\s*$/, "");
      views.push({ name, schema, columns: own.map(viewColumn), definition: query, comment });
      continue;
    }
    // A partition belongs to the table at the root, also one that is divided again.
    const whole = root === null ? undefined : byOid.get(root);
    const of =
      whole === undefined ? { schema, table: name } : { schema: nameOf(whole.schema), table: whole.name };
    if (partitioned !== null) unknown.push({ kind: partitioned, ...of, name, definition: null });
    if (partitioned === "partition") continue;
    const said = constraints.get(oid) ?? [];
    const keyOf = ({ name, columns }: ConstraintRow): CatalogKey => ({ name, columns });
    const built: CatalogIndex[] = [];
    for (const index of indexes.get(oid) ?? []) {
      const modelled = indexOf(index);
      if (modelled !== undefined) built.push(modelled);
      else
        unknown.push({ kind: "index", schema, table: name, name: index.name, definition: index.definition });
    }
    const [primary] = said.filter(({ kind }) => kind === "p");
    for (const one of said)
      if (!isModelled(one))
        unknown.push({ kind: "constraint", schema, table: name, name: one.name, definition: one.definition });
    const kept = said.filter(isModelled);
    tables.push({
      name,
      schema,
      columns: own,
      primaryKey: primary === undefined ? null : keyOf(primary),
      keys: kept.filter(({ kind }) => kind === "u").map(keyOf),
      foreignKeys: kept.filter(({ kind }) => kind === "f").map((one) => foreignKeyOf(one, nameOf)),
      checks: kept.filter(({ kind }) => kind === "c").map(checkOf),
      indexes: built,
      comment,
    });
  }
  return { tables, views, enums: enums.map((one) => enumOf(one, nameOf)), unknown };
}

/** The schema that unqualified names refer to. */
export async function currentSchema(db: Runs): Promise<string> {
  const [row] = await db.sql("SELECT current_schema()::text AS name", z.object({ name: perhaps })).exec();
  return row?.name ?? "public";
}

const text = z.string();
const perhaps = z.string().nullable();

const classRow = z.object({
  oid: text,
  schema: text,
  name: text,
  kind: text,
  comment: perhaps,
  definition: perhaps,
  partitioned: perhaps,
  root: perhaps,
});

// Objects that an extension created belong to it.
const NOT_OF_EXTENSION = (oid: string, catalog: string) =>
  `NOT EXISTS (SELECT FROM pg_depend e WHERE e.objid = ${oid} AND e.classid = '${catalog}'::regclass AND e.deptype = 'e')`;

const OWN = `FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = ANY(:schemas) AND c.relkind IN ('r', 'p', 'v') AND ${NOT_OF_EXTENSION("c.oid", "pg_class")}`;

const CLASSES = `SELECT c.oid::text AS oid, n.nspname::text AS schema, c.relname::text AS name, c.relkind::text AS kind,
  obj_description(c.oid, 'pg_class') AS comment,
  CASE c.relkind WHEN 'v' THEN pg_get_viewdef(c.oid) END AS definition,
  CASE WHEN c.relispartition THEN 'partition' WHEN c.relkind = 'p' THEN 'partitioned table'
    WHEN EXISTS (SELECT FROM pg_inherits h WHERE h.inhrelid = c.oid) THEN 'inheritance' END AS partitioned,
  CASE WHEN c.relispartition THEN pg_partition_root(c.oid)::oid::text END AS root
${OWN}`;

const columnRow = z.object({
  oid: text,
  name: text,
  type: text,
  collation: perhaps,
  nullable: z.boolean(),
  expression: perhaps,
  identity: text,
  computed: text,
  comment: perhaps,
});
type ColumnRow = output<typeof columnRow>;

const COLUMNS = `SELECT a.attrelid::text AS oid, a.attname::text AS name,
  format_type(a.atttypid, a.atttypmod) AS type,
  CASE WHEN a.attcollation <> t.typcollation THEN l.collname::text END AS collation,
  NOT a.attnotnull AS nullable, pg_get_expr(d.adbin, d.adrelid) AS expression,
  a.attidentity::text AS identity, a.attgenerated::text AS computed,
  col_description(a.attrelid, a.attnum) AS comment
FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
LEFT JOIN pg_collation l ON l.oid = a.attcollation
LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
WHERE a.attnum > 0 AND NOT a.attisdropped AND a.attrelid IN (SELECT c.oid ${OWN})
ORDER BY a.attrelid, a.attnum`;

function columnOf({ oid: _, expression, identity, computed, ...column }: ColumnRow): CatalogColumn {
  const isComputed = computed !== "";
  return {
    ...column,
    default: isComputed ? null : expression,
    generated: identity === "a" ? "always" : identity === "d" ? "byDefault" : false,
    computed: isComputed ? { expression: expression ?? "", stored: computed === "s" } : null,
  };
}

const viewColumn = ({ name, type, nullable }: CatalogColumn) => ({ name, type, nullable });

const constraintRow = z.object({
  oid: text,
  name: text,
  kind: text,
  columns: z.array(text),
  expression: perhaps,
  definition: text,
  targetSchema: perhaps,
  target: perhaps,
  targetColumns: z.array(text),
  onDelete: text,
  onUpdate: text,
  matches: text,
  deferrable: z.boolean(),
  deferred: z.boolean(),
  validated: z.boolean(),
  inherited: z.boolean(),
});
type ConstraintRow = output<typeof constraintRow>;

const namesOf = (relation: string, numbers: string) => `ARRAY(SELECT a.attname::text
    FROM unnest(${numbers}) WITH ORDINALITY u(num, place)
    JOIN pg_attribute a ON a.attrelid = ${relation} AND a.attnum = u.num ORDER BY u.place)`;

const CONSTRAINTS = `SELECT k.conrelid::text AS oid, k.conname::text AS name, k.contype::text AS kind,
  ${namesOf("k.conrelid", "k.conkey")} AS columns,
  CASE k.contype WHEN 'c' THEN pg_get_expr(k.conbin, k.conrelid) END AS expression,
  pg_get_constraintdef(k.oid) AS definition,
  tn.nspname::text AS "targetSchema", t.relname::text AS target,
  ${namesOf("k.confrelid", "k.confkey")} AS "targetColumns",
  k.confdeltype::text AS "onDelete", k.confupdtype::text AS "onUpdate", k.confmatchtype::text AS matches,
  k.condeferrable AS deferrable, k.condeferred AS deferred, k.convalidated AS validated,
  k.connoinherit OR k.coninhcount > 0 AS inherited
FROM pg_constraint k LEFT JOIN pg_class t ON t.oid = k.confrelid LEFT JOIN pg_namespace tn ON tn.oid = t.relnamespace
WHERE k.contype <> 'n' AND k.conrelid IN (SELECT c.oid ${OWN})`;

function isModelled({ kind, definition, matches, deferrable }: ConstraintRow): boolean {
  switch (kind) {
    case "p":
      return true;
    case "u":
      return !deferrable && !/ NULLS NOT DISTINCT |\) (?:INCLUDE|WITH) /.test(definition);
    case "c":
      return !/ NO INHERIT(?: |$)/.test(definition);
    case "f":
      // MATCH FULL, and SET NULL of only some columns, are more than a declaration can say.
      return matches === "s" && !/ SET (?:NULL|DEFAULT) \(/.test(definition);
    default:
      return false;
  }
}

const actions: ReadonlyMap<string, ReferenceAction> = new Map([
  ["a", "no action"],
  ["r", "restrict"],
  ["c", "cascade"],
  ["n", "set null"],
  ["d", "set default"],
]);

function foreignKeyOf(row: ConstraintRow, nameOf: (schema: string) => string | null): CatalogForeignKey {
  const { name, columns, targetSchema, target, targetColumns, deferrable, deferred, validated } = row;
  return {
    name,
    columns,
    target: {
      schema: targetSchema === null ? null : nameOf(targetSchema),
      table: target ?? "",
      columns: targetColumns,
    },
    onDelete: actions.get(row.onDelete) ?? "no action",
    onUpdate: actions.get(row.onUpdate) ?? "no action",
    deferrable: deferrable && (deferred ? "initially deferred" : "initially immediate"),
    validated,
  };
}

function checkOf({ name, expression, validated }: ConstraintRow): CatalogCheck {
  return { name, expression: expression ?? "", validated };
}

const indexRow = z.object({
  oid: text,
  name: text,
  unique: z.boolean(),
  valid: z.boolean(),
  method: text,
  where: perhaps,
  columns: z.array(text),
  expressions: z.array(text),
  options: z.array(text),
  plain: z.boolean(),
  definition: text,
});

const INDEXES = `SELECT i.indrelid::text AS oid, x.relname::text AS name, i.indisunique AS unique,
  i.indisvalid AND i.indisready AS valid, m.amname::text AS method, pg_get_expr(i.indpred, i.indrelid) AS where,
  ARRAY(SELECT coalesce(a.attname::text, '') FROM unnest(i.indkey::int2[]) WITH ORDINALITY u(num, place)
    LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = u.num AND u.num > 0 ORDER BY u.place) AS columns,
  ARRAY(SELECT pg_get_indexdef(i.indexrelid, u.place::int, false) FROM generate_series(1, i.indnatts) u(place)
    ORDER BY u.place) AS expressions,
  ARRAY(SELECT u.bits::text FROM unnest(i.indoption::int2[]) WITH ORDINALITY u(bits, place) ORDER BY u.place) AS options,
  i.indnkeyatts = i.indnatts AND x.reloptions IS NULL
    AND pg_get_indexdef(i.indexrelid) NOT LIKE '% NULLS NOT DISTINCT%'
    AND NOT EXISTS (SELECT FROM unnest(i.indclass::oid[]) o(id) JOIN pg_opclass p ON p.oid = o.id
      WHERE NOT p.opcdefault)
    AND NOT EXISTS (SELECT FROM unnest(i.indkey::int2[], i.indcollation::oid[]) u(num, coll)
      JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = u.num AND u.num > 0
      WHERE a.attcollation <> u.coll) AS plain,
  pg_get_indexdef(i.indexrelid) AS definition
FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am m ON m.oid = x.relam
WHERE i.indrelid IN (SELECT c.oid ${OWN})
  AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))`;

// The bits of `indoption`: descending, and NULL first, which is the order of NULL in a descending index.
const ASCENDING = "0";
const DESCENDING = "3";

function indexOf(row: output<typeof indexRow>): CatalogIndex | undefined {
  const { name, unique, valid, method, where, columns, expressions, options, plain } = row;
  const isExpression = columns.includes("");
  if (!plain || (isExpression && columns.length > 1)) return undefined;
  if (options.some((option) => option !== ASCENDING && option !== DESCENDING)) return undefined;
  if (isExpression && options[0] !== ASCENDING) return undefined;
  return {
    name,
    unique,
    columns: isExpression
      ? []
      : columns.map((column, i) => (options[i] === DESCENDING ? ([column, "desc"] as const) : column)),
    expression: isExpression ? (expressions[0] ?? "") : null,
    where,
    using: method === "btree" ? null : method,
    valid,
  };
}

const enumRow = z.object({ schema: text, name: text, values: z.array(text) });

const ENUMS = `SELECT n.nspname::text AS schema, t.typname::text AS name,
  ARRAY(SELECT v.enumlabel::text FROM pg_enum v WHERE v.enumtypid = t.oid ORDER BY v.enumsortorder) AS values
FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
WHERE t.typtype = 'e' AND n.nspname = ANY(:schemas) AND ${NOT_OF_EXTENSION("t.oid", "pg_type")}`;

function enumOf(
  { name, schema, values }: output<typeof enumRow>,
  nameOf: (schema: string) => string | null,
): CatalogEnum {
  return { name, schema: nameOf(schema), values };
}

const otherRow = z.object({
  kind: text,
  schema: text,
  table: perhaps,
  name: text,
  definition: perhaps,
});

const OTHERS = `SELECT 'trigger' AS kind, n.nspname::text AS schema, c.relname::text AS table, g.tgname::text AS name,
  pg_get_triggerdef(g.oid) AS definition
FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE NOT g.tgisinternal AND NOT c.relispartition AND n.nspname = ANY(:schemas)
UNION ALL
SELECT 'policy', n.nspname::text, c.relname::text, p.polname::text, NULL
FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = ANY(:schemas)
UNION ALL
SELECT 'rule', n.nspname::text, c.relname::text, r.rulename::text, pg_get_ruledef(r.oid)
FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE r.rulename <> '_RETURN' AND n.nspname = ANY(:schemas)
UNION ALL
SELECT CASE c.relkind WHEN 'm' THEN 'materialized view' WHEN 'f' THEN 'foreign table' ELSE 'sequence' END,
  n.nspname::text, NULL, c.relname::text, NULL
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = ANY(:schemas) AND ${NOT_OF_EXTENSION("c.oid", "pg_class")}
  AND (c.relkind IN ('m', 'f') OR (c.relkind = 'S'
    AND NOT EXISTS (SELECT FROM pg_depend e
      WHERE e.classid = 'pg_class'::regclass AND e.objid = c.oid AND e.deptype IN ('a', 'i'))))
UNION ALL
SELECT CASE t.typtype WHEN 'd' THEN 'domain' ELSE 'type' END, n.nspname::text, NULL, t.typname::text, NULL
FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
WHERE n.nspname = ANY(:schemas) AND ${NOT_OF_EXTENSION("t.oid", "pg_type")} AND (t.typtype IN ('d', 'r')
  OR (t.typtype = 'c' AND EXISTS (SELECT FROM pg_class c WHERE c.oid = t.typrelid AND c.relkind = 'c')))
UNION ALL
SELECT CASE f.prokind WHEN 'p' THEN 'procedure' WHEN 'a' THEN 'aggregate' ELSE 'function' END, n.nspname::text, NULL,
  f.proname::text || '(' || pg_get_function_identity_arguments(f.oid) || ')', NULL
FROM pg_proc f JOIN pg_namespace n ON n.oid = f.pronamespace
WHERE n.nspname = ANY(:schemas) AND ${NOT_OF_EXTENSION("f.oid", "pg_proc")}`;

/** Groups the rows by a key of theirs, in their order. */
function groupedBy<T>(rows: readonly T[], by: (row: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) groups.set(by(row), [...(groups.get(by(row)) ?? []), row]);
  return groups;
}
