/**
 * The rules of "Server-sent events" in the HTML standard, section 9.2.6, applied to a whole body at once: the judge of
 * what streams send. It shares nothing with the package, whose own reader takes pieces.
 */

export interface Dispatched {
  readonly type: string;
  readonly data: string;
  readonly lastEventId: string;
}

export interface Interpreted {
  readonly events: Dispatched[];
  readonly comments: string[];
  /** The reconnection time, where one was set. */
  readonly retry: number | undefined;
}

export function interpret(body: Uint8Array | string): Interpreted {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  // "UTF-8 decode" takes one byte order mark off, as this decoder does.
  const text = new TextDecoder("utf-8").decode(bytes);
  const lines = text.split(/\r\n|\n|\r/);
  // What comes after the last line end is not a line yet.
  lines.pop();

  const events: Dispatched[] = [];
  const comments: string[] = [];
  let retry: number | undefined;
  let data = "";
  let type = "";
  let lastEventId = "";

  for (const line of lines) {
    if (line === "") {
      if (data !== "") events.push({ type: type || "message", data: data.replace(/\n$/, ""), lastEventId });
      data = "";
      type = "";
      continue;
    }
    if (line.startsWith(":")) {
      comments.push(line.slice(1));
      continue;
    }
    const [, field = "", value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    switch (field) {
      case "event":
        type = value;
        break;
      case "data":
        data += `${value}\n`;
        break;
      case "id":
        if (!value.includes("\u0000")) lastEventId = value;
        break;
      case "retry":
        if (/^[0-9]+$/.test(value)) retry = Number.parseInt(value, 10);
        break;
    }
  }
  return { events, comments, retry };
}
