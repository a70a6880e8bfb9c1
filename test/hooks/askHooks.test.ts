import { NEVER, Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { PreToolUseInput } from '../../src/contract/hooks.js';
import type { Cause } from '../../src/contract/outcome.js';
import { askPreToolUse, type PreToolUseVerdict, readHooks } from '../../src/hooks/index.js';
import { unhandledIn } from '../interop/receiver.js';
import { askPre, call, virtualHost } from './rounds.js';

const ready = (...hooks: Parameters<typeof askPre>[0] & object) =>
  readHooks({ PreToolUse: hooks }, 'hooks')?.PreToolUse ?? [];
const left: Cause = { type: 'signal', reason: 'left' };

describe('a round of hooks', () => {
  it('asks them one after another, in configured order', () => {
    const set = virtualHost();
    const at: string[] = [];
    const slow = (name: string, ms: number) => () => {
      at.push(`${name}@${set.virtual.now()}`);
      return set.later(ms, undefined);
    };
    askPre([slow('a', 30), slow('b', 10), slow('c', 0)], { set });
    expect(at).toEqual(['a@0', 'b@30', 'c@40']);
  });

  it('gives each its own limit, from when it is asked', () => {
    const set = virtualHost({ timeoutMs: 50 });
    const asked: string[] = [];
    const hook = (name: string, ms: number, timeoutMs?: number) => ({
      name,
      onFailure: 'continue' as const,
      run: () => {
        asked.push(`${name}@${set.virtual.now()}`);
        return set.later(ms, undefined);
      },
      ...(timeoutMs === undefined ? undefined : { timeoutMs }),
    });
    const verdict = askPre([hook('a', 49), hook('b', 51), hook('c', 51, 20), hook('d', 51, 60)], { set });
    expect(asked).toEqual(['a@0', 'b@49', 'c@99', 'd@119']);
    expect(verdict.failures.map(({ hook, failure }) => `${hook}: ${failure}`)).toEqual([
      'b: it gave no answer within its limit of 50 ms',
      'c: it gave no answer within its limit of 20 ms',
    ]);
  });

  it('six calls behind one slow queue of hooks: all are denied, none by the others’ time', () => {
    const set = virtualHost({ timeoutMs: 200 });
    const hooks = ready(
      ...Array.from(
        { length: 6 },
        (_, n) => () => set.later(80, { decision: 'deny' as const, reason: `${n}` }),
      ),
    );
    const verdicts: PreToolUseVerdict[] = [];
    for (let n = 0; n < 6; n++) askPreToolUse(hooks, call, set.host, (verdict) => verdicts.push(verdict));
    set.virtual.flush();
    expect(verdicts.map(({ decision, failures }) => [decision, failures.length])).toEqual(
      Array.from({ length: 6 }, () => ['deny', 0]),
    );
  });

  it('tells each what it needs, with a signal of its own', () => {
    const inputs: PreToolUseInput[] = [];
    const set = virtualHost();
    const keep = (input: PreToolUseInput) => {
      inputs.push(input);
      return undefined;
    };
    const other = (input: PreToolUseInput) => keep(input);
    askPre([keep, other], { set });
    const [first, second] = inputs as [PreToolUseInput, PreToolUseInput];
    expect(first).toMatchObject({
      event: 'PreToolUse',
      toolUse: call.toolUse,
      name: 'Bash',
      input: call.input,
      context: { user: 'u' },
      permissionMode: 'default',
    });
    expect(first.scheduler).toBe(set.host.scheduler);
    expect(first.signal).toBe(first.signal);
    expect(first.signal).not.toBe(second.signal);
    expect(first.signal.aborted).toBe(false);
  });

  it('aborts the signal of one that takes too long, and leaves its work', () => {
    const set = virtualHost();
    let signal: AbortSignal | undefined;
    const verdict = askPre(
      [
        {
          timeoutMs: 10,
          run: (input) => {
            signal = input.signal;
            return set.later(1_000, { decision: 'allow' as const });
          },
        },
      ],
      { set },
    );
    expect(verdict.decision).toBe('failed');
    expect(signal?.reason).toEqual({ type: 'limit', limit: 'timeout', ms: 10 });
    expect(set.open.count).toBe(0);
  });

  it('leaves no timer, whatever the end', () => {
    const set = virtualHost();
    askPre([() => set.later(5, undefined), () => undefined, { timeoutMs: 7, run: () => NEVER }], { set });
    expect([set.scheduler.pending, set.open.count]).toEqual([0, 0]);
  });

  it('sets no timer and does not tick where all answer at once', () => {
    const set = virtualHost();
    let isDone = false;
    const pending = askPreToolUse(
      ready(() => ({ decision: 'allow' })),
      call,
      set.host,
      () => {
        isDone = true;
      },
    );
    expect([pending, isDone, set.ticks(), set.scheduler.pending]).toEqual([undefined, true, 0, 0]);
  });

  it('ticks before it takes an answer that comes later', () => {
    const set = virtualHost();
    let ticked = -1;
    const hooks = ready(() => set.later(5, undefined));
    askPreToolUse(hooks, call, set.host, () => {
      ticked = set.ticks();
    });
    set.virtual.flush();
    expect(ticked).toBe(1);
  });

  it('of 20,000 hooks that answer at once needs no stack', () => {
    let asked = 0;
    const verdict = askPre(
      Array.from({ length: 20_000 }, (_, n) => ({
        key: String(n),
        run: () => {
          asked++;
          return n === 19_999 ? { decision: 'ask' as const } : undefined;
        },
      })),
    );
    expect([asked, verdict.decision]).toEqual([20_000, 'ask']);
  });

  it('of 20,000 calls costs the same for each', () => {
    const set = virtualHost({});
    const hooks = ready(
      () => undefined,
      () => ({ decision: 'allow' }),
    );
    let allowed = 0;
    for (let n = 0; n < 20_000; n++) {
      askPreToolUse(hooks, call, { ...set.host, onHook: () => undefined }, ({ decision }) => {
        if (decision === 'allow') allowed++;
      });
    }
    expect(allowed).toBe(20_000);
  });

  it('tells whoever watches when a hook begins and how it ends', () => {
    const set = virtualHost();
    askPre(
      [
        { name: 'guard', run: () => ({ decision: 'deny', reason: 'no' }) },
        { name: 'log', run: () => 7 as never },
      ],
      {
        set,
      },
    );
    expect(set.told).toEqual([
      { hook: 'guard', phase: 'started' },
      { hook: 'guard', phase: 'ended', decision: 'deny', message: 'no' },
      { hook: 'log', phase: 'started' },
      {
        hook: 'log',
        phase: 'ended',
        decision: 'failed',
        message: 'it answered 7, expected an object or nothing',
      },
    ]);
  });
});

describe('a round that is cancelled', () => {
  it('tells the hook why, asks no other, and ends without a verdict', () => {
    const set = virtualHost();
    const reasons: unknown[] = [];
    const asked: string[] = [];
    const hooks = ready(
      ({ signal }) => {
        asked.push('a');
        signal.addEventListener('abort', () => reasons.push(signal.reason));
        return set.later(50, undefined);
      },
      () => {
        asked.push('b');
        return undefined;
      },
    );
    const pending = askPreToolUse(hooks, call, set.host, () => asked.push('verdict'));
    pending?.cancel(left);
    pending?.cancel({ type: 'user', reason: '' });
    set.virtual.flush();
    expect([asked, reasons, set.scheduler.pending, set.open.count]).toEqual([['a'], [left], 0, 0]);
  });

  it('by whoever sees a hook begin does not ask it', () => {
    const asked: string[] = [];
    const set = virtualHost();
    const slow = { name: 'slow', run: () => set.later(1, undefined) };
    const next = { name: 'next', run: () => void asked.push('next') as undefined };
    const host = {
      ...set.host,
      onHook: ({ hook, phase }: { hook: string; phase: string }) => {
        if (hook === 'next' && phase === 'started') pending?.cancel(left);
      },
    };
    const pending = askPreToolUse(ready(slow, next), call, host, () => asked.push('verdict'));
    set.virtual.flush();
    expect(asked).toEqual([]);
  });

  it('from inside the hook that is asked takes its answer no more', () => {
    const set = virtualHost();
    const seen: string[] = [];
    const hooks = ready(
      () => set.later(1, undefined),
      () => {
        pending?.cancel(left);
        return new Observable<never>(() => () => seen.push('unsubscribed'));
      },
    );
    const pending = askPreToolUse(hooks, call, set.host, () => seen.push('verdict'));
    set.virtual.flush();
    expect([seen, set.scheduler.pending]).toEqual([['unsubscribed'], 0]);
  });

  it('or has timed out drops a late rejection without a word', async () => {
    const set = virtualHost();
    const rejections: (() => void)[] = [];
    const rejecting = () =>
      new Promise<undefined>((_resolve, reject) => {
        rejections.push(() => reject(new Error('late')));
      });
    const unhandled = await unhandledIn(async () => {
      expect(askPre([{ timeoutMs: 5, run: rejecting }], { set }).decision).toBe('failed');
      askPreToolUse(ready(rejecting), call, set.host, () => expect.unreachable())?.cancel(left);
      for (const reject of rejections) reject();
    });
    expect([rejections.length, unhandled]).toEqual([2, []]);
  });
});
