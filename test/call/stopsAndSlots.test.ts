import { map, NEVER, Observable, Subject, tap, timer, VirtualTimeScheduler } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { createPool, failure, output, type PermissionAnswer, type ToolEvent } from '../../src/index.js';
import { createPermissions } from '../../src/permissions/index.js';
import {
  codes,
  eventsOf,
  outcomeOf,
  Seen,
  safeTool,
  startedIds,
  turnOf,
  unsafeTool,
  use,
} from '../engine/turns.js';

const read = safeTool('read', () => 'done');
const write = unsafeTool('write', () => 'done');
const anyMode = { mode: 'default' } as const;

/** The same turn, whose observer stops it at the first event that is meant. */
const stoppedAt = (
  turn$: Observable<ToolEvent>,
  isMeant: (event: ToolEvent) => boolean,
  stop$: Subject<string>,
) => new Seen(turn$.pipe(tap((event) => isMeant(event) && stop$.next('enough'))));

describe('a turn that is stopped by whoever watches', () => {
  it.each(['interrupt$', 'discard$'] as const)('at the start of a hook asks none (%s)', (control) => {
    const asked: string[] = [];
    const stop$ = new Subject<string>();
    const hooks = { PreToolUse: [() => void asked.push('first'), () => void asked.push('second')] };
    const turn$ = turnOf([use('a', 'write')], [write], { hooks, [control]: stop$ });
    const seen = stoppedAt(turn$, ({ type }) => type === 'hook', stop$);
    expect([asked, seen.ended]).toEqual([[], 'completed']);
  });

  it('at the word of a hook asks no permission, and leaves no timer', () => {
    const scheduler = new VirtualTimeScheduler();
    const stop$ = new Subject<string>();
    const turn$ = turnOf([use('a', 'write')], [write], {
      hooks: { PreToolUse: [() => ({ continue: false })] },
      permissions: { ...anyMode, timeoutMs: 50 },
      canUseTool: () => NEVER,
      discard$: stop$,
      scheduler,
    });
    const seen = stoppedAt(turn$, ({ type }) => type === 'stop', stop$);
    expect([eventsOf(seen.values, 'permission'), seen.ended]).toEqual([[], 'completed']);
    expect(scheduler.actions).toEqual([]);
  });

  it('at the start of a further attempt does not make it', () => {
    const scheduler = new VirtualTimeScheduler();
    const stop$ = new Subject<string>();
    const tries: number[] = [];
    const tool = unsafeTool(
      'tool',
      (_input, { attempt }) => {
        tries.push(attempt);
        return failure('busy', { transient: true });
      },
      { isIdempotent: () => true, retry: { maxAttempts: 3 } },
    );
    const turn$ = turnOf([use('a', 'tool')], [tool], { discard$: stop$, scheduler });
    const seen = stoppedAt(turn$, (event) => event.type === 'started' && event.attempt === 2, stop$);
    scheduler.flush();
    expect([tries, seen.ended]).toEqual([[1], 'completed']);
  });

  it('at the start of the hooks behind it asks none, and ends', () => {
    const asked: string[] = [];
    const stop$ = new Subject<string>();
    const hooks = { PostToolBatch: [() => void asked.push('batch')] };
    const turn$ = turnOf([use('a', 'read')], [read], { hooks, interrupt$: stop$ });
    const seen = stoppedAt(turn$, ({ type }) => type === 'turn-hook', stop$);
    expect([asked, seen.ended]).toEqual([[], 'completed']);
  });
});

