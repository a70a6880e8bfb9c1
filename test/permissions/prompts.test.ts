import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPermissions, Prompts, promptsOf } from '../../src/permissions/index.js';

/** A line with a log of what it shows; `open` keeps how to leave what is shown. */
const setUp = () => {
  const prompts = new Prompts();
  const shown: number[] = [];
  const leaves = new Map<number, () => void>();
  const wait = (index: number) =>
    prompts.wait(index, (leave) => {
      shown.push(index);
      leaves.set(index, leave);
    });
  return { prompts, shown, wait, answer: (index: number) => leaves.get(index)?.() };
};

describe('prompts', () => {
  it('are shown one at a time, among those waiting the earliest call first', () => {
    const { shown, wait, answer, prompts } = setUp();
    for (const index of [5, 3, 9, 1, 3]) wait(index);
    expect([shown, prompts.waiting]).toEqual([[5], 4]);
    answer(5);
    expect(shown).toEqual([5, 1]);
    wait(0);
    answer(1);
    answer(0);
    answer(3);
    answer(3);
    expect(shown).toEqual([5, 1, 0, 3, 3, 9]);
  });

  it('of equal calls of several turns go by who came first', () => {
    const permissions = createPermissions();
    const shown: string[] = [];
    const leave = promptsOf(permissions).wait(0, () => shown.push('first'));
    promptsOf(permissions).wait(0, () => shown.push('second'));
    promptsOf(permissions).wait(0, () => shown.push('third'));
    leave();
    expect(shown).toEqual(['first', 'second']);
  });

  it('that leave while they wait are never shown, and leaving twice opens no more than one', () => {
    const { shown, wait, answer } = setUp();
    const leave = wait(0);
    const gone = wait(1);
    wait(2);
    wait(3);
    gone();
    gone();
    leave();
    leave();
    answer(0);
    expect(shown).toEqual([0, 2]);
  });

  it('answered inside their opening cost no stack, however many there are', () => {
    const prompts = new Prompts();
    let shown = 0;
    const leave = prompts.wait(0, () => {});
    for (let index = 1; index <= 20_000; index++) {
      prompts.wait(index, (done) => {
        shown++;
        done();
      });
    }
    leave();
    expect([shown, prompts.waiting]).toEqual([20_000, 0]);
  });

  it('that ask again inside their opening cost no stack either', () => {
    const prompts = new Prompts();
    let shown = 0;
    const again = (index: number): void => {
      prompts.wait(index, (done) => {
        shown++;
        if (index < 20_000) again(index + 1);
        done();
      });
    };
    again(1);
    expect(shown).toBe(20_000);
  });

  it('that come and go behind an open one are not kept', () => {
    const prompts = new Prompts();
    prompts.wait(0, () => {});
    prompts.wait(1, () => {});
    for (let index = 2; index < 5_000; index++) prompts.wait(index, () => {})();
    expect(prompts.waiting).toBe(1);
  });

  it('that can not be opened hold nobody back', () => {
    const prompts = new Prompts();
    const shown: number[] = [];
    const leave = prompts.wait(0, () => {});
    prompts.wait(1, () => {
      throw new Error('no screen');
    });
    prompts.wait(2, () => shown.push(2));
    expect(leave).toThrow('no screen');
    expect(shown).toEqual([2]);
  });
});

describe('the line of prompts', () => {
  it('keeps its order when one leaves from its middle', () => {
    const { shown, wait, answer } = setUp();
    wait(0);
    const [, , , leave] = [1, 10, 2, 20, 21, 3].map(wait);
    leave?.();
    for (const index of [0, 1, 2, 3, 10]) answer(index);
    expect(shown).toEqual([0, 1, 2, 3, 10, 21]);
  });

  it('shows and drops what a sorted list would, whatever comes and goes', () => {
    const steps = fc.array(
      fc.oneof(
        fc.record({ wait: fc.nat(5) }),
        fc.record({ leave: fc.nat(20) }),
        fc.constant('answer' as const),
      ),
      { minLength: 40, maxLength: 120 },
    );
    fc.assert(
      fc.property(steps, (sequence) => {
        const prompts = new Prompts();
        const shown: string[] = [];
        const expected: string[] = [];
        const leaves: (() => void)[] = [];
        let line: { readonly index: number; readonly arrival: number }[] = [];
        let open: (typeof line)[number] | undefined;
        const advance = (): void => {
          if (open !== undefined) return;
          line.sort((a, b) => a.index - b.index || a.arrival - b.arrival);
          open = line.shift();
          if (open !== undefined) expected.push(`${open.index}/${open.arrival}`);
        };
        const leave = (arrival: number): void => {
          leaves[arrival]?.();
          line = line.filter((each) => each.arrival !== arrival);
          if (open?.arrival === arrival) open = undefined;
          advance();
        };
        for (const step of sequence) {
          if (step === 'answer') leave(open?.arrival ?? -1);
          else if ('leave' in step) leave(step.leave);
          else {
            const arrival = leaves.length;
            line.push({ index: step.wait, arrival });
            leaves.push(prompts.wait(step.wait, () => shown.push(`${step.wait}/${arrival}`)));
            advance();
          }
          expect([shown, prompts.waiting]).toEqual([expected, line.length]);
        }
      }),
    );
  });
});
