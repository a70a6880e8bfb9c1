import { map, Observable, Subject, timer, VirtualTimeScheduler } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  type CanUseTool,
  type ExecuteToolsOptions,
  InvalidOptionError,
  type PermissionAnswer,
  type PermissionRequest,
  type RuleTarget,
  type Tool,
  type ToolEvent,
  type ToolUse,
} from '../../src/index.js';
import { createPermissions } from '../../src/permissions/index.js';
import {
  codes,
  eventsOf,
  outcomeOf,
  Seen,
  safeTool,
  textOf,
  turnOf,
  unsafeTool,
  use,
} from '../engine/turns.js';
import { settled, unhandledIn } from '../interop/receiver.js';

const inputSchema = z.object({ path: z.string() });
type Input = z.infer<typeof inputSchema>;

const targetsOf =
  (access: 'read' | 'edit') =>
  (input: never): readonly RuleTarget[] => [{ type: 'path', access, paths: [(input as Input).path] }];

/** Tools that write down what they ran with. */
class Disk {
  readonly log: string[] = [];
  readonly read = safeTool('Read', (input) => this.#note('read', input), {
    inputSchema,
    ruleTargets: targetsOf('read'),
    isReadOnly: () => true,
  });
  readonly edit = unsafeTool('Edit', (input) => this.#note('edit', input), {
    inputSchema,
    aliases: ['Change'],
    ruleTargets: targetsOf('edit'),
  });

  #note(what: string, input: unknown): string {
    this.log.push(`${what} ${(input as Input).path}`);
    return 'done';
  }
}

/** Answers prompts when it is told to. */
class Person {
  readonly asked: PermissionRequest[] = [];
  readonly #answers: Subject<PermissionAnswer>[] = [];
  readonly canUseTool: CanUseTool = (request) => {
    this.asked.push(request);
    const answer$ = new Subject<PermissionAnswer>();
    this.#answers.push(answer$);
    return answer$;
  };

  answer(index: number, answer: PermissionAnswer): void {
    this.#answers[index]?.next(answer);
  }

  get ids(): readonly string[] {
    return this.asked.map(({ toolUse }) => toolUse.id);
  }

  /** Prompts somebody still waits for. */
  get open(): number {
    return this.#answers.filter(({ observed }) => observed).length;
  }
}

const read = (id: string, path = '/w/a'): ToolUse => use(id, 'Read', { path });
const edit = (id: string, path = '/w/a'): ToolUse => use(id, 'Edit', { path });

const run = (
  calls: readonly ToolUse[],
  options: Partial<ExecuteToolsOptions>,
  disk = new Disk(),
): { readonly seen: Seen<import('../../src/index.js').ToolEvent>; readonly disk: Disk } => ({
  seen: new Seen(turnOf(calls, [disk.read, disk.edit], options)),
  disk,
});

const rules = (lists: { allow?: string[]; deny?: string[]; ask?: string[] }) => ({
  permissions: { cwd: '/w', rules: lists },
});

