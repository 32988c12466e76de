/** The names of SQLite's result codes: `node:sqlite` has only the numbers. https://www.sqlite.org/rescode.html */

// By the lowest byte of the number.
const PRIMARY =
  `OK ERROR INTERNAL PERM ABORT BUSY LOCKED NOMEM READONLY INTERRUPT IOERR CORRUPT NOTFOUND FULL CANTOPEN PROTOCOL
  EMPTY SCHEMA TOOBIG CONSTRAINT MISMATCH MISUSE NOLFS AUTH FORMAT RANGE NOTADB NOTICE WARNING`.split(/\s+/);

// By the byte above it, from 1.
const EXTENDED: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries({
    ERROR: "MISSING_COLLSEQ RETRY SNAPSHOT",
    IOERR: `READ SHORT_READ WRITE FSYNC DIR_FSYNC TRUNCATE FSTAT UNLOCK RDLOCK DELETE BLOCKED NOMEM ACCESS
      CHECKRESERVEDLOCK LOCK CLOSE DIR_CLOSE SHMOPEN SHMSIZE SHMLOCK SHMMAP SEEK DELETE_NOENT MMAP GETTEMPPATH CONVPATH
      VNODE AUTH BEGIN_ATOMIC COMMIT_ATOMIC ROLLBACK_ATOMIC DATA CORRUPTFS IN_PAGE`,
    LOCKED: "SHAREDCACHE VTAB",
    BUSY: "RECOVERY SNAPSHOT TIMEOUT",
    CANTOPEN: "NOTEMPDIR ISDIR FULLPATH CONVPATH DIRTYWAL SYMLINK",
    CORRUPT: "VTAB SEQUENCE INDEX",
    READONLY: "RECOVERY CANTLOCK ROLLBACK DBMOVED CANTINIT DIRECTORY",
    ABORT: "- ROLLBACK",
    CONSTRAINT:
      "CHECK COMMITHOOK FOREIGNKEY FUNCTION NOTNULL PRIMARYKEY TRIGGER UNIQUE VTAB ROWID PINNED DATATYPE",
    AUTH: "USER",
  }).map(([name, more]) => [name, more.split(/\s+/)]),
);

/** The name of an extended result code, `SQLITE_CONSTRAINT_UNIQUE` for 2067; that of the primary one if it has none. */
export function sqliteCode(number: number): string | undefined {
  const primary = PRIMARY[number & 0xff];
  if (primary === undefined) return undefined;
  const more = EXTENDED[primary]?.[(number >> 8) - 1];
  return more === undefined || more === "-" ? `SQLITE_${primary}` : `SQLITE_${primary}_${more}`;
}