describe('a turn that was stopped', () => {
  it('does not ask the hooks behind it: nobody makes another request', () => {
    const asked: string[] = [];
    const stop$ = new Subject<string>();
    const hooks = { PostToolBatch: [() => void asked.push('batch')] };
    const tool = safeTool('slow', () => NEVER);
    const seen = new Seen(turnOf([use('a', 'slow')], [tool], { hooks, interrupt$: stop$ }));
    stop$.next('enough');
    expect([asked, codes(seen.values), seen.ended]).toEqual([[], ['a interrupted'], 'completed']);
  });

  it('lets no call that waits to run alone go on when another is stopped first', () => {
    const stop$ = new Subject<string>();
    const mixed = safeTool('mixed', () => NEVER, {
      isConcurrencySafe: (input: unknown) => (input as { readonly safe?: boolean }).safe !== false,
    });
    const seen = new Seen(
      turnOf([use('a', 'mixed'), use('b', 'mixed')], [mixed], {
        hooks: {
          PreToolUse: [({ toolUse }) => (toolUse.id === 'b' ? { updatedInput: { safe: false } } : undefined)],
        },
        permissions: { rules: { allow: ['mixed'] } },
        discard$: stop$,
      }),
    );
    stop$.next('enough');
    expect(eventsOf(seen.values, 'permission').map(({ toolUseId }) => toolUseId)).toEqual(['a']);
    expect(seen.ended).toBe('completed');
  });

  it('by leaving it leaves the hooks behind it too', () => {
    let signal: AbortSignal | undefined;
    const hooks = {
      PostToolBatch: [
        (input: { readonly signal: AbortSignal }) => {
          signal = input.signal;
          return NEVER;
        },
      ],
    };
    new Seen(turnOf([use('a', 'read')], [read], { hooks })).leave();
    expect(signal?.aborted).toBe(true);
  });
});

describe('a denial', () => {
  const deny = { behavior: 'deny', interrupt: true } as const;

  it('that stops the turn does so before the next call begins', () => {
    const answer$ = new Subject<PermissionAnswer>();
    const asked: string[] = [];
    const hooks = { PreToolUse: [({ toolUse }: { toolUse: { id: string } }) => void asked.push(toolUse.id)] };
    const seen = new Seen(
      turnOf([use('a', 'write'), use('b', 'write')], [write], { hooks, canUseTool: () => answer$ }),
    );
    answer$.next(deny);
    expect([asked, codes(seen.values)]).toEqual([['a'], ['a denied', 'b interrupted']]);
  });

  it('that stops the turn shows no further prompt', () => {
    const answer$ = new Subject<PermissionAnswer>();
    const asked: string[] = [];
    const canUseTool = ({ toolUse }: { toolUse: { id: string } }) => {
      asked.push(toolUse.id);
      return answer$;
    };
    const seen = new Seen(turnOf([use('a', 'read'), use('b', 'read')], [read], { canUseTool }));
    answer$.next(deny);
    expect([asked, codes(seen.values)]).toEqual([['a'], ['a denied', 'b interrupted']]);
  });

  it('with `rest-of-turn` is known before a call behind it begins', () => {
    const seen = new Seen(
      turnOf([use('a', 'write'), use('b', 'read')], [write, read], {
        permissions: { rules: { deny: ['write'], allow: ['read'] } },
        onDeny: 'rest-of-turn',
      }),
    );
    expect([startedIds(seen.values), codes(seen.values)]).toEqual([[], ['a denied', 'b denied']]);
  });
});

