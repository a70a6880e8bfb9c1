import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DecisionQuestion, decide, type RuleVerdict } from '../../src/permissions/index.js';
import { command, editing, host, reading, unparsed } from './calls.js';

const none: RuleVerdict = { behavior: 'none', uncovered: [], isWithinDirectories: false };
const question = (more: Partial<DecisionQuestion> = {}): DecisionQuestion => ({
  rules: none,
  mode: 'default',
  targets: [],
  canAsk: true,
  isConfigured: true,
  ...more,
});
const decided = (more: Partial<DecisionQuestion>) => decide(question(more));

describe('where nothing is configured', () => {
  it('everything is allowed', () => {
    const nothing = { isConfigured: false, canAsk: false };
    const protectedPath = { ...none, protectedPath: '/p/.git/x', unparsed: 'the quote has no end' };
    expect(decided(nothing)).toMatchObject({ decision: 'allow', decidedBy: { type: 'default' } });
    expect(decided({ ...nothing, rules: protectedPath, targets: [unparsed] }).decision).toBe('allow');
    expect(decided({ ...nothing, tool: { behavior: 'allow' } }).decision).toBe('allow');
  });

  it('a tool and a hook are heard all the same', () => {
    const nothing = { isConfigured: false, canAsk: false };
    expect(decided({ ...nothing, tool: { behavior: 'deny', message: 'no' } }).decision).toBe('deny');
    expect(decided({ ...nothing, tool: { behavior: 'ask' } })).toMatchObject({
      decision: 'deny',
      decidedBy: { type: 'nobody' },
    });
    expect(decided({ ...nothing, hook: { decision: 'ask', hook: 'guard' } }).decision).toBe('deny');
    expect(
      decided({ ...nothing, hook: { decision: 'allow', hook: 'guard' }, tool: { behavior: 'ask' } }),
    ).toMatchObject({
      decision: 'allow',
      decidedBy: { type: 'hook', hook: 'guard' },
    });
  });
});

describe('a decision says who decided, and why', () => {
  it.each<[string, Partial<DecisionQuestion>, object, RegExp]>([
    [
      'a deny rule',
      { rules: { ...none, behavior: 'deny', rule: { text: 'Bash(rm:*)', source: 'user settings' } } },
      { decision: 'deny', decidedBy: { type: 'rule', rule: 'Bash(rm:*)', source: 'user settings' } },
      /`Bash\(rm:\*\)` \(user settings\)/,
    ],
    [
      'a hook that puts it off',
      { hook: { decision: 'defer', hook: 'guard', reason: 'later' } },
      { decision: 'deny', decidedBy: { type: 'hook', hook: 'guard' } },
      /put off by the hook guard: later/,
    ],
    [
      'a tool that refuses',
      { tool: { behavior: 'deny', message: 'the branch is closed' } },
      { decision: 'deny', decidedBy: { type: 'tool' } },
      /the branch is closed/,
    ],
    [
      'plan',
      { mode: 'plan' },
      { decision: 'deny', decidedBy: { type: 'mode', mode: 'plan' } },
      /only calls that read/,
    ],
    ['a mode that can not be told', { mode: { fault: 'it failed' } }, { decision: 'deny' }, /it failed/],
    [
      'an ask rule',
      { rules: { ...none, behavior: 'ask', rule: { text: 'Bash' } } },
      { decision: 'ask', isHard: true, decidedBy: { type: 'rule', rule: 'Bash' } },
      /`Bash`/,
    ],
    [
      'a deny rule that can not be excluded',
      {
        rules: {
          ...none,
          behavior: 'unsure',
          rule: { text: 'Bash(rm:*)' },
          unparsed: 'the quote has no end',
        },
      },
      { decision: 'ask', isHard: true, decidedBy: { type: 'unparsed', reason: 'the quote has no end' } },
      /`Bash\(rm:\*\)` can't be excluded: the quote has no end/,
    ],
    [
      'a protected path',
      { rules: { ...none, behavior: 'allow', protectedPath: '/p/.git/x' } },
      { decision: 'ask', isHard: true, decidedBy: { type: 'protected', path: '/p/.git/x' } },
      /\/p\/\.git\/x/,
    ],
    [
      'dontAsk',
      { mode: 'dontAsk', tool: { behavior: 'ask', message: 'It sends mail.' } },
      { decision: 'deny', decidedBy: { type: 'mode', mode: 'dontAsk' } },
      /It sends mail\. .*dontAsk/,
    ],
    ['nobody', { canAsk: false }, { decision: 'deny', decidedBy: { type: 'nobody' } }, /Nobody can be asked/],
    [
      'the mode',
      {},
      { decision: 'ask', isHard: false, decidedBy: { type: 'mode', mode: 'default' } },
      /No permission rule/,
    ],
    [
      'a tool that allows',
      { tool: { behavior: 'allow' } },
      { decision: 'allow', decidedBy: { type: 'tool' } },
      /./,
    ],
  ])('%s', (_who, more, expected, message) => {
    const decision = decided(more);
    expect(decision).toMatchObject(expected);
    expect(decision.message).toMatch(message);
  });
});

