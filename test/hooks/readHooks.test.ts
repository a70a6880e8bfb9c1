import { describe, expect, it } from 'vitest';
import type { Hooks } from '../../src/contract/hooks.js';
import type { RuleTarget } from '../../src/contract/permissions.js';
import { type ConditionCall, readHooks, readMatcher } from '../../src/hooks/index.js';
import { matchesRule, parseRule } from '../../src/permissions/index.js';
import { askPre, virtualHost } from './rounds.js';

const run = () => undefined;
const read = (hooks: unknown) => readHooks(hooks as Hooks, 'hooks', () => () => 'yes');

describe('hooks that are read', () => {
  it.each([[undefined], [{}], [{ PreToolUse: [] }], [{ PreToolUse: undefined, PostToolUse: [] }]])(
    'are nothing where there are none: %j',
    (hooks) => {
      expect(read(hooks)).toBeUndefined();
    },
  );

  it('leave out the points that have none', () => {
    expect(Object.keys(read({ PreToolUse: [], PostToolUse: [run] }) ?? {})).toEqual(['PostToolUse']);
  });

  it('are named by their name, their function, or their place', () => {
    const set = read({
      PreToolUse: [{ name: 'own', run }, run, () => undefined, { run: () => undefined }, { run() {} }],
    });
    expect(set?.PreToolUse?.map(({ name }) => name)).toEqual([
      'own',
      'run',
      'PreToolUse[2]',
      'PreToolUse[3]',
      'PreToolUse[4]',
    ]);
  });

  it('fail closed where they decide, and open where they observe', () => {
    const hooks = ['PreToolUse', 'PermissionRequest', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch'];
    const set = read(Object.fromEntries(hooks.map((event) => [event, [run]])));
    expect(hooks.map((event) => set?.[event as 'PreToolUse']?.[0]?.onFailure)).toEqual([
      'deny',
      'deny',
      'continue',
      'continue',
      'continue',
    ]);
  });

  it.each<[unknown, string]>([
    [[], 'expected `hooks` to be an object of lists of hooks, got an array of 0'],
    [{ PreTool: [] }, 'expected `hooks` to be lists for PreToolUse, PermissionRequest'],
    [{ PreToolUse: run }, 'expected `hooks.PreToolUse` to be a list of hooks, got a function'],
    [
      { PreToolUse: [run, null] },
      'expected `hooks.PreToolUse[1]` to be a function or an object with `run`, got null',
    ],
    [{ PreToolUse: [{ run: 'x' }] }, 'expected `hooks.PreToolUse[0].run` to be a function, got "x"'],
    [{ PreToolUse: [{ run, matchers: 'Bash' }] }, 'expected `hooks.PreToolUse[0]` to be made of name, key'],
    [
      { PreToolUse: [{ run, matcher: '(' }] },
      'expected `hooks.PreToolUse[0].matcher` to be names or a regular',
    ],
    [
      { PreToolUse: [{ run, matcher: '|' }] },
      'expected `hooks.PreToolUse[0].matcher` to be names, or a regular',
    ],
    [{ PreToolUse: [{ run, matcher: /a/ }] }, 'expected `hooks.PreToolUse[0].matcher` to be a text'],
    [
      { PreToolUse: [{ run, timeoutMs: -1 }] },
      'expected `hooks.PreToolUse[0].timeoutMs` to be a number of milli',
    ],
    [
      { PreToolUse: [{ run, timeoutMs: '1' }] },
      'expected `hooks.PreToolUse[0].timeoutMs` to be a number of milli',
    ],
    [
      { PreToolUse: [{ run, onFailure: 'block' }] },
      "expected `hooks.PreToolUse[0].onFailure` to be 'deny' or",
    ],
    [
      { PreToolUse: [{ run, name: '' }] },
      'expected `hooks.PreToolUse[0].name` to be a text that is not empty',
    ],
    [{ PreToolUse: [{ run, if: 3 }] }, 'expected `hooks.PreToolUse[0].if` to be a text that is not empty'],
    [
      { PostToolBatch: [{ run, matcher: 'Bash' }] },
      'expected `hooks.PostToolBatch[0].matcher` to be left out',
    ],
    [{ PostToolBatch: [{ run, if: 'Bash' }] }, 'expected `hooks.PostToolBatch[0].if` to be left out'],
  ])('that can not be meant are refused: %j', (hooks, message) => {
    expect(() => read(hooks)).toThrow(message);
  });

  it('say where the rule of an `if` is wrong, and refuse one nobody can read', () => {
    const hooks: Hooks = { PreToolUse: [{ run, if: 'Bash(' }] };
    const parse = (text: string, where: string) => {
      throw new Error(`${where}: ${text}`);
    };
    expect(() => readHooks(hooks, 'hooks', parse)).toThrow('hooks.PreToolUse[0].if: Bash(');
    expect(() => readHooks(hooks, 'hooks')).toThrow('expected `hooks.PreToolUse[0].if` to be left out');
  });
});

describe('a matcher', () => {
  const matches = (matcher: string | undefined, ...names: string[]): boolean =>
    readMatcher(matcher, 'matcher')?.(names) ?? true;

  it.each([[undefined], [''], ['*'], ['  '], [' * ']])('that is %j means every tool', (matcher) => {
    expect(readMatcher(matcher, 'matcher')).toBeUndefined();
  });

  it.each<[string, string, boolean]>([
    ['Bash', 'Bash', true],
    ['Bash', 'BashOutput', false],
    ['Bash', 'bash', false],
    ['Write|Edit', 'Edit', true],
    ['Write, Edit', 'Edit', true],
    ['Write|', '', false],
    ['My Tool', 'My Tool', true],
    ['mcp__a', 'mcp__a__b', false],
    ['mcp__a__.*', 'mcp__a__b', true],
    ['Bash.*', 'BashOutput', true],
    ['ash$', 'Bash', true],
    ['^Edit$', 'NotebookEdit', false],
    ['Notebook.', 'NotebookEdit', true],
  ])('%j on %j: %s', (matcher, name, expected) => {
    expect(matches(matcher, name)).toBe(expected);
  });

  it('written for a former name holds', () => {
    expect(matches('Shell', 'Bash', 'Shell')).toBe(true);
    expect(matches('^Sh', 'Bash', 'Shell')).toBe(true);
    const asked = askPre([{ matcher: 'Shell', run: () => ({ decision: 'deny' }) }]);
    expect(asked.decision).toBe('deny');
  });
});

describe('identical hooks', () => {
  const counted = () => {
    const counts = { n: 0 };
    const hook = () => {
      counts.n++;
      return undefined;
    };
    return { counts, hook };
  };

  it('are asked once: the same function, or the same key', () => {
    const { counts, hook } = counted();
    askPre([hook, hook, { run: hook }, { name: 'other name', run: hook }]);
    expect(counts.n).toBe(1);
    askPre([
      { key: 'k', run: () => hook() },
      { key: 'k', run: () => hook() },
      { key: 'l', run: () => hook() },
    ]);
    expect(counts.n).toBe(3);
  });

  it('of which one is not meant for this tool are asked by the other', () => {
    const { counts, hook } = counted();
    askPre([{ matcher: 'Read', run: hook }, { matcher: 'Bash', run: hook }, hook]);
    expect(counts.n).toBe(1);
  });

  it('are not what two instances of a class are', () => {
    const asked: string[] = [];
    class Log {
      constructor(readonly path: string) {}
      run(): undefined {
        asked.push(this.path);
      }
    }
    askPre([new Log('a'), new Log('b')]);
    expect(asked).toEqual(['a', 'b']);
  });
});

describe('the `if` of a hook', () => {
  const asking = (answer: string, conditionCall?: (input: unknown) => unknown, set = virtualHost()) => {
    const texts: string[] = [];
    const calls: unknown[] = [];
    const verdict = askPre([{ if: 'Bash(git *)', timeoutMs: 70, run: () => ({ decision: 'deny' }) }], {
      set,
      call: conditionCall === undefined ? {} : { conditionCall: conditionCall as () => undefined },
      parse: (text) => {
        texts.push(text);
        return (call) => {
          calls.push(call);
          if (answer === 'throws') throw new Error('unreadable');
          return answer as 'yes';
        };
      },
    });
    return { decision: verdict.decision, texts, calls };
  };
  const ruleCall = { names: ['Bash'], input: 1, parsed: 1, targets: [] };

  it.each([
    ['yes', 'deny'],
    ['no', undefined],
    ['unknown', 'deny'],
    ['throws', 'deny'],
  ])('that says %s ends in %s', (answer, decision) => {
    expect(asking(answer, () => ruleCall)).toEqual({ decision, texts: ['Bash(git *)'], calls: [ruleCall] });
  });

  it('is not asked where the call can not be told: the hook runs', () => {
    expect(asking('no')).toMatchObject({ decision: 'deny', calls: [] });
    expect(asking('no', () => undefined)).toMatchObject({ decision: 'deny', calls: [] });
    const failing = () => {
      throw new Error('no targets');
    };
    expect(asking('no', failing)).toMatchObject({ decision: 'deny', calls: [] });
  });

  it('waits for what is looked up, and not for ever', () => {
    const set = virtualHost({ timeoutMs: 100 });
    expect(asking('no', () => set.later(5, ruleCall), set).decision).toBeUndefined();
    expect(asking('no', () => set.later(1_000, ruleCall), set)).toMatchObject({
      decision: 'deny',
      calls: [],
    });
    expect(set.scheduler.pending).toBe(0);
  });

  it('sees each input once, and the one a hook has rewritten', () => {
    const looked: unknown[] = [];
    const rewritten = { command: 'safe' };
    const conditionCall = (input: unknown) => {
      looked.push(input);
      return { ...ruleCall, input };
    };
    const seen: unknown[] = [];
    const hook = (key: string, answer?: object) => ({ key, if: 'Bash', run: () => answer as undefined });
    askPre([hook('a'), hook('b', { updatedInput: rewritten }), hook('c'), hook('d')], {
      call: { conditionCall },
      parse: () => (call) => {
        seen.push(call.input);
        return 'yes';
      },
    });
    expect(looked).toEqual([{ command: 'ls' }, rewritten]);
    expect(seen).toEqual([{ command: 'ls' }, { command: 'ls' }, rewritten, rewritten]);
  });

  it('looks nothing up where no hook has one, or it is not for this tool', () => {
    let looked = 0;
    const conditionCall = () => {
      looked++;
      return undefined;
    };
    askPre([run, { matcher: 'Read', if: 'Read(x)', run: () => undefined }], {
      call: { conditionCall },
      parse: () => () => 'yes',
    });
    expect(looked).toBe(0);
  });
});

describe('the `if` of a hook as a permission rule', () => {
  const parse = (text: string, option: string) => {
    const rule = parseRule(text, 'if', { option, cwd: '/project' });
    return (call: ConditionCall) => matchesRule(rule, call);
  };
  const isAsked = (text: string, ...targets: RuleTarget[]): boolean => {
    const ruleCall = { names: ['Bash', 'Shell'], input: {}, parsed: {}, targets };
    const guard = { if: text, run: () => ({ decision: 'deny' as const }) };
    const verdict = askPre([guard], { parse, call: { conditionCall: () => ruleCall } });
    return verdict.decision === 'deny';
  };
  const command = (text: string): RuleTarget => ({
    type: 'command',
    allowText: text,
    forms: [text],
    isReadOnly: false,
  });

  it('asks where any part of the call meets it, by any name of the tool', () => {
    expect(isAsked('Bash(git *)', command('git push'))).toBe(true);
    expect(isAsked('Shell(git *)', command('git push'))).toBe(true);
    expect(isAsked('Bash(git *)', command('ls'), command('git push'))).toBe(true);
    expect(isAsked('Bash(git *)', command('ls'))).toBe(false);
    expect(isAsked('Edit', command('git push'))).toBe(false);
  });

  it('asks where a text could not be looked into', () => {
    expect(isAsked('Bash(git *)', { type: 'unparsed', reason: 'an open quote' })).toBe(true);
  });
});
