import { Observable, VirtualTimeScheduler } from 'rxjs';
import { CountingScheduler } from '../../marbles/testing/countingScheduler.js';
import { Deadlines } from '../../src/call/deadlines.js';
import type { Hooks, PreToolUseInput } from '../../src/contract/hooks.js';
import type { ToolUse } from '../../src/contract/index.js';
import {
  askPreToolUse,
  type ConditionParser,
  type HookedCall,
  type HookHost,
  type HookTold,
  type PreToolUseVerdict,
  readHooks,
} from '../../src/hooks/index.js';

export const toolUse: ToolUse = { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } };
export const call: HookedCall = { toolUse, name: 'Bash', names: ['Bash', 'Shell'], input: toolUse.input };

/** A host in virtual time that writes down what it is told. */
export const virtualHost = (options: Partial<HookHost> = {}) => {
  const virtual = new VirtualTimeScheduler();
  const scheduler = new CountingScheduler(virtual);
  let ticks = 0;
  const clock = new Deadlines(
    scheduler,
    () => virtual.now(),
    () => void ticks++,
  );
  const told: HookTold[] = [];
  const host: HookHost = {
    clock,
    scheduler,
    context: { user: 'u' },
    permissionMode: 'default',
    tick: () => void ticks++,
    onHook: (each) => void told.push(each),
    ...options,
  };
  /** Answers so late, in virtual time; counts those who wait. */
  const open = { count: 0 };
  const later = <T>(ms: number, value: T): Observable<T> =>
    new Observable<T>((subscriber) => {
      open.count++;
      subscriber.add(() => void open.count--);
      subscriber.add(
        virtual.schedule(() => {
          subscriber.next(value);
          subscriber.complete();
        }, ms),
      );
    });
  return { virtual, scheduler, host, told, later, open, ticks: () => ticks };
};

/** Asks hooks before a call, and gives what they have said by the time all that was scheduled is done. */
export const askPre = (
  hooks: Hooks['PreToolUse'],
  options: {
    readonly set?: ReturnType<typeof virtualHost>;
    readonly call?: Partial<HookedCall>;
    readonly parse?: ConditionParser;
  } = {},
): PreToolUseVerdict => {
  const { set = virtualHost() } = options;
  let verdict: PreToolUseVerdict | undefined;
  let times = 0;
  const ready = readHooks({ PreToolUse: hooks ?? [] }, 'hooks', options.parse)?.PreToolUse ?? [];
  askPreToolUse(ready, { ...call, ...options.call }, set.host, (given) => {
    verdict = given;
    times++;
  });
  set.virtual.flush();
  if (verdict === undefined || times !== 1) throw new Error(`the hooks have ended ${times} times`);
  return verdict;
};

/** A hook function that writes down the input it sees. */
export const seeing = (seen: unknown[], answer?: unknown) => (input: PreToolUseInput) => {
  seen.push(input.input);
  return answer as undefined;
};
