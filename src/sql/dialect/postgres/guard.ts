/** Which values of a column PostgreSQL knows to be decodable: by the type of the column, and by what the type can hold. */
import type { Storage } from "../../declare/declaration.js";
import { textFor } from "../grammar/declared.js";
import { ANY, type GuardForm, membersOf, SAFE } from "../grammar/guard.js";
import { postgresDdl } from "./ddl.js";

const WORDS = "rowtype cannot read a row";

/** SQLSTATE: data exceptions, and conditions that the type of a column does not take. */
const FAILURES = /^(22|42)/;

export const postgresGuard: GuardForm = {
  decodable,
  failure: `CAST(left(concat('${WORDS}', {f}), ${WORDS.length}) AS integer)`,
  isFailure: (error) => {
    const { code, message } = Object(error);
    return FAILURES.test(String(code)) || String(message).includes(WORDS);
  },
};

function decodable(storage: Storage): string | typeof ANY | undefined {
  const { kind, integer, values, scale = 0 } = storage;
  if (values !== undefined) {
    const members = membersOf(storage, postgresDdl.text);
    // As it is sent: a cast to text would take the blanks of a `character` away.
    return members && `concat({f}) COLLATE "C" IN (${members})`;
  }
  switch (kind) {
    case "text":
      return ANY;
    case "number":
      return integer === true ? `${isOf(WHOLE)} AND {f} ${SAFE}` : `${isOf(NUMBERS)} AND ${FINITE}`;
    case "bigint":
      return isOf(WHOLE);
    case "boolean":
      return isOf("boolean");
    case "bytes":
      return isOf("bytea");
    case "decimal":
      return `${isOf("numeric")} AND ${FINITE} AND {f} = round({f}, ${scale})`;
    case "date": {
      const isDate = `${isOf(DATES)} AND {f} > '0002-01-01' AND {f} < '9999-01-01'`;
      // Without a declared type, a date of more digits is refused.
      const isFine = textFor(storage.type, "postgres") !== undefined;
      return isFine ? isDate : `${isDate} AND {f} = date_trunc('milliseconds', {f})`;
    }
    default:
      return undefined;
  }
}

const WHOLE = "bigint,integer,smallint";
const NUMBERS = `double precision,real,${WHOLE}`;
const DATES = "timestamptz,timestamp,date";

// NaN is the greatest number.
const FINITE = "{f} > '-Infinity'::float8 AND {f} < 'Infinity'::float8";

const isOf = (types: string): string => `pg_typeof({f}) = ANY ('{${types}}'::regtype[])`;
