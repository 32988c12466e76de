/** Values that clients send: texts for parameters, and values for bodies and their fields. */

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

export const texts: readonly string[] = [
  ...[
    "",
    " ",
    "x",
    "null",
    "undefined",
    "NaN",
    "Infinity",
    "-0",
    "1e308",
    "0x10",
    "1.5",
    "-1",
    "true",
    "[]",
    "{}",
  ],
  ...[
    "99999999999999999999",
    "9007199254740993",
    "9223372036854775808",
    "' OR 1=1 --",
    '"; DROP TABLE x; --',
  ],
  ...[
    "\u0000",
    "a\u0000b",
    "%",
    "_",
    "\\",
    "\u202e",
    "\ud83d\ude00",
    "x".repeat(3_000),
    "2026-13-45",
    "__proto__",
  ],
  ...[
    base64([]),
    base64(null),
    base64(["AAAAAAAAAAA", "a", 1]),
    base64(["AAAAAAAAAAA"]),
    `${base64(["x", 1])}=`,
  ],
];
export const values: readonly unknown[] = [
  ...texts,
  ...[null, true, 0, -1, 1.5, 1e308, 2 ** 53, [], {}, [1], { $gt: 0 }, ["a", "b"], "\ud800"],
];
