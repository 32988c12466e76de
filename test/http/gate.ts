/** A point that code under test reaches, and that a test waits for: no clock says when it is there. */
export interface Gate {
  /** Resolves when it is open. */
  readonly opened: Promise<void>;
  open(): void;
}

export function gate(): Gate {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
