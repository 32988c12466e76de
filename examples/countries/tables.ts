/** The declarations of two tables, from which the SQL, the validation and the document are derived. */
import { column, many, one, table } from "rowtype";
import { z } from "zod";

const code = z
  .string()
  .regex(/^[A-Z]{3}$/)
  .meta({ description: "ISO 3166-1 alpha-3 code", example: "NPL" });

export const Country = table(
  "countries",
  z.object({
    code: column(code, { primaryKey: true }),
    name: column(z.string().min(1), { unique: true }),
    officialName: column(z.string().min(1), { name: "official_name" }),
    capital: z.string().nullable(),
    region: column(z.enum(["Africa", "Americas", "Antarctic", "Asia", "Europe", "Oceania"]), { index: true }),
    subregion: z.string().nullable(),
    area: column(z.number().min(0), { check: "area >= 0" }).describe("Land area in square kilometres"),
    landlocked: z.boolean(),
    languages: z.array(z.string()),
    flag: z.string(),
    updatedAt: column(z.date(), { name: "updated_at", default: "CURRENT_TIMESTAMP" }),
  }),
  { relations: { borders: many("Border", "country") } },
);

export const Border = table(
  "borders",
  z.object({
    country: column(code, { references: () => Country }),
    neighbour: column(code, { references: () => Country }),
  }),
  { primaryKey: ["country", "neighbour"], relations: { beyond: one("Country", "neighbour") } },
);