describe('a classifier', () => {
  it('is waited for where it can still lift a soft ask, also where nobody else could answer', () => {
    const waiting = { decision: 'ask', isHard: false, asks: 'classifier' };
    expect(decided({ classifier: 'pending' })).toMatchObject(waiting);
    expect(decided({ classifier: 'pending', canAsk: false })).toMatchObject(waiting);
    expect(decided({ classifier: 'pending', mode: 'dontAsk' })).toMatchObject(waiting);
    expect(decided({ classifier: 'pending', mode: 'bypassPermissions' }).decision).toBe('allow');
  });

  it('lifts a soft ask, and leaves it as it stands where it does not allow', () => {
    const ask = { tool: { behavior: 'ask' } } as const;
    expect(decided({ ...ask, classifier: 'allow', mode: 'auto', canAsk: false })).toMatchObject({
      decision: 'allow',
      decidedBy: { type: 'classifier' },
    });
    expect(decided({ ...ask, classifier: 'ask' })).toMatchObject({ decision: 'ask', asks: 'person' });
    expect(decided({ ...ask, classifier: 'ask', canAsk: false }).decision).toBe('deny');
  });

  it('is not asked about what only a person may answer', () => {
    const hard = { hook: { decision: 'ask', hook: 'guard' } } as const;
    for (const classifier of ['pending', 'allow', 'ask'] as const) {
      expect(decided({ ...hard, classifier })).toMatchObject({ decision: 'ask', asks: 'person' });
      expect(decided({ ...hard, classifier, canAsk: false }).decision).toBe('deny');
    }
  });
});

describe('plan', () => {
  const plan = (more: Partial<DecisionQuestion>) => decided({ mode: 'plan', ...more }).decision;
  it('allows what is known to read, by its hint or by all its targets', () => {
    expect(plan({ isReadOnly: true })).toBe('allow');
    expect(plan({ targets: [reading('/a'), command('ls', { isReadOnly: true })] })).toBe('allow');
    expect(plan({ isReadOnly: true, targets: [host('example.com')] })).toBe('allow');
  });

  it('denies everything else, whatever would allow it', () => {
    const allow = { ...none, behavior: 'allow' } as const;
    expect(plan({})).toBe('deny');
    expect(plan({ isReadOnly: true, targets: [editing('/a')] })).toBe('deny');
    expect(plan({ isReadOnly: true, targets: [command('rm x')] })).toBe('deny');
    expect(plan({ isReadOnly: true, targets: [unparsed] })).toBe('deny');
    expect(plan({ isReadOnly: false, targets: [reading('/a')] })).toBe('deny');
    expect(plan({ targets: [host('example.com')] })).toBe('deny');
    expect(plan({ rules: allow, hook: { decision: 'allow', hook: 'h' }, targets: [editing('/a')] })).toBe(
      'deny',
    );
  });
});

