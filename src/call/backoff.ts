import type { Slot, SlotReason } from '../../operators/slotReturns.js';
import type { Deadline } from './deadlines.js';
import type { CallHost } from './host.js';

/** The wait between two attempts; the next one needs a slot again. */
export class Backoff {
  #deadline: Deadline | undefined;
  #over = false;

  constructor(
    /** What the last attempt failed with. */
    readonly said: string,
  ) {}

  begin(
    host: CallHost,
    ms: number,
    slot: Slot | undefined,
    onWait: (reason: SlotReason) => void,
    then: () => void,
  ): void {
    if (this.#over) return;
    const go = (): void => {
      if (this.#over) return;
      this.#over = true;
      host.tick();
      then();
    };
    this.#deadline = host.deadlines.after(ms, () => {
      if (slot === undefined) go();
      else slot.takeAgain(go, onWait);
    });
  }

  cancel(): void {
    this.#over = true;
    this.#deadline?.cancel();
  }
}
