import type { AnswerReceiver } from '../../src/interop/fromAnswer.js';

/** Writes down what it is given, one word a notification. */
export class Receiver implements AnswerReceiver {
  closed = false;
  readonly got: unknown[][] = [];

  /** Closes after so many emissions. */
  constructor(private readonly wanted = Number.POSITIVE_INFINITY) {}

  value(value: unknown): void {
    this.got.push(['value', value]);
  }

  emit(value: unknown): void {
    this.got.push(['emit', value]);
    if (this.got.filter(([what]) => what === 'emit').length >= this.wanted) this.closed = true;
  }

  error(error: unknown): void {
    this.got.push(['error', error instanceof Error ? error.message : error]);
  }

  end(): void {
    this.got.push(['end']);
  }
}

/** Lets everything run that promises have already settled, however long their chains. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Runs `body` and tells which rejections nobody has handled. */
export const unhandledIn = async (body: () => Promise<void>): Promise<readonly unknown[]> => {
  const unhandled: unknown[] = [];
  const listen = (reason: unknown): void => void unhandled.push(reason);
  // Vitest's own listener would fail the run for what a test means to see.
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', listen);
  try {
    await body();
    await settled();
    await settled();
  } finally {
    process.removeAllListeners('unhandledRejection');
    for (const other of others) process.on('unhandledRejection', other);
  }
  return unhandled;
};