const verdicts: fc.Arbitrary<RuleVerdict> = fc.record({
  behavior: fc.constantFrom(
    'none' as const,
    'allow' as const,
    'ask' as const,
    'unsure' as const,
    'deny' as const,
  ),
  uncovered: fc.constant([]),
  isWithinDirectories: fc.boolean(),
});
const opinions = fc.constantFrom(
  { behavior: 'allow' as const },
  { behavior: 'ask' as const },
  { behavior: 'ask' as const, requiresInteraction: true },
);
const questions: fc.Arbitrary<DecisionQuestion> = fc.record(
  {
    rules: verdicts,
    mode: fc.constantFrom('default', 'acceptEdits', 'plan', 'auto', 'dontAsk', 'bypassPermissions'),
    targets: fc.constantFrom([], [reading('/a')], [editing('/a')], [unparsed]),
    canAsk: fc.boolean(),
    isConfigured: fc.boolean(),
    tool: opinions,
    hook: fc.record({
      decision: fc.constantFrom('allow' as const, 'ask' as const),
      hook: fc.constant('guard'),
    }),
    classifier: fc.constantFrom('allow' as const, 'ask' as const, 'pending' as const),
    isReadOnly: fc.boolean(),
  },
  { requiredKeys: ['rules', 'mode', 'targets', 'canAsk', 'isConfigured'] },
);

const looseness = { deny: 0, ask: 1, allow: 2 } as const;

describe('whatever else is said', () => {
  it('a denial of any part makes the decision a denial', () => {
    const denials: readonly Partial<DecisionQuestion>[] = [
      { rules: { ...none, behavior: 'deny' } },
      { tool: { behavior: 'deny' } },
      { hook: { decision: 'deny', hook: 'guard' } },
      { hook: { decision: 'defer', hook: 'guard' } },
      { mode: { fault: 'it failed' } },
    ];
    fc.assert(
      fc.property(questions, fc.constantFrom(...denials), (any, denial) => {
        expect(decide({ ...any, ...denial }).decision).toBe('deny');
      }),
    );
  });

  it('a hard ask never ends as allowed before a person has answered', () => {
    const asks: readonly ((any: DecisionQuestion) => Partial<DecisionQuestion>)[] = [
      ({ rules }) => ({ rules: { ...rules, behavior: 'ask' } }),
      ({ rules }) => ({ rules: { ...rules, behavior: 'unsure' } }),
      () => ({ hook: { decision: 'ask', hook: 'guard' } }),
      () => ({ tool: { behavior: 'ask', requiresInteraction: true } }),
      ({ rules }) => ({ rules: { ...rules, protectedPath: '/p/.git/x' }, isConfigured: true }),
    ];
    fc.assert(
      fc.property(questions, fc.constantFrom(...asks), (any, ask) => {
        expect(decide({ ...any, ...ask(any) }).decision).not.toBe('allow');
      }),
    );
  });

  it('a further ask or a person less never loosens it', () => {
    const tighter: readonly ((any: DecisionQuestion) => Partial<DecisionQuestion>)[] = [
      () => ({ canAsk: false }),
      () => ({ tool: { behavior: 'ask' } }),
      () => ({ isConfigured: true }),
      ({ rules }) => ({ rules: rules.behavior === 'allow' ? { ...rules, behavior: 'none' } : rules }),
      ({ mode }) => ({ mode: mode === 'bypassPermissions' ? 'default' : 'dontAsk' }),
    ];
    fc.assert(
      fc.property(questions, fc.constantFrom(...tighter), (any, tighten) => {
        // A tool's word is only tightened by a weaker one of its own; the mode's, where it allows of itself.
        fc.pre(!(any.tool?.behavior === 'ask' && any.tool.requiresInteraction === true));
        fc.pre(any.mode !== 'plan');
        const before = looseness[decide(any).decision];
        expect(looseness[decide({ ...any, ...tighten(any) }).decision]).toBeLessThanOrEqual(before);
      }),
      { numRuns: 2_000 },
    );
  });
});