describe('rules', () => {
  it('deny: nothing runs, and the rule is named', () => {
    const { seen, disk } = run([edit('a'), read('b')], rules({ deny: ['Edit(//w/a)'], allow: ['Read'] }));
    expect([codes(seen.values), disk.log]).toEqual([['a denied', 'b ok'], ['read /w/a']]);
    expect(outcomeOf(seen.values, 'a')).toMatchObject({
      executed: 'no',
      by: { type: 'rule', rule: 'Edit(//w/a)' },
    });
    expect(textOf(seen.values, 'a')).toMatch(
      /PermissionDeniedError: Edit was not permitted\..*`Edit\(\/\/w\/a\)`/,
    );
    expect(eventsOf(seen.values, 'permission')[0]).toMatchObject({
      phase: 'decided',
      decision: 'deny',
      decidedBy: 'rule Edit(//w/a)',
    });
  });

  it('for a former name of a tool hold', () => {
    const { seen } = run([edit('a')], rules({ deny: ['Change'] }));
    expect(codes(seen.values)).toEqual(['a denied']);
  });

  it('that leave a call open deny it where nobody can be asked', () => {
    const { seen, disk } = run([edit('a')], rules({ allow: ['Read'] }));
    expect([codes(seen.values), disk.log]).toEqual([['a denied'], []]);
    expect(outcomeOf(seen.values, 'a').by).toEqual({ type: 'nobody' });
  });

  it('are tested on the original and on the final input of a hook', () => {
    const hooks = (path: string) => ({ PreToolUse: [() => ({ updatedInput: { path } })] });
    const lists = { deny: ['Edit(//w/secret)'], allow: ['Edit'] };
    const away = run([edit('a', '/w/secret')], { ...rules(lists), hooks: hooks('/w/open') });
    const towards = run([edit('a', '/w/open')], { ...rules(lists), hooks: hooks('/w/secret') });
    expect([codes(away.seen.values), codes(towards.seen.values)]).toEqual([['a denied'], ['a denied']]);
    expect([away.disk.log, towards.disk.log]).toEqual([[], []]);
  });

  it('are not lifted by a hook that allows', () => {
    const hooks = { PreToolUse: [() => ({ decision: 'allow' as const })] };
    const { seen } = run([edit('a'), read('b')], { ...rules({ deny: ['Edit'], ask: ['Read'] }), hooks });
    expect(codes(seen.values)).toEqual(['a denied', 'b denied']);
  });

  it('that can not be meant are refused at construction', () => {
    expect(() => turnOf([], [], rules({ deny: ['Edit('] }))).toThrow(InvalidOptionError);
  });

  it('that never match are told of, in every turn', () => {
    const { seen } = run([read('a')], rules({ deny: ['Write(./secret)'], allow: ['Read'] }));
    const [warning] = eventsOf(seen.values, 'anomaly');
    expect(warning).toMatchObject({
      code: 'permission_warning',
      message: expect.stringMatching(/never matches/),
    });
  });

  it('cost nothing where there are none: no event, no question', () => {
    const { seen } = run([edit('a')], {});
    expect(eventsOf(seen.values, 'permission')).toEqual([]);
    expect(codes(seen.values)).toEqual(['a ok']);
  });
});

describe('a tool’s own check', () => {
  const checked = (
    checkPermissions: Tool['checkPermissions'],
    options: Partial<ExecuteToolsOptions> = {},
  ) => {
    const tool = unsafeTool('tool', () => 'done', {
      checkPermissions: checkPermissions as NonNullable<typeof checkPermissions>,
    });
    return new Seen(turnOf([use('a', 'tool')], [tool], options));
  };

  it.each<[string, Tool['checkPermissions'], string]>([
    ['allows', () => ({ behavior: 'allow' }), 'ok'],
    ['has no opinion', () => undefined, 'ok'],
    ['denies', () => ({ behavior: 'deny', message: 'not on Sundays' }), 'denied'],
    ['asks, and nobody is there', () => ({ behavior: 'ask' }), 'denied'],
    [
      'throws',
      () => {
        throw new Error('broken');
      },
      'denied',
    ],
    ['answers rubbish', () => 'yes' as never, 'denied'],
  ])('that %s', (_name, check, code) => {
    expect(codes(checked(check).values)).toEqual([`a ${code}`]);
  });

  it('that needs a person is asked about in every mode', () => {
    const person = new Person();
    const ask = () => ({ behavior: 'ask', requiresInteraction: true }) as const;
    const seen = checked(ask, { canUseTool: person.canUseTool, permissions: { mode: 'bypassPermissions' } });
    expect(person.asked[0]).toMatchObject({ isHard: true, askedBy: { type: 'tool' } });
    person.answer(0, { behavior: 'allow' });
    expect(codes(seen.values)).toEqual(['a ok']);
  });
});

