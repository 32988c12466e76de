/** Reads server-sent events by the rules of the HTML standard, from text in pieces of any size. */

/** A received event. */
export interface ReceivedEvent {
  /** `message` if the event has no name. */
  readonly event: string;
  readonly data: string;
  /** Present if the event has its own id. */
  readonly id?: string;
}

const BYTE_ORDER_MARK = 0xfeff;

/** Accepts pieces of text and returns the events that they complete. */
export class EventReader {
  /** The id that a client sends when it connects again. */
  lastEventId = "";
  /** The server's wait time before a client connects again, in milliseconds. */
  retryMs: number | undefined;
  /** The beginning of a line that is not complete yet. */
  #text = "";
  #begun = false;
  /** A CR has ended the last line. A following LF belongs to it. */
  #afterCarriage = false;
  #event = "";
  #data: string[] = [];
  #id: string | undefined;

  push(piece: string): ReceivedEvent[] {
    let text = piece;
    if (text === "") return [];
    if (!this.#begun && text.charCodeAt(0) === BYTE_ORDER_MARK) text = text.slice(1);
    this.#begun = true;
    if (this.#afterCarriage && text.startsWith("\n")) text = text.slice(1);
    this.#afterCarriage = text.endsWith("\r");
    this.#text += text;
    // A long line comes in many pieces.
    if (!/[\r\n]/.test(text)) return [];
    const lines = this.#text.split(/\r\n?|\n/);
    this.#text = lines.pop() ?? "";
    return lines.flatMap((line) => this.#line(line) ?? []);
  }

  #line(line: string): ReceivedEvent | undefined {
    if (line === "") return this.#dispatch();
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const rest = colon === -1 ? "" : line.slice(colon + 1);
    const value = rest.startsWith(" ") ? rest.slice(1) : rest;
    if (field === "data") this.#data.push(value);
    else if (field === "event") this.#event = value;
    else if (field === "id" && !value.includes("\0")) this.#id = value;
    else if (field === "retry" && /^\d+$/.test(value)) this.retryMs = Number(value);
    return undefined;
  }

  #dispatch(): ReceivedEvent | undefined {
    const id = this.#id;
    if (id !== undefined) this.lastEventId = id;
    const event = this.#event === "" ? "message" : this.#event;
    const data = this.#data;
    this.#id = undefined;
    this.#event = "";
    this.#data = [];
    if (data.length === 0) return undefined;
    return { event, data: data.join("\n"), ...(id === undefined ? {} : { id }) };
  }
}
