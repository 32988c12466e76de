/** Servers that accept a session and end it: with the packet that accepts it, before it, or behind it. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

/** When the session is ended, seen from the message that accepts it. */
export const moments = ["before", "with", "behind"] as const;
/** What the server does after it has said that the session ends. */
export const manners = ["end", "reset", "stay"] as const;
/** Whether it says why. */
export const words = ["fatal", "silent"] as const;

export interface Ending {
  readonly moment: (typeof moments)[number];
  readonly manner: (typeof manners)[number];
  readonly word: (typeof words)[number];
}

/** A server that ends every session in one way. */
export interface EndingServer {
  readonly url: string;
  close(): Promise<void>;
}

/** What a server says. */
interface Speech {
  readonly protocol: string;
  /** Said before the client has said anything. */
  readonly greeting: Buffer;
  /** Said before the session is accepted. */
  readonly before: Buffer;
  readonly accepted: Buffer;
  /** Said in the place of the acceptance. */
  readonly refused: Buffer;
  readonly fatal: Buffer;
}

/** A message of PostgreSQL. */
function message(kind: string, ...parts: readonly (Buffer | string)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const head = Buffer.alloc(5);
  head.write(kind);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const terminated = message(
  "E",
  "SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0RProcessInterrupts\0\0",
);

const postgres: Speech = {
  protocol: "postgres",
  greeting: Buffer.alloc(0),
  before: Buffer.concat([
    message("R", Buffer.alloc(4)),
    message("S", "client_encoding\0UTF8\0"),
    message("K", Buffer.alloc(8, 1)),
  ]),
  accepted: message("Z", "I"),
  refused: terminated,
  fatal: terminated,
};

/** A packet of MariaDB. */
function packet(sequence: number, ...parts: readonly (Buffer | string)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const head = Buffer.alloc(4);
  head.writeUIntLE(body.length, 0, 3);
  head[3] = sequence;
  return Buffer.concat([head, body]);
}

// What the server can do: the protocol of 4.1, with a database, authentication by a named plugin.
const CAPABILITIES = Buffer.from([0x0f, 0xa2]);
const MORE_CAPABILITIES = Buffer.from([0x08, 0x00]);

const killed = (sequence: number) =>
  packet(sequence, Buffer.from([0xff, 0x87, 0x07]), "#70100", "Connection was killed");

const mariadb: Speech = {
  protocol: "mysql",
  greeting: packet(
    0,
    Buffer.from([10]),
    "5.5.5-10.11.6-MariaDB\0",
    Buffer.from([7, 0, 0, 0]),
    "12345678\0",
    CAPABILITIES,
    Buffer.from([45, 2, 0]),
    MORE_CAPABILITIES,
    Buffer.from([21]),
    Buffer.alloc(10),
    "123456789012\0",
    "mysql_native_password\0",
  ),
  before: Buffer.alloc(0),
  accepted: packet(2, Buffer.from([0, 0, 0, 2, 0, 0, 0])),
  refused: killed(2),
  fatal: killed(0),
};

const speeches: { readonly [Name: string]: Speech } = { postgres, mariadb };

/** Starts a server of a kind that ends every session so. */
export async function endingServer(name: string, { moment, manner, word }: Ending): Promise<EndingServer> {
  const speech = speeches[name];
  if (speech === undefined) throw new TypeError(`there is no ${name} that ends sessions`);
  const { protocol, greeting, before, accepted, refused, fatal } = speech;
  const sockets = new Set<Socket>();
  const why = moment === "before" ? refused : fatal;
  const last = word === "fatal" ? why : Buffer.alloc(0);
  const leave = (socket: Socket) => {
    if (manner === "end") socket.end();
    else if (manner === "reset") socket.resetAndDestroy();
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    socket.write(greeting);
    socket.once("data", () => {
      if (moment === "before") socket.write(Buffer.concat([before, last]), () => leave(socket));
      else if (moment === "with") socket.write(Buffer.concat([before, accepted, last]), () => leave(socket));
      else
        socket.write(Buffer.concat([before, accepted]), () =>
          setImmediate(() => socket.write(last, () => leave(socket))),
        );
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `${protocol}://root@127.0.0.1:${(server.address() as AddressInfo).port}/test`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