describe('a permission', () => {
  it('of the earlier call is shown first, also where its slot lets the later one begin', () => {
    const scheduler = new VirtualTimeScheduler();
    const asked: string[] = [];
    const hooks = {
      PreToolUse: [
        ({ toolUse }: { toolUse: { id: string } }) =>
          toolUse.id === 'a' ? timer(5, scheduler).pipe(map(() => undefined)) : undefined,
      ],
    };
    const canUseTool = ({ toolUse }: { toolUse: { id: string } }) => {
      asked.push(toolUse.id);
      return timer(10, scheduler).pipe(map(() => ({ behavior: 'allow' as const })));
    };
    const options = { hooks, canUseTool, limits: { concurrency: 1 }, scheduler };
    const seen = new Seen(turnOf([use('a', 'read'), use('b', 'read')], [read], options));
    scheduler.flush();
    expect([asked, codes(seen.values)]).toEqual([
      ['a', 'b'],
      ['a ok', 'b ok'],
    ]);
  });

  it('that was given does not lapse while the call waits for others', () => {
    const scheduler = new VirtualTimeScheduler();
    const slow = safeTool('slow', () => timer(100, scheduler).pipe(map(() => output('done'))));
    const mixed = safeTool('mixed', () => 'done', {
      isConcurrencySafe: (input: unknown) => (input as { readonly safe?: boolean }).safe !== false,
    });
    const seen = new Seen(
      turnOf([use('a', 'slow'), use('b', 'mixed')], [slow, mixed], {
        permissions: { timeoutMs: 20, rules: { allow: ['slow'] } },
        canUseTool: () => ({ behavior: 'allow', input: { safe: false } }),
        scheduler,
      }),
    );
    scheduler.flush();
    expect(codes(seen.values)).toEqual(['a ok', 'b ok']);
  });

  it('that was given is looked at again where rules changed while the call waited for a slot', () => {
    const answer$ = new Subject<PermissionAnswer>();
    const done$ = new Subject<unknown>();
    const permissions = createPermissions({ rules: { allow: ['slow'] } });
    const slow = safeTool('slow', () => done$);
    const seen = new Seen(
      turnOf([use('a', 'read'), use('b', 'slow')], [read, slow], {
        permissions,
        canUseTool: () => answer$,
        limits: { concurrency: 1 },
      }),
    );
    answer$.next({ behavior: 'allow' });
    expect(eventsOf(seen.values, 'waiting').at(-1)).toMatchObject({ toolUseId: 'a', reason: 'limit' });
    permissions.remember([{ behavior: 'deny', rule: 'read' }]);
    done$.next(output('done'));
    expect(codes(seen.values)).toEqual(['a denied', 'b ok']);
  });

  it('is shown when the one before it has been taken back', () => {
    const open: string[] = [];
    const log: string[] = [];
    const canUseTool = ({ toolUse: { id } }: { toolUse: { id: string } }) => {
      open.push(id);
      log.push(open.join(' '));
      return new Observable<PermissionAnswer>(() => () => open.splice(open.indexOf(id), 1));
    };
    const failing = safeTool('failing', () => stop$, { abortsSiblings: true });
    const stop$ = new Subject<unknown>();
    const options = { canUseTool, permissions: createPermissions({ rules: { allow: ['failing'] } }) };
    new Seen(turnOf([use('a', 'failing'), use('b', 'read')], [failing, read], options));
    new Seen(turnOf([use('x', 'read')], [read], options));
    stop$.error(new Error('broken'));
    expect(log).toEqual(['b', 'x']);
  });

  it('that is asked for anew before it was shown is left with the turn', () => {
    const said$ = new Subject<object>();
    const permissions = createPermissions(anyMode);
    let rounds = 0;
    const hooks = { PermissionRequest: [() => (rounds++ === 0 ? said$ : undefined)] };
    const seen = new Seen(
      turnOf([use('a', 'read')], [read], { permissions, hooks, canUseTool: () => NEVER }),
    );
    permissions.remember([{ behavior: 'allow', rule: 'other' }]);
    said$.next({});
    expect(rounds).toBe(2);
    seen.leave();
    let asked = 0;
    const canUseTool = () => {
      asked++;
      return NEVER;
    };
    new Seen(turnOf([use('b', 'read')], [read], { permissions, canUseTool }));
    expect(asked).toBe(1);
  });

  it('that rules have settled while a classifier was asked is put to nobody', () => {
    const said$ = new Subject<'ask'>();
    const permissions = createPermissions(anyMode);
    let asked = 0;
    const canUseTool = () => {
      asked++;
      return NEVER;
    };
    const classifier = { classify: () => said$ };
    const seen = new Seen(turnOf([use('a', 'read')], [read], { permissions, canUseTool, classifier }));
    permissions.remember([{ behavior: 'allow', rule: 'read' }]);
    said$.next('ask');
    expect([codes(seen.values), asked]).toEqual([['a ok'], 0]);
  });

  it('that a hook gave under other rules is asked for again, whatever that hook changes', () => {
    const answer$ = new Subject<object>();
    const permissions = createPermissions(anyMode);
    const hooks = {
      PermissionRequest: [() => answer$],
    };
    const seen = new Seen(turnOf([use('a', 'read')], [read], { hooks, permissions }));
    permissions.remember([{ behavior: 'deny', rule: 'read' }]);
    answer$.next({
      decision: 'allow',
      updatedPermissions: [{ type: 'addRules', behavior: 'allow', rule: 'other' }],
    });
    expect(codes(seen.values)).toEqual(['a denied']);
  });

  it('whose answer leads to input that is invalid leaves no timer', () => {
    const scheduler = new VirtualTimeScheduler();
    const strict = unsafeTool('strict', () => 'done', {
      inputSchema: {
        '~standard': {
          version: 1,
          vendor: 'test',
          validate: (value) =>
            (value as { readonly bad?: boolean }).bad ? { issues: [{ message: 'bad' }] } : { value },
        },
      },
    });
    const seen = new Seen(
      turnOf([use('a', 'strict')], [strict], {
        permissions: { timeoutMs: 50 },
        canUseTool: () => ({ behavior: 'allow', input: { bad: true } }),
        scheduler,
      }),
    );
    expect([codes(seen.values), scheduler.actions]).toEqual([['a invalid_input'], []]);
  });
});

