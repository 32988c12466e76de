/**
 * The schemas of programs that people run, as Debian's packages carry them: fetched by `apt-get download` into a folder
 * of the system's temporary one, and in no commit. One that cannot be fetched is a named skip.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

export type SchemaDialect = "postgres" | "mariadb" | "sqlite";

/** Where a program's schema stands: a package and a file in it, or a file of the folder that a variable names. */
interface Source {
  readonly package?: string;
  readonly path: string;
}

/** No package carries these: who has their files gives the folder, which has `sakila.postgres.sql` and so on. */
const given = process.env["ROWTYPE_SCHEMAS"];

/** A program with the places of its schema. */
export interface Program {
  readonly name: string;
  readonly on: { readonly [D in SchemaDialect]?: Source };
  /** What is no SQL of the server in the file: templates, commands of a client. */
  readonly made?: (text: string) => string;
  /** It comes from the folder of `ROWTYPE_SCHEMAS`; what it loses differs by the file. */
  readonly isGiven?: true;
  /** It takes a server half a minute. */
  readonly isLarge?: true;
  /** The kinds of what `pull` says that it does not carry: reviewed by hand. */
  readonly losesOn?: { readonly [D in SchemaDialect]?: readonly string[] };
  /** The share of its tables that take a row of any values, where that is less than most of them. */
  readonly filled?: number;
  /** Tables that refer to what is not there. */
  readonly brokenReferences?: { readonly [D in SchemaDialect]?: readonly string[] };
}

const of = (name: string, path: string): Source => ({ package: name, path });
const dbconfig = (name: string, kind: string, app = name) =>
  of(name, `usr/share/dbconfig-common/data/${app}/install/${kind}`);
const roundcube = (kind: string) => of("roundcube-core", `usr/share/roundcube/SQL/${kind}.initial.sql`);
const mediawiki = (path: string) => of("mediawiki", `usr/share/mediawiki/${path}`);
const abuse = (kind: string) =>
  mediawiki(`extensions-core/AbuseFilter/db_patches/${kind}/tables-generated.sql`);
const ejabberd = (kind: string) => of("ejabberd", `usr/share/ejabberd/sql/${kind}.sql`);
const radius = (kind: string) =>
  of("freeradius-config", `etc/freeradius/3.0/mods-config/sql/main/${kind}/schema.sql`);
const tracker = (kind: string) => of("request-tracker5", `usr/share/request-tracker5/etc/schema.${kind}`);

// Identities take their place; a prefix, several expressions or an operator class make an index that is not said.
const SERIAL = "default nextval";
const OTHER_ENGINE = "table option ENGINE";
const ROWID = "INTEGER PRIMARY KEY";
const KEY_NULL = "NULL in the primary key";

