import { concat, from, NEVER, of, Subject, throwError } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, expect, it } from 'vitest';
import type { ModelEvent, ToolUse } from '../../src/contract/index.js';
import { toolUses } from '../../src/turn/toolUses.js';

const use = (id: string): ToolUse => ({ type: 'tool_use', id, name: 'read', input: {} });
const message = { role: 'assistant', content: [] } as const;
const events: Readonly<Record<string, ModelEvent>> = {
  s: { type: 'message-start', messageId: 'm1', message },
  t: { type: 'text-delta', index: 0, text: 'Hi' },
  u: { type: 'tool-use', toolUse: use('t1') },
  v: { type: 'tool-use', toolUse: { ...use('t2'), messageId: 'm9' } },
  r: { type: 'message-replaced', messageId: 'm1', by: 'm2' },
  z: { type: 'message-start', messageId: 'm2', message },
  e: { type: 'message-end', stopReason: 'tool_use', usage: {}, message },
};
const uses: Readonly<Record<string, ToolUse>> = {
  a: { ...use('t1'), messageId: 'm1' },
  b: { ...use('t2'), messageId: 'm9' },
  c: { ...use('t1'), messageId: 'm2' },
};

const diagram = (source: string, subscription: string, expected: string, error: unknown = 'error'): void => {
  const scheduler = new TestScheduler((actual, wanted) => expect(actual).toEqual(wanted));
  scheduler.run(({ hot, expectObservable, expectSubscriptions }) => {
    const source$ = hot<ModelEvent>(source, { ...events });
    expectObservable(source$.pipe(toolUses())).toBe(expected, { ...uses }, error);
    expectSubscriptions(source$.subscriptions).toBe(subscription);
  });
};

describe('toolUses', () => {
  it('passes the calls with the id of their message, and ends with the message', () =>
    diagram('-s-t-u---t-v-e----|', '^------------!', '-----a-----b-|'));

  it('does not wait for a source that stays open', () => diagram('s-u-e-', '^---!', '--a-|'));

  it('passes failures on', () => diagram('s-u-#', '^---!', '--a-#'));

  it('fails where the message is replaced by another', () =>
    diagram('s-u-r-z-u-e|', '^---!', '--a-#', expect.objectContaining({ code: 'replaced' })));

  it('fails where the model refused, after the calls it had passed', () => {
    const passed: unknown[] = [];
    from<ModelEvent[]>([
      { type: 'message-start', messageId: 'm1', message },
      { type: 'tool-use', toolUse: use('t1') },
      { type: 'message-end', stopReason: 'refusal', usage: {}, message },
    ])
      .pipe(toolUses())
      .subscribe({ next: ({ id }) => passed.push(id), error: ({ code }) => passed.push(code) });
    expect(passed).toEqual(['t1', 'refused']);
  });

  it('completes with a source that ends early', () => diagram('s-u-|', '^---!', '--a-|'));

  it('keeps no state between subscriptions', () => {
    const source = new Subject<ModelEvent>();
    const seen: (string | undefined)[] = [];
    const calls$ = source.pipe(toolUses());
    calls$.subscribe(({ messageId }) => seen.push(messageId));
    source.next(events.s!);
    calls$.subscribe(({ messageId }) => seen.push(messageId));
    source.next(events.u!);
    expect(seen).toEqual(['m1', undefined]);
  });

  it('leaves a synchronous source in the middle', () => {
    let completed = false;
    concat(
      of(events.s!, events.u!, events.e!),
      throwError(() => new Error('read on')),
      NEVER,
    )
      .pipe(toolUses())
      .subscribe({
        complete: () => {
          completed = true;
        },
      });
    expect(completed).toBe(true);
  });
});
