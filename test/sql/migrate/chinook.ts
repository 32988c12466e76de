/**
 * The eleven tables of the Chinook database (https://github.com/lerocha/chinook-database; copyright Luis Rocha, MIT
 * licence), as its scripts for each dialect declare them.
 */
import type { Dialect } from "rowtype";

/** A table: its columns with their types, its key, and the tables that columns refer to. */
type Chinook = readonly [
  name: string,
  columns: Readonly<Record<string, string>>,
  key: readonly string[],
  references: Readonly<Record<string, string>>,
];

const TABLES: readonly Chinook[] = [
  ["Artist", { ArtistId: "int!", Name: "text 120" }, ["ArtistId"], {}],
  ["Album", { AlbumId: "int!", Title: "text 160!", ArtistId: "int!" }, ["AlbumId"], { ArtistId: "Artist" }],
  [
    "Employee",
    {
      EmployeeId: "int!",
      LastName: "text 20!",
      FirstName: "text 20!",
      Title: "text 30",
      ReportsTo: "int",
      BirthDate: "date",
      HireDate: "date",
      Address: "text 70",
      City: "text 40",
      State: "text 40",
      Country: "text 40",
      PostalCode: "text 10",
      Phone: "text 24",
      Fax: "text 24",
      Email: "text 60",
    },
    ["EmployeeId"],
    { ReportsTo: "Employee" },
  ],
  [
    "Customer",
    {
      CustomerId: "int!",
      FirstName: "text 40!",
      LastName: "text 20!",
      Company: "text 80",
      Address: "text 70",
      City: "text 40",
      State: "text 40",
      Country: "text 40",
      PostalCode: "text 10",
      Phone: "text 24",
      Fax: "text 24",
      Email: "text 60!",
      SupportRepId: "int",
    },
    ["CustomerId"],
    { SupportRepId: "Employee" },
  ],
  ["Genre", { GenreId: "int!", Name: "text 120" }, ["GenreId"], {}],
  [
    "Invoice",
    {
      InvoiceId: "int!",
      CustomerId: "int!",
      InvoiceDate: "date!",
      BillingAddress: "text 70",
      BillingCity: "text 40",
      BillingState: "text 40",
      BillingCountry: "text 40",
      BillingPostalCode: "text 10",
      Total: "money!",
    },
    ["InvoiceId"],
    { CustomerId: "Customer" },
  ],
  ["MediaType", { MediaTypeId: "int!", Name: "text 120" }, ["MediaTypeId"], {}],
  [
    "Track",
    {
      TrackId: "int!",
      Name: "text 200!",
      AlbumId: "int",
      MediaTypeId: "int!",
      GenreId: "int",
      Composer: "text 220",
      Milliseconds: "int!",
      Bytes: "int",
      UnitPrice: "money!",
    },
    ["TrackId"],
    { AlbumId: "Album", GenreId: "Genre", MediaTypeId: "MediaType" },
  ],
  [
    "InvoiceLine",
    { InvoiceLineId: "int!", InvoiceId: "int!", TrackId: "int!", UnitPrice: "money!", Quantity: "int!" },
    ["InvoiceLineId"],
    { InvoiceId: "Invoice", TrackId: "Track" },
  ],
  ["Playlist", { PlaylistId: "int!", Name: "text 120" }, ["PlaylistId"], {}],
  [
    "PlaylistTrack",
    { PlaylistId: "int!", TrackId: "int!" },
    ["PlaylistId", "TrackId"],
    { PlaylistId: "Playlist", TrackId: "Track" },
  ],
];

/** PostgreSQL's script has names in lower case, MariaDB's in backticks, SQLite's in brackets. */
const NAMES: Readonly<Partial<Record<Dialect, (name: string) => string>>> = {
  postgres: (name) => name.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase(),
  mariadb: (name) => `\`${name}\``,
  sqlite: (name) => `[${name}]`,
};

const TYPES: Readonly<Partial<Record<Dialect, Readonly<Record<string, string>>>>> = {
  postgres: { int: "INT", text: "VARCHAR", date: "TIMESTAMP", money: "NUMERIC(10,2)" },
  mariadb: { int: "INT", text: "NVARCHAR", date: "DATETIME", money: "NUMERIC(10,2)" },
  sqlite: { int: "INTEGER", text: "NVARCHAR", date: "DATETIME", money: "NUMERIC(10,2)" },
};

/** The statements of the script. */
export function chinook(dialect: Dialect): readonly string[] {
  const quote = NAMES[dialect] ?? String;
  const types = TYPES[dialect] ?? {};
  const made = TABLES.map(([name, columns, key, references]) => {
    const lines = Object.entries(columns).map(([column, said]) => {
      const [, kind = "", length] = /^(\w+)(?: (\d+))?/.exec(said) ?? [];
      const type = `${types[kind]}${length === undefined ? "" : `(${length})`}`;
      return `${quote(column)} ${type}${said.endsWith("!") ? " NOT NULL" : ""}`;
    });
    // In SQLite a reference stands in its table.
    const inTable = dialect === "sqlite" ? Object.entries(references) : [];
    const keys = inTable.map(
      ([column, target]) =>
        `FOREIGN KEY (${quote(column)}) REFERENCES ${quote(target)} (${quote(`${target}Id`)}) ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
    const primary = `CONSTRAINT ${quote(`PK_${name}`)} PRIMARY KEY (${key.map(quote).join(", ")})`;
    return `CREATE TABLE ${quote(name)} (${[...lines, primary, ...keys].join(", ")})`;
  });
  const more = TABLES.flatMap(([name, , , references]) =>
    Object.entries(references).flatMap(([column, target]) => {
      const key = `ALTER TABLE ${quote(name)} ADD CONSTRAINT ${quote(`FK_${name}${column}`)} FOREIGN KEY (${quote(column)}) REFERENCES ${quote(target)} (${quote(`${target}Id`)}) ON DELETE NO ACTION ON UPDATE NO ACTION`;
      const index = `CREATE INDEX ${quote(`IFK_${name}${column}`)} ON ${quote(name)} (${quote(column)})`;
      return dialect === "sqlite" ? [index] : [key, index];
    }),
  );
  return [...made, ...more];
}

/** Rows for all tables, four in each: some refer to nothing where they may, and some to the same row. */
export function chinookRows(dialect: Dialect): readonly string[] {
  const quote = NAMES[dialect] ?? String;
  return TABLES.flatMap(([name, columns, key, references]) =>
    [1, 2, 3, 4].map((n) => {
      const values = Object.entries(columns).map(([column, said], at) => {
        const [, kind = ""] = /^(\w+)/.exec(said) ?? [];
        if (key.length === 1 && column === key[0]) return String(n);
        // A pair is there once, and has rows of both sides that come again.
        if (key.length > 1) return String(column === key[0] ? 1 + (n % 2) : 1 + ((n + 1) >> 1));
        if (references[column] === name) return n === 1 ? "NULL" : String((n + 1) >> 1);
        if (column in references)
          return n === 4 && !said.endsWith("!") ? "NULL" : String(1 + ((n * 3 + at) % 3));
        return { int: String(n), text: `'${n}'`, date: `'2021-01-0${n} 00:00:00'`, money: `${n}.50` }[kind];
      });
      const names = Object.keys(columns).map(quote).join(", ");
      return `INSERT INTO ${quote(name)} (${names}) VALUES (${values.join(", ")})`;
    }),
  );
}

/** A name of the script as a statement writes it. */
export const chinookName = (name: string, dialect: Dialect): string => (NAMES[dialect] ?? String)(name);
