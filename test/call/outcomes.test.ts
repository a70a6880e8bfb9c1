import { EMPTY, NEVER, of, Subject, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type ExecuteToolsOptions, failure, output, progress, type ToolEvent } from '../../src/index.js';
import { eventsOf, outcomeOf, Seen, safeTool, textOf, turnOf, unsafeTool, use } from '../engine/turns.js';
import { settled, unhandledIn } from '../interop/receiver.js';

const schema = z.object({ n: z.number() });
const discard$ = () => new Subject<string>();

/** One call that ends with each code, as the model and the program see it. */
const endings: Readonly<Record<string, () => readonly ToolEvent[]>> = {
  ok: () => single(() => 'the text'),
  tool_error: () => single(() => failure('the disk is full')),
  infrastructure: () => single(() => EMPTY),
  unknown_tool: () => new Seen(turnOf([use('a', 'nobody')], [safeTool('tool', () => 1)])).values,
  invalid_json: () => faulty('invalid_json', 'a quote is missing'),
  cut_off: () => faulty('cut_off', 'max_tokens'),
  invalid_input: () => single(() => 1, { inputSchema: schema }),
  timeout: () => virtualTimeout(),
  sibling_aborted: () => {
    const tools = [
      safeTool('tool', () => NEVER),
      safeTool('failing', () => throwError(() => 0), { abortsSiblings: true }),
    ];
    return new Seen(turnOf([use('a', 'tool'), use('b', 'failing')], tools)).values;
  },
  denied: () => guarded({ permissions: { rules: { deny: ['tool'] } } }),
  hook_denied: () =>
    guarded({ hooks: { PreToolUse: [{ name: 'guard', run: () => ({ decision: 'deny' }) }] } }),
  hook_failed: () => guarded({ hooks: { PreToolUse: [{ name: 'guard', run: () => 1 as never }] } }),
  interrupted: () => stoppedBy('interrupt$'),
  discarded: () => stoppedBy('discard$'),
};

const single = (call: () => unknown, members = {}): readonly ToolEvent[] =>
  new Seen(turnOf([use('a', 'tool')], [safeTool('tool', call, members)])).values;

const guarded = (options: Partial<ExecuteToolsOptions>): readonly ToolEvent[] =>
  new Seen(turnOf([use('a', 'tool')], [safeTool('tool', () => 1)], options)).values;

const faulty = (code: 'invalid_json' | 'cut_off', text: string): readonly ToolEvent[] =>
  new Seen(turnOf([{ ...use('a', 'tool'), fault: { code, text } }], [safeTool('tool', () => 1)])).values;

const stoppedBy = (control: 'interrupt$' | 'discard$'): readonly ToolEvent[] => {
  const stop$ = discard$();
  const seen = new Seen(turnOf([use('a', 'tool')], [safeTool('tool', () => NEVER)], { [control]: stop$ }));
  stop$.next('enough');
  return seen.values;
};

/** A timeout needs a clock; this one is over as soon as it is asked. */
const virtualTimeout = (): readonly ToolEvent[] => {
  const rings: (() => void)[] = [];
  const scheduler = {
    now: () => 0,
    schedule: (work: (this: never, state?: never) => void) => {
      rings.push(() => work.call(undefined as never));
      return NEVER.subscribe();
    },
  };
  const tool = safeTool('tool', () => NEVER, { timeoutMs: 0 });
  const seen = new Seen(turnOf([use('a', 'tool')], [tool], { scheduler: scheduler as never }));
  for (const ring of rings) ring();
  return seen.values;
};

