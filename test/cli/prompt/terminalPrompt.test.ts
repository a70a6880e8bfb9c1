import { type Observable, Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { type KeyStream, keysOf } from '../../../src/cli/prompt/keys.js';
import { terminalPrompt } from '../../../src/cli/prompt/terminalPrompt.js';
import { styleOf } from '../../../src/cli/view/style.js';
import type { PermissionAnswer } from '../../../src/contract/index.js';
import { requestOf } from './requests.js';

const stage = (suggestions: readonly string[] = ['Bash(make)']) => {
  const keys = new Subject<string>();
  const answers: PermissionAnswer[] = [];
  const told: string[] = [];
  let written = '';
  let time = 0;
  const screen = {
    open: () => void told.push('open'),
    close: () => void told.push('close'),
    write: (text: string) => {
      written += text;
    },
    options: { width: 40, unicode: false, style: styleOf(false) },
  };
  const interrupt = (): void => void told.push('interrupt');
  const ask = terminalPrompt(keys, screen, interrupt, () => time);
  const answer$ = ask(requestOf({ command: 'make' }, suggestions)) as Observable<PermissionAnswer>;
  const subscription = answer$.subscribe((answer) => {
    told.push('answer');
    answers.push(answer);
  });
  return {
    ...{ keys, answers, told, subscription },
    /** Types each text as a piece of its own, once keys count. */
    type: (...texts: readonly string[]) => {
      time = 200;
      for (const text of texts) keys.next(text);
    },
    typeAt: (ms: number, text: string) => {
      time = ms;
      keys.next(text);
    },
    /** What stands on the last line. */
    get line() {
      return (written.split('\n').at(-1) ?? '').split('\r\x1b[K').at(-1);
    },
  };
};

const denied = (reason = ''): PermissionAnswer => ({
  behavior: 'deny',
  message: `The user denied this call${reason === '' ? '.' : `: ${reason}`}`,
});

describe('a prompt in the terminal', () => {
  it.each([
    ['y', { behavior: 'allow' }],
    ['Y', { behavior: 'allow' }],
    ['a', { behavior: 'allow', remember: [{ behavior: 'allow', rule: 'Bash(make)' }] }],
    ['n', denied()],
    ['\x04', denied()],
  ] as const)('is answered by the key %j, and closed before the answer is heard', (key, answer) => {
    const { type, answers, told, keys } = stage();
    type(key);
    expect(answers).toEqual([answer]);
    expect(told).toEqual(['open', 'close', 'answer']);
    expect(keys.observed).toBe(false);
  });

  it.each(['\r', ' ', 'x', '\x1b[A', 'yes', 'y\r', 'ny'])('is not answered by %j', (text) => {
    const { type, answers, told } = stage();
    type(text);
    expect([answers, told]).toEqual([[], ['open']]);
  });

  it('takes no key that was typed before anybody could have read it', () => {
    const { typeAt, answers } = stage();
    typeAt(199, 'y');
    expect(answers).toEqual([]);
    typeAt(200, 'y');
    expect(answers).toHaveLength(1);
  });

  it('has no always where nothing could be remembered', () => {
    const { type, answers } = stage([]);
    type('a');
    expect(answers).toEqual([]);
  });

  it('takes a reason on a line that can be edited', () => {
    const { type, answers } = stage();
    type('r', 'use ', 'maek', '\x7f\x7f', 'ke', '\x1b[D', ' \u0007instead', '\r');
    expect(answers).toEqual([denied('use make instead')]);
  });

  it('shows the end of a reason that is longer than the line', () => {
    const one = stage();
    one.type('r', 'a'.repeat(50), 'end');
    expect(one.line).toBe(`why not? ${'a'.repeat(27)}end`);
    one.type('\x15', 'new');
    expect(one.line).toBe('why not? new');
  });

  it('goes back from the reason to the choice, and takes an empty reason as none', () => {
    const back = stage();
    back.type('r', 'no', '\x1b');
    expect(back.line).toBe('allow? ');
    back.type('y');
    expect(back.answers).toEqual([{ behavior: 'allow' }]);
    const empty = stage();
    empty.type('r', '  \r');
    expect(empty.answers).toEqual([denied()]);
  });

  it.each([[['\x03']], [['r', 'because\x03']]])('stops the run on Ctrl-C, and allows nothing', (keys) => {
    const { type, answers, told } = stage();
    type(...keys);
    expect(told).toEqual(['open', 'close', 'interrupt', 'answer']);
    expect(answers).toEqual([{ behavior: 'deny', message: 'The user stopped the run.' }]);
  });

  it('takes Ctrl-C at any time', () => {
    const { typeAt, told } = stage();
    typeAt(0, '\x03');
    expect(told).toContain('interrupt');
  });

  it('denies where the terminal is closed', () => {
    const { keys, answers } = stage();
    keys.complete();
    expect(answers).toMatchObject([{ behavior: 'deny' }]);
  });

  it('is closed, with a word, when the answer is not wanted any more', () => {
    const { subscription, told, keys } = stage();
    subscription.unsubscribe();
    expect(told).toEqual(['open', 'close']);
    expect(keys.observed).toBe(false);
  });
});

describe('the keys of a terminal', () => {
  it('are raw while somebody listens, and the terminal is left as it was', () => {
    const calls: string[] = [];
    const listeners = new Map<string, (text: string) => void>();
    const stream = {
      setEncoding: () => stream,
      setRawMode: (on: boolean) => calls.push(`raw ${on}`),
      resume: () => calls.push('resume'),
      pause: () => calls.push('pause'),
      on: (event: string, listener: (text: string) => void) => listeners.set(event, listener),
      off: (event: string) => listeners.delete(event),
    } as unknown as KeyStream;
    const heard: string[] = [];
    const keys = keysOf(stream).subscribe((text) => heard.push(text));
    listeners.get('data')?.('y');
    keys.unsubscribe();
    expect(heard).toEqual(['y']);
    expect(calls).toEqual(['raw true', 'resume', 'pause', 'raw false']);
    expect(listeners.size).toBe(0);
  });
});