describe('a person', () => {
  it('is asked one prompt at a time, the earliest call first, and safe calls give their slots back', () => {
    const person = new Person();
    const { seen, disk } = run([read('a'), read('b', '/w/b'), read('c')], {
      canUseTool: person.canUseTool,
      limits: { concurrency: 1 },
    });
    expect(person.ids).toEqual(['a']);
    expect(person.asked[0]).toMatchObject({ name: 'Read', input: { path: '/w/a' }, isHard: false });
    person.answer(0, { behavior: 'deny', message: 'private' });
    expect(person.ids).toEqual(['a', 'b']);
    person.answer(1, { behavior: 'allow' });
    person.answer(2, { behavior: 'allow' });
    expect([codes(seen.values), disk.log]).toEqual([
      ['a denied', 'b ok', 'c ok'],
      ['read /w/b', 'read /w/a'],
    ]);
    expect(textOf(seen.values, 'a')).toMatch(/was refused by the user\. private\./);
    expect(outcomeOf(seen.values, 'a').by).toEqual({ type: 'callback', callback: 'canUseTool' });
    const waits = eventsOf(seen.values, 'waiting').map(({ toolUseId, reason }) => `${toolUseId} ${reason}`);
    expect(waits).toEqual(['a permission', 'b permission', 'c permission']);
  });

  it('holds only the call that is asked about and what must come after it', () => {
    const person = new Person();
    const scheduler = new VirtualTimeScheduler();
    const disk = new Disk();
    const options = { ...rules({ allow: ['Read'] }), canUseTool: person.canUseTool, scheduler };
    const { seen } = run([read('a'), edit('b'), read('c')], options, disk);
    expect([disk.log, person.ids]).toEqual([['read /w/a'], ['b']]);
    person.answer(0, { behavior: 'allow' });
    expect(codes(seen.values)).toEqual(['a ok', 'b ok', 'c ok']);
  });

  it('may have an answer remembered, which then answers the prompts that wait', () => {
    const person = new Person();
    const permissions = createPermissions({ cwd: '/w' });
    const calls = [read('a'), read('b'), read('c')];
    const { seen } = run(calls, { canUseTool: person.canUseTool, permissions });
    person.answer(0, { behavior: 'allow', remember: [{ behavior: 'allow', rule: 'Read' }] });
    expect([codes(seen.values), person.ids]).toEqual([['a ok', 'b ok', 'c ok'], ['a']]);
    const next = run([read('x')], { canUseTool: person.canUseTool, permissions });
    expect([codes(next.seen.values), person.ids]).toEqual([['x ok'], ['a']]);
  });

  it('may change the input, which is parsed and tested against the rules again', () => {
    const person = new Person();
    const options = { ...rules({ deny: ['Edit(//w/secret)'] }), canUseTool: person.canUseTool };
    const { seen, disk } = run([edit('a'), edit('b'), edit('c')], options);
    person.answer(0, { behavior: 'allow', input: { path: '/w/other' } });
    person.answer(1, { behavior: 'allow', input: { path: 7 } });
    person.answer(2, { behavior: 'allow', input: { path: '/w/secret' } });
    expect(codes(seen.values)).toEqual(['a ok', 'b invalid_input', 'c denied']);
    expect(disk.log).toEqual(['edit /w/other']);
  });

  it.each<[string, unknown]>([
    [
      'a throw',
      () => {
        throw new Error('no terminal');
      },
    ],
    ['a rejection', () => Promise.reject(new Error('no terminal'))],
    ['nothing', () => undefined],
    ['yes', () => 'yes'],
    ['allow by another name', () => ({ decision: 'allow' })],
  ])('who answers with %s has not allowed it', async (_name, canUseTool) => {
    const { seen, disk } = run([edit('a')], { canUseTool: canUseTool as CanUseTool });
    await new Promise((resolve) => setImmediate(resolve));
    expect([codes(seen.values), disk.log]).toEqual([['a denied'], []]);
  });

  it('whose time lapses has denied it, and the next one is asked', () => {
    const person = new Person();
    const scheduler = new VirtualTimeScheduler();
    const permissions = { timeoutMs: 50 };
    const { seen, disk } = run([edit('a'), edit('b')], {
      canUseTool: person.canUseTool,
      permissions,
      scheduler,
    });
    scheduler.schedule(() => person.answer(1, { behavior: 'allow' }), 60);
    scheduler.flush();
    person.answer(0, { behavior: 'allow' });
    expect([codes(seen.values), disk.log]).toEqual([['a denied', 'b ok'], ['edit /w/a']]);
    expect(outcomeOf(seen.values, 'a')).toMatchObject({
      by: { type: 'limit', limit: 'permission', ms: 50 },
      durations: { permission: 50, running: 0 },
    });
  });

  it('counts against no other clock', () => {
    const person = new Person();
    const scheduler = new VirtualTimeScheduler();
    const { seen } = run([edit('a')], { canUseTool: person.canUseTool, timeoutMs: 10, scheduler });
    scheduler.schedule(() => person.answer(0, { behavior: 'allow' }), 500);
    scheduler.flush();
    expect(codes(seen.values)).toEqual(['a ok']);
  });

  it('who denies may stop the turn', () => {
    const person = new Person();
    const { seen, disk } = run([edit('a'), edit('b')], { canUseTool: person.canUseTool });
    person.answer(0, { behavior: 'deny', message: 'wrong folder', interrupt: true });
    expect([codes(seen.values), disk.log, seen.ended]).toEqual([
      ['a denied', 'b interrupted'],
      [],
      'completed',
    ]);
    expect(eventsOf(seen.values, 'stop')).toMatchObject([{ reason: 'interrupted', by: 'wrong folder' }]);
  });

  it.each(['interrupt$', 'discard$'] as const)(
    'is not asked any more after %s, and a late yes runs nothing',
    (control) => {
      const person = new Person();
      const stop$ = new Subject<string>();
      const { seen, disk } = run([read('a'), read('b')], { canUseTool: person.canUseTool, [control]: stop$ });
      const { signal } = person.asked[0] as PermissionRequest;
      stop$.next('enough');
      expect([signal.aborted, person.open]).toEqual([true, 0]);
      person.answer(0, { behavior: 'allow' });
      const code = control === 'interrupt$' ? 'interrupted' : 'discarded';
      expect([codes(seen.values), disk.log, person.ids]).toEqual([[`a ${code}`, `b ${code}`], [], ['a']]);
      expect(seen.ended).toBe('completed');
    },
  );

  it('is not waited for after an interruption, also for a tool that finishes what it has begun', () => {
    const person = new Person();
    const interrupt$ = new Subject<string>();
    const tool = unsafeTool('tool', () => 'done', { onInterrupt: 'finish' });
    const seen = new Seen(turnOf([use('a', 'tool')], [tool], { interrupt$, canUseTool: person.canUseTool }));
    interrupt$.next('stop');
    expect([codes(seen.values), person.open, seen.ended]).toEqual([['a interrupted'], 0, 'completed']);
  });

  it('leaves nothing behind when the turn is left', () => {
    const person = new Person();
    const { seen } = run([read('a'), read('b')], { canUseTool: person.canUseTool });
    seen.leave();
    expect([person.open, person.asked[0]?.signal.aborted, person.ids]).toEqual([0, true, ['a']]);
  });

  it('a hook may answer in the stead of', () => {
    const person = new Person();
    const hooks = {
      PermissionRequest: [
        ({ input }: { input: unknown }) =>
          (input as Input).path === '/w/a' ? { decision: 'allow' as const } : undefined,
      ],
    };
    const { seen } = run([edit('a'), edit('b', '/w/b')], { canUseTool: person.canUseTool, hooks });
    expect(person.ids).toEqual(['b']);
    person.answer(0, { behavior: 'allow' });
    expect(codes(seen.values)).toEqual(['a ok', 'b ok']);
  });
});