describe('every code', () => {
  const texts = Object.entries(endings).map(([code, run]) => {
    const events = run();
    return { code, events, outcome: outcomeOf(events, 'a'), text: textOf(events, 'a') };
  });

  it.each(texts)('$code is what the call ends with', ({ code, outcome, events }) => {
    expect(outcome.code).toBe(code);
    const [result] = eventsOf(events, 'result');
    expect(result?.block.is_error ?? false).toBe(code !== 'ok');
    expect(result?.outcome.code).toBe(code);
    expect(result?.synthetic).toBe(code !== 'ok' && code !== 'tool_error');
  });

  it('has a text of its own', () => {
    expect(new Set(texts.map(({ text }) => text)).size).toBe(texts.length);
    expect(texts.length).toBe(14);
  });

  it.each(texts.filter(({ code }) => code !== 'ok' && code !== 'tool_error'))(
    '$code is marked as the word of the machinery, not of the tool',
    ({ text }) => expect(text).toMatch(/^<tool_use_error>.+<\/tool_use_error>$/s),
  );

  it.each([
    ['ok', 'yes'],
    ['tool_error', 'yes'],
    ['infrastructure', 'unknown'],
    ['unknown_tool', 'no'],
    ['invalid_json', 'no'],
    ['cut_off', 'no'],
    ['invalid_input', 'no'],
    ['denied', 'no'],
    ['hook_denied', 'no'],
    ['hook_failed', 'no'],
    ['timeout', 'unknown'],
    ['sibling_aborted', 'unknown'],
    ['interrupted', 'unknown'],
    ['discarded', 'unknown'],
  ])('%s says that it was executed: %s', (code, executed) => {
    expect(texts.find((each) => each.code === code)?.outcome.executed).toBe(executed);
  });

  it.each([
    ['unknown_tool', /nobody.*tool/s],
    ['invalid_json', /a quote is missing/],
    ['cut_off', /max_tokens/],
    ['invalid_input', /`n`.*expected number/s],
    ['timeout', /0 ms/],
    ['sibling_aborted', /b \(failing\).*automatic|automatic.*b \(failing\)/s],
    ['interrupted', /the user.*enough/s],
    ['tool_error', /^the disk is full$/],
    ['denied', /not permitted.*rule `tool`.*Nothing was run.*Do not repeat/s],
    ['hook_denied', /stopped by the hook guard.*Nothing was run.*Change the call/s],
    ['hook_failed', /hook guard.*is broken.*Nobody has refused/s],
  ])('%s tells the model what it has to know', (code, expected) => {
    expect(texts.find((each) => each.code === code)?.text).toMatch(expected);
  });

  it.each(['sibling_aborted', 'timeout', 'discarded', 'infrastructure', 'denied', 'hook_denied'])(
    '%s does not blame the user',
    (code) => {
      const text = texts.find((each) => each.code === code)?.text ?? '';
      expect(text.replace('The user did nothing', '')).not.toMatch(/user/i);
    },
  );

  it('speaks of the user only where the user interrupted', () => {
    const controller = new AbortController();
    const seen = new Seen(
      turnOf([use('a', 'tool')], [safeTool('tool', () => NEVER)], { signal: controller.signal }),
    );
    controller.abort('closing');
    expect(outcomeOf(seen.values, 'a')).toMatchObject({
      code: 'interrupted',
      by: { type: 'signal', reason: 'closing' },
    });
    expect(textOf(seen.values, 'a')).not.toMatch(/user/i);
  });
});

describe('what is thrown and refused becomes a text', () => {
  it.each<[string, unknown, RegExp]>([
    ['an error', new Error('no space'), /^no space$/],
    ['an error without a message', new TypeError(''), /^TypeError$/],
    ['a text', 'just words', /^just words$/],
    ['nothing', undefined, /without saying why/],
    ['null', null, /without saying why/],
    ['an object', { code: 7 }, /code.*7/],
    ['an object whose message is none', { message: { a: 1 } }, /"a":1/],
    ['a failure', failure('as told'), /^as told$/],
    ['a failure without a word', failure(' '), /without saying why/],
    ['blank text', '\n', /without saying why/],
  ])('%s', (_name, thrown, expected) => {
    const events = single(() => {
      throw thrown;
    });
    expect(outcomeOf(events, 'a')).toMatchObject({ code: 'tool_error', executed: 'yes' });
    expect(textOf(events, 'a')).toMatch(expected);
  });

  it.each<[string, object]>([
    [
      'whose `message` throws',
      {
        get message() {
          throw new Error('a trap');
        },
      },
    ],
    [
      'whose `toString` throws',
      Object.assign(Object.create(null), {
        toString: () => {
          throw new Error('a trap');
        },
      }),
    ],
    [
      'that is a proxy which refuses everything',
      new Proxy(
        {},
        {
          get: () => {
            throw new Error('a trap');
          },
        },
      ),
    ],
  ])('something %s', (_name, thrown) => {
    const events = single(() => {
      throw thrown;
    });
    expect(outcomeOf(events, 'a').code).toBe('tool_error');
    expect(textOf(events, 'a')).toMatch(/\S/);
  });

  it('a lone surrogate in an error is replaced', () => {
    expect(
      textOf(
        single(() => failure('half \ud83d of it')),
        'a',
      ).isWellFormed(),
    ).toBe(true);
  });

  it('an infrastructure failure says so, with what the tool knows of its effect', () => {
    const down = failure('no shell', { infrastructure: true, executed: 'no' });
    expect(
      outcomeOf(
        single(() => down),
        'a',
      ),
    ).toMatchObject({ code: 'infrastructure', executed: 'no' });
  });

  it('a failing `mapResult` says that the tool had finished', () => {
    const events = single(() => 1, {
      mapResult: () => {
        throw new Error('no template');
      },
    });
    expect(outcomeOf(events, 'a')).toMatchObject({ code: 'infrastructure', executed: 'yes' });
    expect(textOf(events, 'a')).toMatch(/no template.*had finished/s);
  });

  it.each<[string, () => unknown, RegExp]>([
    ['an emission that is neither progress nor output', () => of('text'), /emitted string/],
    ['progress for a value', () => progress(1), /returned progress/],
    ['an end without output', () => EMPTY, /without output/],
  ])("%s is the machinery's fault", (_name, call, expected) => {
    const events = single(call);
    expect(outcomeOf(events, 'a').code).toBe('infrastructure');
    expect(textOf(events, 'a')).toMatch(expected);
  });
});

