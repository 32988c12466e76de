/** The text of an answer as it arrives. */
import { lost } from "./signals.js";

/** The pieces of a body's text. The end of the iteration ends the connection. @throws ClientError if it breaks */
export async function* piecesOf(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, void> {
  const chunks = body.getReader();
  // Whoever reads the text removes a byte order mark.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  try {
    for (;;) {
      const { done, value } = await chunks.read().catch((cause: unknown) => {
        throw lost(cause, signal);
      });
      if (done) return;
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    await chunks.cancel().catch(() => {});
  }
}
