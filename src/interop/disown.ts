/**
 * Takes in a promise that came where nothing is waited for, and says whether it was one: its rejection must not
 * become an unhandled one, which ends the process. Never throws: what can't be asked is no promise.
 */
export const disown = (value: unknown): value is PromiseLike<unknown> => {
  if (typeof value !== 'object' || value === null) return false;
  try {
    if (typeof (value as { readonly then?: unknown }).then !== 'function') return false;
    (value as PromiseLike<unknown>).then(nothing, nothing);
    return true;
  } catch {
    return false;
  }
};

const nothing = (): void => undefined;
