/** The part of a `ReadableStream` that is used; browsers that can't iterate one have it too. */
interface Readable {
  getReader(): {
    read(): PromiseLike<IteratorResult<unknown>>;
    cancel(): PromiseLike<void>;
    releaseLock(): void;
  };
}

export const isReadableStream = (value: object): value is Readable =>
  typeof (value as { readonly getReader?: unknown }).getReader === 'function';

/**
 * A `ReadableStream` as an iterator whose `return` cancels it at once.
 *
 * The stream's own iterator waits for the chunk it has asked for before it cancels, and for a stalled stream
 * that is for ever.
 */
export const streamIterator = (stream: Readable): AsyncIterator<unknown, undefined> => {
  const reader = stream.getReader();
  return {
    next: async () => {
      const { done, value } = await reader.read();
      if (done !== true) return { done: false, value };
      reader.releaseLock();
      return { done: true, value: undefined };
    },
    return: async () => {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
};