export const programs: readonly Program[] = [
  {
    name: "MediaWiki",
    losesOn: { postgres: [SERIAL], mariadb: ["fulltext index", "index", OTHER_ENGINE] },
    on: {
      postgres: mediawiki("maintenance/postgres/tables-generated.sql"),
      mariadb: mediawiki("maintenance/tables-generated.sql"),
      sqlite: mediawiki("maintenance/sqlite/tables-generated.sql"),
    },
  },
  {
    name: "AbuseFilter",
    losesOn: { postgres: [SERIAL] },
    on: { postgres: abuse("postgres"), mariadb: abuse("mysql"), sqlite: abuse("sqlite") },
  },
  {
    name: "Roundcube",
    losesOn: { postgres: [SERIAL, "sequence"] },
    on: { postgres: roundcube("postgres"), mariadb: roundcube("mysql"), sqlite: roundcube("sqlite") },
  },
  {
    name: "Zabbix",
    isLarge: true,
    losesOn: { postgres: [SERIAL, "function", "trigger"], mariadb: ["index"] },
    on: {
      postgres: of("zabbix-server-pgsql", "usr/share/zabbix-server-pgsql/schema.sql.gz"),
      mariadb: of("zabbix-server-mysql", "usr/share/zabbix-server-mysql/schema.sql.gz"),
      sqlite: of("zabbix-proxy-sqlite3", "usr/share/zabbix-proxy-sqlite3/schema.sql.gz"),
    },
    // Its triggers are divided by a word of the client.
    made: (text) => text.replace(/^DELIMITER \$\$$[\s\S]*?^DELIMITER ;$/gim, ""),
  },
  {
    name: "Bacula",
    losesOn: {
      postgres: [SERIAL, "index"],
      mariadb: ["index", "primary key"],
      sqlite: [ROWID, KEY_NULL, "reference", "type"],
    },
    // It refers to a table by the name of a column.
    brokenReferences: { sqlite: ["LocationLog"] },
    on: {
      postgres: dbconfig("bacula-director-pgsql", "pgsql"),
      mariadb: dbconfig("bacula-director-mysql", "mysql"),
      sqlite: dbconfig("bacula-director-sqlite3", "sqlite3"),
    },
  },
  {
    name: "ejabberd",
    losesOn: { postgres: [SERIAL], mariadb: ["fulltext index", "index"], sqlite: [KEY_NULL] },
    on: { postgres: ejabberd("pg"), mariadb: ejabberd("mysql"), sqlite: ejabberd("lite") },
  },
  {
    name: "PowerDNS",
    losesOn: { postgres: [SERIAL, "index"], sqlite: [ROWID] },
    on: {
      postgres: of("pdns-backend-pgsql", "usr/share/pdns-backend-pgsql/schema/schema.pgsql.sql"),
      mariadb: of("pdns-backend-mysql", "usr/share/pdns-backend-mysql/schema/schema.mysql.sql"),
      sqlite: of("pdns-backend-sqlite3", "usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql"),
    },
  },
  {
    name: "FreeRADIUS",
    losesOn: { postgres: [SERIAL], mariadb: ["index"], sqlite: [KEY_NULL] },
    on: { postgres: radius("postgresql"), mariadb: radius("mysql"), sqlite: radius("sqlite") },
  },
  {
    name: "Request Tracker",
    losesOn: { postgres: [SERIAL, "index", "sequence"], sqlite: [ROWID] },
    on: { postgres: tracker("Pg"), mariadb: tracker("mysql"), sqlite: tracker("SQLite") },
    // Comments of MySQL stand in the files for others too.
    made: (text) => text.replace(/#.*$/gm, ""),
  },
  {
    name: "Icinga",
    isLarge: true,
    losesOn: { postgres: [SERIAL, "function"] },
    on: {
      postgres: of("icinga2-ido-pgsql", "usr/share/icinga2-ido-pgsql/schema/pgsql.sql"),
      mariadb: of("icinga2-ido-mysql", "usr/share/icinga2-ido-mysql/schema/mysql.sql"),
    },
  },
  {
    name: "Tiny Tiny RSS",
    losesOn: { postgres: [SERIAL, "function"], mariadb: ["index"] },
    on: {
      postgres: of("tt-rss", "usr/share/tt-rss/schema/ttrss_schema_pgsql.sql"),
      mariadb: of("tt-rss", "usr/share/tt-rss/schema/ttrss_schema_mysql.sql"),
    },
  },
  {
    name: "Kea",
    isLarge: true,
    // Its triggers keep a log of revisions, which its own functions begin.
    filled: 0.4,
    losesOn: { postgres: [SERIAL, "function", "trigger"] },
    on: { postgres: of("kea-admin", "usr/share/kea/scripts/pgsql/dhcpdb_create.pgsql") },
    made: (text) => text.replace(/^\\.*$/gm, ""),
  },
  {
    name: "Gerbera",
    losesOn: { mariadb: [OTHER_ENGINE], sqlite: [ROWID] },
    on: {
      mariadb: of("gerbera", "usr/share/gerbera/mysql.sql"),
      sqlite: of("gerbera", "usr/share/gerbera/sqlite3.sql"),
    },
    // It gives tables their names when it has read the file.
    made: (text) => text.replaceAll("mt_cds_object", "cds_object"),
  },
  {
    name: "phpMyAdmin",
    on: { mariadb: dbconfig("phpmyadmin", "mysql") },
  },
  ...["Sakila", "Northwind"].map((name): Program => {
    const file = (dialect: string): Source => ({ path: `${name.toLowerCase()}.${dialect}.sql` });
    return {
      name,
      isGiven: true,
      on: { postgres: file("postgres"), mariadb: file("mariadb"), sqlite: file("sqlite") },
      // Triggers of MySQL are divided by a word of the client, and the database is one of the test.
      made: (text) =>
        text
          .replace(/^DELIMITER \S+$[\s\S]*?^DELIMITER ;$/gim, "")
          .replace(/^(?:(?:CREATE|DROP) (?:SCHEMA|DATABASE)|USE) .*;$/gim, ""),
    };
  }),
];

const store = join(tmpdir(), "rowtype-real-schemas");

/** The SQL of a schema; undefined where its package cannot be had here. */
export function schemaOf(program: Program, dialect: SchemaDialect): string | undefined {
  const source = program.on[dialect];
  if (source === undefined) return undefined;
  const file = placeOf(source);
  if (!existsSync(file) && !fetched(source, file)) return undefined;
  const bytes = readFileSync(file);
  const text = (source.path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString();
  return program.made?.(text) ?? text;
}

function placeOf({ package: name, path }: Source): string {
  if (name === undefined) return join(given ?? store, path);
  return join(store, `${name}-${path.replaceAll("/", "-")}`);
}

/** The domains and functions of a schema, which declarations do not carry and its tables need first. */
export function neededBy(sql: string): string {
  const statements = sql.match(
    /^CREATE (?:DOMAIN|AGGREGATE) [^;]*;$|^CREATE FUNCTION [\s\S]*?(\$\w*\$)[\s\S]*?\1[^;]*;$/gm,
  );
  return ["SET check_function_bodies = false;", ...(statements ?? [])].join("\n");
}

const missing = new Set<string>();

function fetched(source: Source, file: string): boolean {
  if (source.package === undefined || missing.has(source.package)) return false;
  const folder = join(store, `.${source.package}-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: folder, stdio: ["ignore", "pipe", "ignore"], maxBuffer: 2 ** 28 });
  try {
    run("apt-get", "download", "-q", source.package);
    const [name = ""] = readdirSync(folder);
    run("dpkg-deb", "-x", name, "files");
    // Every schema of the package: another dialect asks for another file of it.
    for (const { on } of programs)
      for (const one of Object.values(on))
        if (one.package === source.package) {
          const place = placeOf(one);
          writeFileSync(`${place}.part`, readFileSync(join(folder, "files", one.path)));
          renameSync(`${place}.part`, place);
        }
    return existsSync(file);
  } catch {
    missing.add(source.package);
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