describe('an approval', () => {
  it('that was given under other rules is asked for again', () => {
    const person = new Person();
    const permissions = createPermissions({ cwd: '/w' });
    const { seen, disk } = run([edit('a')], { canUseTool: person.canUseTool, permissions });
    permissions.remember([{ behavior: 'ask', rule: 'Edit(//w/a)' }]);
    person.answer(0, { behavior: 'allow' });
    expect([person.ids, disk.log]).toEqual([['a', 'a'], []]);
    expect(person.asked[1]).toMatchObject({ isHard: true });
    person.answer(1, { behavior: 'allow' });
    expect(codes(seen.values)).toEqual(['a ok']);
  });

  it('ends where a rule that came meanwhile denies', () => {
    const person = new Person();
    const permissions = createPermissions({ cwd: '/w' });
    const { seen, disk } = run([edit('a')], { canUseTool: person.canUseTool, permissions });
    permissions.remember([{ behavior: 'deny', rule: 'Edit' }]);
    person.answer(0, { behavior: 'allow' });
    expect([codes(seen.values), disk.log]).toEqual([['a denied'], []]);
  });

  it('of what is no longer what would run is asked for again: a link was turned meanwhile', () => {
    const person = new Person();
    let target = '/w/a';
    const ran: string[] = [];
    const tool = unsafeTool('Edit', () => ran.push(target), {
      inputSchema,
      ruleTargets: () => [{ type: 'path', access: 'edit', paths: ['/w/link', target] }],
    });
    const options = { ...rules({ deny: ['Edit(//w/secret)'] }), canUseTool: person.canUseTool };
    const seen = new Seen(turnOf([edit('a', '/w/link')], [tool], options));
    target = '/w/b';
    person.answer(0, { behavior: 'allow' });
    expect([person.ids, ran]).toEqual([['a', 'a'], []]);
    target = '/w/secret';
    person.answer(1, { behavior: 'allow' });
    expect([codes(seen.values), ran]).toEqual([['a denied'], []]);
  });

  it('that keeps expiring is given up', () => {
    let count = 0;
    const tool = unsafeTool('Edit', () => 'done', {
      inputSchema,
      ruleTargets: () => [{ type: 'path', access: 'edit', paths: [`/w/${count++}`] }],
    });
    const options = {
      ...rules({ deny: ['Edit(//w/secret)'] }),
      canUseTool: () => ({ behavior: 'allow' }) as const,
    };
    expect(codes(new Seen(turnOf([edit('a')], [tool], options)).values)).toEqual(['a denied']);
  });
});

