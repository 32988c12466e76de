/** The error of an event that cannot be sent. The sender gets it, and the stream continues. */
import { CodedError } from "../../core/errors.js";

/** Why an event was refused. */
export type StreamErrorCode = "EVENT_UNDECLARED" | "EVENT_INVALID" | "EVENT_UNWRITABLE";

/** An event that a stream refuses to send. Nothing of it was written. */
export class StreamError extends CodedError<StreamErrorCode> {
  /** The name of the event. */
  readonly event: string;

  constructor(code: StreamErrorCode, event: string, message: string, options?: ErrorOptions) {
    super(code, message, options);
    this.event = event;
  }
}
