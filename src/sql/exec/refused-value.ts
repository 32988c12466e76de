/**
 * Converts a server's error about a refused value to an error about the caller's parameter. This happens only if the
 * value certainly caused the error: a number that a statement calculates may be out of range for any values.
 */
import { quoted } from "../../core/errors.js";
import type { RefusedValue } from "../contract/driver.js";
import { ParameterError, type SqlError } from "../words/errors.js";
import { writtenOut } from "./lists.js";
import type { About, Given, Request } from "./prepared.js";
import type { Session } from "./session.js";

/** The error about the parameter; undefined if no parameter is known to have caused it. */
export function aboutParameter(
  error: unknown,
  { message }: SqlError,
  request: Request,
  session: Session,
): ParameterError | undefined {
  const refused = session.driver.refusedValue?.(error);
  const given = refused && givenFor(refused, request, session);
  if (given === undefined) return undefined;
  const { name, index } = given;
  // The code of the server, in parentheses.
  const code = /\([^()]*\)$/.exec(message)?.[0] ?? "";
  const said =
    name === ""
      ? `a value does not fit its column ${code}`
      : `parameter ${quoted(name)} has a value that the database does not take ${code}`;
  return new ParameterError("PARAM_TYPE", name, request.prepared.table.name, said, index, { cause: error });
}

function givenFor(refused: RefusedValue, request: Request, session: Session): Given | undefined {
  if ("place" in refused) return onlyOne(slotsAt(refused.place, request, session));
  const { calculated = [], table } = request.prepared;
  const set = slotsOf(request).filter(({ sets }) => sets !== undefined);
  if ("column" in refused) {
    const { column, row } = refused;
    const { property } = Object.values(table.columns).find(({ name }) => name === column) ?? {};
    if (property === undefined || calculated.includes(property)) return undefined;
    const isInRow = (given: Given) => row === undefined || given.row === undefined || given.row === row;
    return onlyOne(set.filter((given) => given.sets === property && isInRow(given)));
  }
  if ("patternOver" in refused) {
    const { patternOver, sought } = refused;
    const isSought = ({ sought: as }: Given) => as === "pattern" || (sought && as === "text");
    return oneOrSome(slotsOf(request).filter((slot) => isSought(slot) && isLonger(slot.value, patternOver)));
  }
  if ("outsideCharset" in refused)
    // A constant of the statement may have caused it.
    return hasConstant(request, isForeign)
      ? undefined
      : oneOrSome(slotsOf(request).filter(({ value }) => isForeign(value)));
  if (calculated.length > 0) return undefined;
  if ("unreadable" in refused)
    return oneOrSome(
      set.filter(({ sets, value }) => typeof value === "string" && isOfOtherType(sets, table, session)),
    );
  const suspects = set.filter(({ value }) =>
    "longerThan" in refused ? isLonger(value, refused.longerThan) : isFrom(value, refused.from),
  );
  return oneOrSome(suspects);
}

/** The suspect; without a name if there are several: the server does not say which of them caused it. */
function oneOrSome(suspects: readonly Given[]): Given | undefined {
  return suspects.length === 0 ? undefined : (onlyOne(suspects) ?? { name: "" });
}

function hasConstant({ prepared, values }: Request, isSuspect: (value: unknown) => boolean): boolean {
  return values.some((value, place) => prepared.givenAt?.(place) === undefined && isSuspect(value));
}

function isForeign(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isForeign);
  return typeof value === "string" && /[^\0-\x7f]/.test(value);
}

// Texts that the database would have to read: of a date, of a number.
function isOfOtherType(property: string | undefined, { columns }: About, { grammar }: Session): boolean {
  const { type } = (property === undefined ? undefined : columns[property]) ?? {};
  const own = typeof type === "object" ? type[grammar.dialect] : type;
  return own !== undefined && !/char|text|clob|json|xml/i.test(own);
}

interface Slot extends Given {
  readonly value: unknown;
}

function slotsOf({ prepared, values }: Request): readonly Slot[] {
  return values.flatMap((value, place): readonly Slot[] => {
    const given = prepared.givenAt?.(place);
    return given === undefined ? [] : [{ ...given, value }];
  });
}

/** The slots of a placeholder of the sent text, in which lists may be written out. */
function slotsAt(place: number, request: Request, { grammar }: Session): readonly Given[] {
  const { prepared, values } = request;
  if (prepared.pieces === undefined) {
    const given = prepared.givenAt?.(place);
    return given === undefined ? [] : [given];
  }
  const { params } = writtenOut(prepared.pieces, values, prepared.table, grammar);
  return place < params.length ? slotsOf(request).filter(({ value }) => value === params[place]) : [];
}

/** The parameter, if all of them belong to it; without the position of the record if there are several. */
function onlyOne([first, ...others]: readonly Given[]): Given | undefined {
  if (first === undefined || others.some(({ name }) => name !== first.name)) return undefined;
  return others.every(({ index }) => index === first.index) ? first : { name: first.name };
}

function isLonger(value: unknown, length: number): boolean {
  if (Array.isArray(value)) return value.some((item) => isLonger(item, length));
  if (value instanceof Uint8Array) return value.length > length;
  return typeof value === "string" && [...value].length > length;
}

// Rounded to whole numbers, as a column without decimals rounds.
function isFrom(value: unknown, least: number): boolean {
  if (Array.isArray(value)) return value.some((item) => isFrom(item, least));
  const isNumber = typeof value === "number" || typeof value === "bigint" || typeof value === "string";
  return isNumber && Math.abs(Number(value)) + 0.5 >= least;
}
