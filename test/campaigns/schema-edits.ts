/** Random edits of pulled tables: each changes one thing of one table, as a developer would. */
import type { Dialect } from "rowtype";
import type { Catalog } from "rowtype/migrate";
import { z } from "zod";
import type { ColumnParts, Parts, PulledFile } from "../sql/migrate/pulled-file.js";
import { quotedName } from "./schema-rows.js";

/** What an edit may ask of a table. */
export interface EditPlace {
  readonly file: PulledFile;
  readonly constant: string;
  readonly parts: Parts;
  readonly dialect: Dialect;
  readonly catalog: Catalog;
  /** A number that no edit had before. */
  readonly nth: number;
  pick<T>(list: readonly T[]): T | undefined;
}

/** An edit: the table behind it, or undefined where there is nothing to do it to. */
export interface SchemaEdit {
  readonly what: string;
  /** Whether an insert that worked before may be refused behind it. */
  readonly tightens?: true;
  readonly make: (place: EditPlace) => Parts | undefined;
}

interface Property extends ColumnParts {
  readonly property: string;
  /** The column in the database. */
  readonly name: string;
}

function propertiesOf({ file, parts }: EditPlace): Property[] {
  return Object.entries(parts.shape).map(([property, schema]) => {
    const column = file.columnParts(schema);
    return { ...column, property, name: String(column.meta["name"] ?? property) };
  });
}

// Texts of checks, indexes and computed columns name a column as it is called.
function isInText({ parts, file, catalog }: EditPlace, { name, property }: Property): boolean {
  const said = [parts.options["checks"], parts.options["indexes"]];
  const others = Object.values(parts.shape).map((one) => {
    const { computed, check } = file.columnParts(one).meta;
    return [computed, check];
  });
  const views = catalog.views.map(({ definition }) => definition);
  const texts = JSON.stringify([said, others, views]);
  return texts.includes(name) || texts.includes(property);
}

function isHeld(place: EditPlace, one: Property): boolean {
  const { primaryKey, unique, foreignKeys } = place.parts.options;
  const lists = JSON.stringify([primaryKey, unique, foreignKeys]);
  const { meta, property } = one;
  if (meta["primaryKey"] === true || meta["references"] !== undefined || meta["generated"] !== undefined)
    return true;
  if (lists.includes(JSON.stringify(property)) || isInText(place, one)) return true;
  return place.catalog.tables.some(({ foreignKeys: keys }) =>
    keys.some(({ target }) => target.table === place.parts.name && target.columns.includes(one.name)),
  );
}

const isNullable = ({ schema }: ColumnParts) => schema.safeParse(null).success;
const isKind = ({ schema }: ColumnParts, kind: "number" | "string") => {
  const inner = schema instanceof z.ZodNullable ? schema.unwrap() : schema;
  return kind === "number" ? inner instanceof z.ZodNumber : inner instanceof z.ZodString;
};

function withProperty({ parts, file }: EditPlace, property: string, column: ColumnParts): Parts {
  return { ...parts, shape: { ...parts.shape, [property]: file.column(column) } };
}

function withMeta(place: EditPlace, { property, schema, meta }: Property, more: object): Parts {
  return withProperty(place, property, { schema, meta: { ...meta, ...more } });
}