const bad = () => ({
  get x(): never {
    throw new Error('getter');
  },
});

describe('input that can not be read', () => {
  const quiet = async (run: () => Seen<ToolEvent>): Promise<readonly string[]> => {
    let seen: Seen<ToolEvent> | undefined;
    const unhandled = await unhandledIn(async () => {
      seen = run();
      await settled();
    });
    expect([unhandled, seen?.ended]).toEqual([[], 'completed']);
    return codes(seen?.values ?? []);
  };
  const tool = unsafeTool('tool', () => 'done');
  const turn = (options: Partial<ExecuteToolsOptions>, input: unknown = {}) =>
    new Seen(turnOf([use('a', 'tool', input), use('b', 'tool')], [tool], options));
  const once =
    <T>(make: (id: string) => T) =>
    ({ toolUse }: { readonly toolUse: ToolUse }): T =>
      make(toolUse.id);

  it.each<[string, Partial<ExecuteToolsOptions>]>([
    [
      'of a hook',
      { hooks: { PreToolUse: [once((id) => (id === 'a' ? { updatedInput: bad() } : undefined))] } },
    ],
    [
      'of a late hook',
      { hooks: { PreToolUse: [once(async (id) => (id === 'a' ? { updatedInput: bad() } : undefined))] } },
    ],
    [
      'of a person',
      { canUseTool: once((id) => ({ behavior: 'allow', ...(id === 'a' ? { input: bad() } : {}) }) as const) },
    ],
    [
      'of a late person',
      {
        canUseTool: once(
          async (id) => ({ behavior: 'allow', ...(id === 'a' ? { input: bad() } : {}) }) as const,
        ),
      },
    ],
  ])('%s leaves the call invalid, and the others go on', async (_name, options) => {
    expect(await quiet(() => turn(options))).toEqual(['a invalid_input', 'b ok']);
  });

  it('of the model is refused as without hooks', async () => {
    const got = await quiet(() => turn({ hooks: { PreToolUse: [() => undefined] } }, bad()));
    expect(got).toEqual(['a invalid_input', 'b ok']);
  });

  it('of a repair leaves the call as it was', async () => {
    const strict = { ...tool, inputSchema };
    for (const answer of [
      { input: bad() },
      {
        get input(): never {
          throw new Error('getter');
        },
      },
    ]) {
      const run = () =>
        new Seen(turnOf([use('a', 'tool', { path: 1 })], [strict], { inputRepair: async () => answer }));
      expect(await quiet(run)).toEqual(['a invalid_input']);
    }
  });
});

