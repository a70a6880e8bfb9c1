/**
 * Does steps one after another: those that are over at once in a loop, not in a recursion, so that any number of them
 * needs no stack. A step calls `next` once when it is over, now or later; one that never does ends it there.
 */
export const inTurn = (
  count: number,
  step: (index: number, next: () => void) => void,
  done: () => void,
): void => {
  let index = 0;
  let isReady = true;
  let isLooping = false;
  const next = (): void => {
    isReady = true;
    if (!isLooping) loop();
  };
  const loop = (): void => {
    isLooping = true;
    while (isReady && index < count) {
      isReady = false;
      step(index++, next);
    }
    isLooping = false;
    if (isReady) done();
  };
  loop();
};
