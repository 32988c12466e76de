/** The statements that Oracle gets in the words of H2, where it has others for the same. */

export interface Translated {
  readonly sql: string;
  /** The names of the placeholders in the order in which they stand, in upper case as the driver has them. */
  readonly binds: readonly string[];
  /** Errors of H2 that a block of PL/SQL would have ignored. */
  readonly ignores: readonly number[];

  /** The level that a transaction is to have, where that is all that is asked. */
  readonly isolation: string | undefined;
}

const BLOCK =
  /^BEGIN\s+((?:EXECUTE IMMEDIATE '(?:[^']|'')*';\s+)+)EXCEPTION\s+WHEN OTHERS THEN\s+IF SQLCODE (?:<>|NOT IN) \(?([-\d, ]+)\)? THEN RAISE; END IF;\s+END;$/;
// The table, view or index is there, the table or view is not, the constraint is there, it is not.
const ignored: ReadonlyMap<string, readonly number[]> = new Map([
  ["-955", [42101, 42111, 90038]],
  ["-942", [42102, 42103, 42104, 90037]],
  ["-2275", [90045]],
  ["-2264", [90045]],
  ["-2443", [90057]],
]);

/** Translates a statement. */
export function toH2(statement: string): Translated {
  const level = /^SET TRANSACTION ISOLATION LEVEL (.*)$/.exec(statement)?.[1];
  // What Oracle calls so is the state of one moment.
  const isolation = level === "SERIALIZABLE" ? "SNAPSHOT" : level;
  const [, inner, code = ""] = BLOCK.exec(statement) ?? [];
  // What is returned is written first, and so are its placeholders.
  const oracle = returning(inner === undefined ? statement : statementsIn(inner));
  const binds: string[] = [];
  const sql = oracle.replace(/'(?:[^']|'')*'|"[^"]*"|:(\w+)/g, (part: string, name: string | undefined) => {
    if (name === undefined) return part;
    binds.push(name.toUpperCase());
    return "?";
  });
  return {
    sql: words(sql),
    binds,
    ignores: code.split(", ").flatMap((one) => ignored.get(one) ?? []),
    isolation,
  };
}

// H2 takes several statements at once, and stops at the first that fails.
function statementsIn(block: string): string {
  return [...block.matchAll(/EXECUTE IMMEDIATE '((?:[^']|'')*)';/g)]
    .map(([, text = ""]) => text.replaceAll("''", "'"))
    .join("; ");
}

const WORDS: readonly (readonly [oracle: RegExp, h2: string])[] = [
  [/\bFROM user_tables WHERE /g, "FROM information_schema.tables WHERE table_schema = SCHEMA() AND "],
  // H2 waits: for the runner of migrations that is the same, a moment later.
  [/ SKIP LOCKED$/, ""],
  [/ PURGE$/, ""],
  [/WITH LOCAL TIME ZONE/g, "WITH TIME ZONE"],
  [/\bLENGTH\(/g, "CODE_POINTS("],
  [/\bROWID\b/g, "_ROWID_"],
  [/\bTIMESTAMP $/g, "TIMESTAMP WITH TIME ZONE "],
  [/\bBINARY_DOUBLE_INFINITY\b/g, "CAST('Infinity' AS DOUBLE PRECISION)"],
];

function words(sql: string): string {
  return sql.replace(/'(?:[^']|'')*'|"[^"]*"|[^'"]+/g, (part) =>
    /^['"]/.test(part) ? part : WORDS.reduce((text, [oracle, h2]) => text.replace(oracle, h2), part),
  );
}

/** What H2 does not have, though Oracle has; to be said where a test is left out for it. */
export function missingInH2(sql: string): string | undefined {
  if (/\b(?:EXCEPT|INTERSECT|MINUS) ALL\b/.test(sql)) return "H2 has no INTERSECT ALL and EXCEPT ALL";
  if (
    /\bADD_MONTHS\(|\bNUMTODSINTERVAL\(|\bTRUNC\(SYS_EXTRACT_UTC\(| AS TIMESTAMP\), '[A-Z0-9]+'\) AS TIMESTAMP\)/.test(
      sql,
    )
  )
    return "H2 has no months to add, no intervals of numbers, and does not cut dates to units";
  if (/\bJSON_(?:VALUE|QUERY|TRANSFORM)\(/.test(sql)) return "H2 has no paths into JSON";
  if (/ RETURNING CLOB\b/.test(sql)) return "H2 has lists as JSON only, and not as text";
  return /\b(?:SKIP LOCKED|NOWAIT)$/.test(sql) ? "H2 waits for locks whatever is said" : undefined;
}

// `… RETURNING a, b INTO :o0, :o1` is a query of the rows as they are after the change, or were before a removal.
function returning(sql: string): string {
  const [, change, values] = /^(.*) RETURNING (.*) INTO (?::o\d+(?:, )?)+$/s.exec(sql) ?? [];
  if (change === undefined) return sql;
  const table = change.startsWith("DELETE") ? "OLD TABLE" : "FINAL TABLE";
  return `SELECT ${values} FROM ${table} (${change})`;
}