it('a classifier is left where a hook denies the call', () => {
  let open = 0;
  const classify = () =>
    new Observable<'allow'>(() => {
      open++;
      return () => open--;
    });
  const hooks = { PreToolUse: [() => ({ decision: 'deny' as const })] };
  const seen = new Seen(turnOf([use('a', 'read')], [read], { hooks, classifier: { classify } }));
  expect([codes(seen.values), open]).toEqual([['a hook_denied'], 0]);
});

it('what a call spent on a hook that was never heard counts', () => {
  const scheduler = new VirtualTimeScheduler();
  const stop$ = new Subject<string>();
  const hooks = { PreToolUse: [() => NEVER] };
  const seen = new Seen(turnOf([use('a', 'read')], [read], { hooks, interrupt$: stop$, scheduler }));
  scheduler.schedule(() => stop$.next('enough'), 30);
  scheduler.flush();
  expect(outcomeOf(seen.values, 'a').durations).toMatchObject({ hooks: 30, permission: 0, running: 0 });
});

describe('a slot of a shared pool', () => {
  it('that comes from another turn is taken at the time it is', () => {
    const scheduler = new VirtualTimeScheduler();
    const pool = createPool({ concurrency: 1 });
    const slow = safeTool('slow', () => timer(40, scheduler).pipe(map(() => output('done'))));
    new Seen(turnOf([use('x', 'slow')], [slow], { pool, scheduler }));
    const seen = new Seen(turnOf([use('a', 'read')], [read], { pool, scheduler }));
    scheduler.flush();
    expect(eventsOf(seen.values, 'started').map(({ at }) => at)).toEqual([40]);
  });

  it('is taken by a call that a hook may mend', () => {
    const pool = createPool({ concurrency: 1 });
    const strict = unsafeTool('strict', () => 'done', {
      inputSchema: {
        '~standard': { version: 1, vendor: 'test', validate: () => ({ issues: [{ message: 'bad' }] }) },
      },
    });
    const hooks = { PreToolUse: [() => NEVER] };
    const seen = new Seen(turnOf([use('a', 'strict')], [strict], { hooks, pool }));
    expect(pool.running).toBe(1);
    seen.leave();
    expect(pool.running).toBe(0);
  });
});