describe('an answer that comes as a promise where none is waited for', () => {
  it.each<[string, Partial<ExecuteToolsOptions>]>([
    [
      'of the mode',
      {
        permissions: {
          mode: (async () => {
            throw new Error('mode');
          }) as never,
        },
      },
    ],
    [
      'of the classifier’s `applies`',
      {
        permissions: { mode: 'default' },
        classifier: {
          applies: (async () => {
            throw new Error('applies');
          }) as never,
          classify: () => 'allow',
        },
      },
    ],
  ])('%s ends nothing', async (_name, options) => {
    const unhandled = await unhandledIn(async () => {
      expect(run([edit('a')], options).seen.ended).toBe('completed');
      await settled();
    });
    expect(unhandled).toEqual([]);
  });
});

it('a broken callback is nobody’s refusal', () => {
  const { seen } = run([edit('a')], {
    canUseTool: () => {
      throw new Error('db down');
    },
  });
  expect(textOf(seen.values, 'a')).toMatch(
    /nobody could be asked.*callback is broken: it failed: db down\. Nobody has refused the call/,
  );
  expect(textOf(seen.values, 'a')).not.toMatch(/by the user/);
});

it('what a person is shown can not be changed by them', () => {
  const canUseTool: CanUseTool = ({ targets }) => {
    expect(() => (targets as RuleTarget[]).push(targets[0] as RuleTarget)).toThrow(TypeError);
    return { behavior: 'allow' };
  };
  expect(codes(run([edit('a')], { canUseTool }).seen.values)).toEqual(['a ok']);
});

it('a hook that answers for a person and changes the input leaves a hard ask to the person, and is asked once', () => {
  let asked = 0;
  const person = new Person();
  const hooks = {
    PermissionRequest: [
      () => {
        asked++;
        return { decision: 'allow' as const, updatedInput: { path: '/w/b' } };
      },
    ],
  };
  const options = { ...rules({ ask: ['Edit'] }), hooks, canUseTool: person.canUseTool };
  const { seen, disk } = run([edit('a')], options);
  expect(person.asked.map(({ input }) => input)).toEqual([{ path: '/w/b' }]);
  person.answer(0, { behavior: 'allow' });
  expect([codes(seen.values), disk.log, asked]).toEqual([['a ok'], ['edit /w/b'], 1]);
});

it('a folder that is searched with all below it is asked about where a rule forbids what lies there', () => {
  const person = new Person();
  const tool = unsafeTool('Bash', () => 'done', {
    ruleTargets: () => [{ type: 'path', access: 'read', paths: ['/w'], ofCommand: true, below: true }],
  });
  const options = {
    ...rules({ deny: ['Read(./secrets/**)'], allow: ['Bash'] }),
    canUseTool: person.canUseTool,
  };
  new Seen(turnOf([use('a', 'Bash')], [tool], options));
  expect(person.asked[0]).toMatchObject({ isHard: true });
});