function withOption({ parts }: EditPlace, more: object): Parts {
  return { ...parts, options: { ...parts.options, ...more } };
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

// As the catalogs print types, and wider ones.
const WIDER: readonly (readonly [RegExp, (...found: string[]) => string])[] = [
  [/^smallint$/, () => "integer"],
  [/^integer$/, () => "bigint"],
  [/^(?:small|medium)?int\(\d+\)$/, () => "bigint(20)"],
  [
    /^(character varying|varchar|VARCHAR)\((\d+)\)(.*)$/,
    (_, name = "", n = "", rest = "") => `${name}(${Number(n) + 10})${rest}`,
  ],
  [/^real$/, () => "double precision"],
];

export const schemaEdits: readonly SchemaEdit[] = [
  {
    what: "add a column",
    make: (place) => withProperty(place, `added${place.nth}`, { schema: z.string().nullable(), meta: {} }),
  },
  {
    what: "add a column with a default",
    make: (place) => withProperty(place, `added${place.nth}`, { schema: z.int(), meta: { default: "7" } }),
  },
  {
    what: "add a column with an index",
    make: (place) =>
      withProperty(place, `added${place.nth}`, { schema: z.int().nullable(), meta: { index: true } }),
  },
  {
    what: "add a computed column",
    make: (place) => {
      const of = place.pick(
        propertiesOf(place).filter(
          (one) =>
            isKind(one, "number") &&
            one.meta["computed"] === undefined &&
            one.meta["references"] === undefined &&
            (place.dialect === "postgres" || one.meta["generated"] === undefined),
        ),
      );
      if (of === undefined) return undefined;
      const computed = `${quotedName(of.name, place.dialect)} + 1`;
      return withProperty(place, `added${place.nth}`, {
        schema: z.int().nullable(),
        meta: { computed, stored: place.nth % 2 === 0 || place.dialect === "postgres" },
      });
    },
  },
  {
    what: "drop a column",
    make: (place) => {
      const gone = place.pick(propertiesOf(place).filter((one) => !isHeld(place, one)));
      if (gone === undefined || Object.keys(place.parts.shape).length < 2) return undefined;
      const shape = Object.entries(place.parts.shape).filter(([property]) => property !== gone.property);
      return { ...place.parts, shape: Object.fromEntries(shape) };
    },
  },
  {
    what: "rename a column",
    make: (place) => {
      const one = place.pick(propertiesOf(place).filter((column) => !isInText(place, column)));
      if (one === undefined) return undefined;
      const former = [one.name, ...listOf(one.meta["renamedFrom"])];
      return withMeta(place, one, { name: `renamed${place.nth}`, renamedFrom: former });
    },
  },
  {
    what: "rename the table",
    make: (place) => {
      const { parts, catalog, nth } = place;
      if (JSON.stringify(catalog.views).includes(parts.name)) return undefined;
      const former = [parts.name, ...listOf(parts.options["renamedFrom"])];
      return { ...withOption(place, { renamedFrom: former }), name: `renamed_table${nth}` };
    },
  },
  {
    what: "widen a type",
    make: (place) => {
      const of = place.catalog.tables.find(({ name }) => name === place.parts.name);
      const inKeys = new Set([
        ...(of?.foreignKeys ?? []).flatMap(({ columns }) => columns),
        ...place.catalog.tables.flatMap(({ foreignKeys }) =>
          foreignKeys
            .filter(({ target }) => target.table === place.parts.name)
            .flatMap(({ target }) => target.columns),
        ),
      ]);
      const found = propertiesOf(place).flatMap((one) => {
        const type = of?.columns.find(({ name }) => name === one.name)?.type ?? "";
        const said = typeof one.meta["type"] === "string" ? one.meta["type"] : type;
        const rule = WIDER.find(([pattern]) => pattern.test(said));
        const isFree = rule !== undefined && !inKeys.has(one.name) && one.meta["computed"] === undefined;
        return isFree ? [{ one, type: said.replace(rule[0], (...all) => rule[1](...all.map(String))) }] : [];
      });
      const chosen = place.pick(found);
      return chosen === undefined ? undefined : withMeta(place, chosen.one, { type: chosen.type });
    },
  },
  {
    what: "let a column be null",
    make: (place) => {
      const one = place.pick(
        propertiesOf(place).filter((column) => !isNullable(column) && !isHeld(place, column)),
      );
      if (one === undefined) return undefined;
      return withProperty(place, one.property, { schema: one.schema.nullable(), meta: one.meta });
    },
  },
  {
    what: "let a column not be null",
    tightens: true,
    make: (place) => {
      const one = place.pick(
        propertiesOf(place).filter(
          (column) => column.schema instanceof z.ZodNullable && column.meta["computed"] === undefined,
        ),
      );
      if (one === undefined || !(one.schema instanceof z.ZodNullable)) return undefined;
      // The schema inside is one of Zod 4 again.
      return withProperty(place, one.property, { schema: one.schema.unwrap() as z.ZodType, meta: one.meta });
    },
  },
  {
    what: "set a default",
    make: (place) => {
      const free = propertiesOf(place).filter(
        ({ meta }) =>
          meta["computed"] === undefined &&
          meta["generated"] === undefined &&
          meta["references"] === undefined &&
          meta["constraints"] === undefined,
      );
      const one = place.pick(free.filter((column) => isKind(column, "number")));
      return one === undefined ? undefined : withMeta(place, one, { default: String(place.nth % 100) });
    },
  },
  {
    what: "drop a default",
    tightens: true,
    make: (place) => {
      const one = place.pick(propertiesOf(place).filter(({ meta }) => meta["default"] !== undefined));
      if (one === undefined) return undefined;
      const { default: _, ...meta } = one.meta;
      return withProperty(place, one.property, { schema: one.schema, meta });
    },
  },
  {
    what: "add a unique key",
    tightens: true,
    make: (place) => {
      const one = place.pick(
        propertiesOf(place).filter(
          (column) =>
            isKind(column, "number") && column.meta["primaryKey"] !== true && column.meta["unique"] !== true,
        ),
      );
      return one === undefined ? undefined : withMeta(place, one, { unique: true });
    },
  },
  {
    what: "add an index",
    make: (place) => {
      const one = place.pick(propertiesOf(place).filter((column) => isKind(column, "number")));
      if (one === undefined) return undefined;
      const index = { columns: [[one.property, "desc"]], name: `added_index${place.nth}` };
      return withOption(place, { indexes: [...listOf(place.parts.options["indexes"]), index] });
    },
  },
  {
    what: "drop an index",
    make: (place) => {
      const indexes = listOf(place.parts.options["indexes"]);
      const gone = place.pick(indexes);
      return gone === undefined
        ? undefined
        : withOption(place, { indexes: indexes.filter((one) => one !== gone) });
    },
  },
  {
    what: "drop a unique key",
    make: (place) => {
      const keys = listOf(place.parts.options["unique"]);
      const gone = place.pick(keys);
      return gone === undefined
        ? undefined
        : withOption(place, { unique: keys.filter((one) => one !== gone) });
    },
  },
  {
    what: "add a check",
    make: (place) => {
      // MariaDB refuses a check of a column that a reference may change.
      const one = place.pick(
        propertiesOf(place).filter(
          ({ meta }) => meta["generated"] === undefined && meta["references"] === undefined,
        ),
      );
      if (one === undefined) return undefined;
      const name = quotedName(one.name, place.dialect);
      const checks = {
        ...Object(place.parts.options["checks"]),
        [`added_check${place.nth}`]: `${name} IS NULL OR ${name} IS NOT NULL`,
      };
      return withOption(place, { checks });
    },
  },
  {
    what: "drop a check",
    make: (place) => {
      const checks = Object.entries(Object(place.parts.options["checks"]));
      const gone = place.pick(checks);
      if (gone === undefined) return undefined;
      return withOption(place, { checks: Object.fromEntries(checks.filter((one) => one !== gone)) });
    },
  },
  {
    what: "say a comment",
    make: (place) =>
      place.dialect === "sqlite" ? undefined : withOption(place, { comment: `edited ${place.nth}` }),
  },
  {
    what: "drop a reference",
    make: (place) => {
      const one = place.pick(propertiesOf(place).filter(({ meta }) => meta["references"] !== undefined));
      if (one === undefined) return undefined;
      const { references: _r, onDelete: _d, onUpdate: _u, ...meta } = one.meta;
      return withProperty(place, one.property, { schema: one.schema, meta });
    },
  },
];
