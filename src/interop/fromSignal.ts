/**
 * Tells once when a signal is aborted, at once where it is already: a listener added to an aborted signal is
 * never called.
 *
 * One listener a turn; what it returns removes it.
 */
export const fromSignal = (signal: AbortSignal, onAbort: (reason: string) => void): (() => void) => {
  const tell = (): void => onAbort(reasonOf(signal));
  if (signal.aborted) {
    tell();
    return () => undefined;
  }
  signal.addEventListener('abort', tell, { once: true });
  return () => signal.removeEventListener('abort', tell);
};

/** The reason as text; the default one (an `AbortError` without a word of the caller) says nothing more. */
const reasonOf = (signal: AbortSignal): string => {
  const reason: unknown = signal.reason;
  if (typeof reason === 'string') return reason;
  if (reason instanceof Error) return reason.name === 'AbortError' ? 'aborted' : reason.message;
  return 'aborted';
};