describe('a denial', () => {
  it('with `rest-of-turn` denies what has not begun behind it', () => {
    const options = {
      ...rules({ deny: ['Edit(//w/b)'], allow: ['Edit', 'Read'] }),
      onDeny: 'rest-of-turn' as const,
    };
    const { seen, disk } = run([edit('a'), edit('b', '/w/b'), read('c'), edit('d')], options);
    expect(codes(seen.values)).toEqual(['a ok', 'b denied', 'c denied', 'd denied']);
    expect(outcomeOf(seen.values, 'c').by).toEqual({ type: 'call', toolUseId: 'b', name: 'Edit' });
    expect(disk.log).toEqual(['edit /w/a']);
  });
});

describe('a classifier', () => {
  const soft = rules({ allow: ['Write'] });

  it('lifts a question before a person is bothered', () => {
    const person = new Person();
    const classifier = { classify: () => 'allow' as const };
    const { seen } = run([read('a')], { ...soft, canUseTool: person.canUseTool, classifier });
    expect([codes(seen.values), person.ids]).toEqual([['a ok'], []]);
    expect(eventsOf(seen.values, 'permission')).toMatchObject([
      { phase: 'decided', decidedBy: 'classifier' },
    ]);
  });

  it('runs beside a hook, is told of only where it is waited for', () => {
    const scheduler = new VirtualTimeScheduler();
    const later = (ms: number) => timer(ms, scheduler);
    const hooks = { PreToolUse: [() => later(10).pipe(map(() => undefined))] };
    const of = (ms: number) => ({ classify: () => later(ms).pipe(map(() => 'allow' as const)) });
    const quick = run([read('a')], {
      ...soft,
      hooks,
      classifier: of(8),
      scheduler,
      canUseTool: new Person().canUseTool,
    });
    const slow = run([read('a')], {
      ...soft,
      hooks,
      classifier: of(15),
      scheduler,
      canUseTool: new Person().canUseTool,
    });
    scheduler.flush();
    const phases = ({ seen }: typeof quick) =>
      eventsOf(seen.values, 'permission').map(({ phase, at }) => `${phase}@${at}`);
    expect([phases(quick), phases(slow)]).toEqual([['decided@10'], ['classifying@10', 'decided@15']]);
  });

  it('is cancelled when nobody needs it', () => {
    let cancelled = 0;
    let begun = 0;
    const classify = () =>
      new Observable<'allow'>(() => {
        begun++;
        return () => cancelled++;
      });
    const { seen } = run([read('a')], { ...rules({ allow: ['Read'] }), classifier: { classify } });
    expect([codes(seen.values), begun, cancelled]).toEqual([['a ok'], 1, 1]);
  });

  it('that is broken leaves the question to the person', () => {
    const person = new Person();
    const classifier = {
      classify: () => {
        throw new Error('no model');
      },
    };
    const { seen } = run([read('a')], { ...soft, canUseTool: person.canUseTool, classifier });
    expect([person.ids, eventsOf(seen.values, 'anomaly')[0]?.code]).toEqual([['a'], 'classifier_failed']);
  });

  it('never lifts an ask rule', () => {
    const person = new Person();
    const { seen } = run([read('a')], {
      ...rules({ ask: ['Read'] }),
      canUseTool: person.canUseTool,
      classifier: { classify: () => 'allow' },
    });
    expect([person.ids, codes(seen.values)]).toEqual([['a'], []]);
  });

  it('is asked about the input that runs', () => {
    const asked: unknown[] = [];
    const classifier = {
      classify: ({ input }: { readonly input: unknown }) => {
        asked.push(input);
        return new Subject<'allow'>();
      },
    };
    const hooks = { PreToolUse: [() => ({ updatedInput: { path: '/w/z' } })] };
    run([read('a')], { ...soft, hooks, classifier, canUseTool: new Person().canUseTool });
    expect(asked).toEqual([{ path: '/w/a' }, { path: '/w/z' }]);
  });
});
