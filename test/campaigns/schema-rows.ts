/** Rows for tables that others made: one value for each type, the same everywhere, so that references find each other. */
import type { Dialect } from "rowtype";
import type { CatalogColumn, CatalogEnum, CatalogTable } from "rowtype/migrate";

/** The name of a table or a column in a statement. */
export function quotedName(name: string, dialect: Dialect): string {
  return dialect === "mariadb" ? `\`${name.replaceAll("`", "``")}\`` : `"${name.replaceAll('"', '""')}"`;
}

const VALUES: readonly (readonly [type: RegExp, value: (n: number) => string])[] = [
  [/\[\]$/, () => "'{}'"],
  [/^(?:timestamp|datetime|date)/i, (n) => `'2001-02-0${n} 00:00:00'`],
  [/^time/i, (n) => `'0${n}:02:03'`],
  [/^interval/i, (n) => `'0${n}:00:00'`],
  [/^year/i, (n) => `200${n}`],
  [/^bool|^tinyint\(1\)/i, () => "true"],
  [/^bit/i, () => "b'1'"],
  [/int|serial|numeric|decimal|real|doub|float/i, (n) => String(n)],
  [/^jsonb?$/i, (n) => `'{"n":${n}}'`],
  [/^uuid/i, (n) => `'${String(n).repeat(8)}-1111-1111-1111-111111111111'`],
  [/^(?:inet|cidr)/i, (n) => `'10.0.0.${n}'`],
  [/^macaddr$/i, (n) => `'08:00:2b:01:02:0${n}'`],
  [/^xml/i, (n) => `'<a>${n}</a>'`],
  [/^enum\(/i, () => ""],
  [/char|text|clob|^name$|bytea|blob|binary|tsvector|^set|^$/i, (n) => `'${n}'`],
];

function literalOf({ type }: CatalogColumn, n: number, enums: readonly CatalogEnum[]): string | undefined {
  const own = enums.find(({ name }) => type === name || type === `"${name}"`)?.values[0];
  const [, member] = /^enum\('((?:[^']|'')*)'/i.exec(type) ?? [];
  if (own !== undefined || member !== undefined)
    return `'${(own ?? member ?? "").replaceAll("''", "'").replaceAll("'", "''")}'`;
  return VALUES.find(([pattern]) => pattern.test(type))?.[1](n);
}

/** Statements that insert the n-th row of a table, the fullest first; each says less. */
export function insertsOf(
  table: CatalogTable,
  n: number,
  { dialect, enums }: { readonly dialect: Dialect; readonly enums: readonly CatalogEnum[] },
): readonly string[] {
  const isNumbered = ({ name, default: said, generated, type }: CatalogColumn) =>
    generated !== false ||
    /^nextval\(/.test(said ?? "") ||
    (dialect === "sqlite" && type === "INTEGER" && table.primaryKey?.columns.join("\0") === name);
  const open = table.columns.filter((column) => column.computed === null && !isNumbered(column));
  const referring = new Set(table.foreignKeys.flatMap(({ columns }) => columns));
  const kinds: readonly ((column: CatalogColumn) => boolean)[] = [
    () => true,
    ({ name, nullable }) => !nullable || !referring.has(name),
    ({ nullable }) => !nullable,
    ({ nullable, default: said }) => !nullable && said === null,
  ];
  // A row that refers finds the first row of the other table.
  return kinds.flatMap((isGiven) => [
    ...new Set([true, false].flatMap((refersToFirst) => insert(isGiven, refersToFirst) ?? [])),
  ]);

  function insert(isGiven: (column: CatalogColumn) => boolean, refersToFirst: boolean): string | undefined {
    const given = open.filter(isGiven).map((column) => {
      const isFirst = refersToFirst && referring.has(column.name);
      return [column.name, literalOf(column, isFirst ? 1 : n, enums)] as const;
    });
    if (given.some(([, value]) => value === undefined)) return undefined;
    const name = quotedName(table.name, dialect);
    if (given.length === 0)
      return dialect === "mariadb"
        ? `INSERT INTO ${name} () VALUES ()`
        : `INSERT INTO ${name} DEFAULT VALUES`;
    const columns = given.map(([column]) => quotedName(column, dialect));
    return `INSERT INTO ${name} (${columns.join(", ")}) VALUES (${given.map(([, value]) => value).join(", ")})`;
  }
}