it('an unsafe call that waited says that nothing was run, one that ran that it may have taken effect', () => {
  const stop$ = discard$();
  const tools = [unsafeTool('tool', () => NEVER, { graceMs: 0 })];
  const seen = new Seen(turnOf([use('a', 'tool'), use('b', 'tool')], tools, { interrupt$: stop$ }));
  stop$.next('');
  expect(textOf(seen.values, 'a')).toMatch(/may have taken effect/);
  expect(textOf(seen.values, 'b')).toMatch(/Nothing was run/);
  expect(outcomeOf(seen.values, 'b').executed).toBe('no');
});

describe('a promise where nothing is waited for', () => {
  it.each<[string, () => unknown, RegExp]>([
    [
      'yielded by a generator',
      function* () {
        yield Promise.reject(new Error('lost'));
      },
      /it emitted a promise/,
    ],
    ['inside output()', () => output(Promise.reject(new Error('lost'))), /its output is a promise/],
    ['emitted', () => of(Promise.reject(new Error('lost'))), /it emitted a promise/],
  ])('%s is a fault of the machinery, and its rejection ends nothing', async (_name, call, text) => {
    let events: readonly ToolEvent[] = [];
    const unhandled = await unhandledIn(async () => {
      events = single(call);
      await settled();
    });
    expect(outcomeOf(events, 'a').code).toBe('infrastructure');
    expect(textOf(events, 'a')).toMatch(text);
    expect(unhandled).toEqual([]);
  });

  it('inside progress() is handed over, and its rejection ends nothing', async () => {
    const unhandled = await unhandledIn(async () => {
      single(() => of(progress(Promise.reject(new Error('lost'))), output('done')));
      await settled();
    });
    expect(unhandled).toEqual([]);
  });
});

it.each<[string, () => object]>([
  [
    'a proxy that throws at every question',
    () =>
      new Proxy(
        {},
        {
          get: () => {
            throw new Error('no');
          },
        },
      ),
  ],
  [
    'a revoked proxy',
    () => {
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      return proxy;
    },
  ],
])('an output that can not be read is an outcome like any other: %s', (_name, make) => {
  for (const call of [() => output(make()), () => of(output(make())), () => make()]) {
    const events = single(call);
    expect(['ok', 'infrastructure', 'tool_error']).toContain(outcomeOf(events, 'a').code);
    expect(eventsOf(events, 'result')).toHaveLength(1);
  }
});

describe('a tool whose schema was not sent', () => {
  const deferred = safeTool('tool', () => 'done', { inputSchema: schema, deferred: true });

  it('says how to load it where the input is wrong', () => {
    const { values } = new Seen(turnOf([use('a', 'tool')], [deferred]));
    expect(textOf(values, 'a')).toMatch(/`n`.*\n- the schema of tool was not sent.*load it/s);
  });

  it('says nothing of it where it was sent meanwhile, or the input is right', () => {
    const sent = new Seen(
      turnOf([use('a', 'tool')], [deferred], { isSchemaSent: (name) => name === 'tool' }),
    );
    expect(textOf(sent.values, 'a')).not.toMatch(/load it/);
    expect(textOf(new Seen(turnOf([use('a', 'tool', { n: 1 })], [deferred])).values, 'a')).toBe('done');
  });
});
