/** Cuts bytes into pieces of the sizes that `size` gives. */
export function* pieces(bytes: Uint8Array, size: () => number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; ) {
    const end = at + Math.max(1, size());
    yield bytes.subarray(at, end);
    at = end;
  }
}

/** Sizes from 1 to 97, the same ones for the same seed, so that a failure can be seen again. */
export const randomSizes = (seed: number): (() => number) => {
  let state = (seed % 2147483646) + 1;
  return () => {
    state = (state * 48271) % 2147483647;
    return 1 + (state % 97);
  };
};
