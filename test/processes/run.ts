import { getEventListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { firstValueFrom, lastValueFrom, of, Subject, takeUntil, tap } from 'rxjs';
import { executeTools, type ToolEvent } from '../../src/index.js';
import { type BashProgress, bash, createBackgroundCommands } from '../../src/tools/index.js';
import type { Kind } from './kinds.js';
import { MARK, markedProcesses } from './marked.js';

/** Milliseconds from TERM to KILL; what an unsubscription's ending takes may take a little longer. */
const KILL_AFTER_MS = 150;
const ENDING_MS = KILL_AFTER_MS + 3000;

/** What one run showed, and what is wrong with it. */
export interface RunReport {
  readonly kind: string;
  readonly ms: number;
  /** Processes that were alive when the command had said that it was ready. */
  readonly seen: number;
  /** Processes that were seen alive and had to be: listed in the background, or escaped. */
  readonly left: number;
  readonly faults: readonly string[];
}

/** Runs one command through the engine, stops it as its kind says, and looks for what is left of it. */
export const runOnce = async (kind: Kind, index: number, cwd: string): Promise<RunReport> => {
  const run = new Run(kind, `${process.pid}-${index}`, cwd);
  const since = performance.now();
  await run.play();
  const ms = performance.now() - since;
  await run.inspect();
  return { kind: kind.name, ms, seen: run.seen, left: run.left, faults: run.faults };
};

class Run {
  readonly faults: string[] = [];
  seen = 0;
  left = 0;
  readonly #background = createBackgroundCommands();
  readonly #events: ToolEvent[] = [];
  readonly #interrupt$ = new Subject<string>();
  readonly #discard$ = new Subject<string>();
  readonly #leave$ = new Subject<void>();
  readonly #controller = new AbortController();
  #printed = '';
  #stopped = false;

  constructor(
    private readonly kind: Kind,
    private readonly mark: string,
    private readonly cwd: string,
  ) {}

  async play(): Promise<void> {
    const { command, timeout } = this.kind;
    const input = timeout === undefined ? { command } : { command, timeout };
    const events$ = of({ type: 'tool_use', id: `toolu_${this.mark}`, name: 'Bash', input } as const).pipe(
      executeTools({
        tools: [this.#tool()],
        signal: this.#controller.signal,
        interrupt$: this.#interrupt$,
        discard$: this.#discard$,
      }),
      tap((event) => this.#take(event)),
      takeUntil(this.#leave$),
    );
    await lastValueFrom(events$, { defaultValue: undefined });
  }

  #tool() {
    const { onTimeout, shell = '/bin/bash', engineTimeoutMs } = this.kind;
    const env = { ...process.env, [MARK]: this.mark };
    const tool = bash({
      ...{ cwd: this.cwd, env, shell, killAfterMs: KILL_AFTER_MS, background: this.#background },
      ...(onTimeout === undefined ? undefined : { onTimeout }),
    });
    return engineTimeoutMs === undefined ? tool : { ...tool, timeoutMs: engineTimeoutMs };
  }

  #take(event: ToolEvent): void {
    this.#events.push(event);
    if (event.type === 'progress') this.#heard((event.data as BashProgress).text);
    const { stop, stopAt = 'ready' } = this.kind;
    const isDue = stopAt === 'start' ? event.type === 'started' : this.#isReady;
    if (stop === undefined || this.#stopped || !isDue) return;
    this.#stopped = true;
    // After the event has been delivered, as a user's key or another request would come.
    setImmediate(() => this.#stop(stop));
  }

  #heard(text: string): void {
    const wasReady = this.#isReady;
    this.#printed += text;
    if (this.#isReady && !wasReady) this.seen = markedProcesses(this.mark).length;
  }

  get #isReady(): boolean {
    return this.#printed.includes('ready');
  }

  #stop(how: NonNullable<Kind['stop']>): void {
    if (how === 'signal') this.#controller.abort('enough');
    else if (how === 'interrupt') this.#interrupt$.next('enough');
    else if (how === 'discard') this.#discard$.next('another model');
    else this.#leave$.next();
  }

  async inspect(): Promise<void> {
    this.#checkResult();
    const { leaves, code } = this.kind;
    if (leaves === undefined && code !== undefined) this.#expectNone('when the turn was over');
    if (leaves === 'background') await this.#endBackground();
    if (leaves === 'escaped') this.#killStrays();
    await this.#expectEnd();
    this.#checkListeners();
  }

  #checkResult(): void {
    const { code, says = [] } = this.kind;
    const results = this.#events.filter((event) => event.type === 'result');
    if (results.length !== (code === undefined ? 0 : 1)) this.faults.push(`${results.length} results`);
    for (const { outcome, block } of results) {
      if (outcome.code !== code) this.faults.push(`${outcome.code} instead of ${code}`);
      for (const text of says) {
        if (!String(block.content).includes(text)) this.faults.push(`no "${text}" in: ${block.content}`);
      }
    }
  }

  #expectNone(when: string): void {
    const alive = markedProcesses(this.mark);
    if (alive.length > 0) this.faults.push(`alive ${when}: ${JSON.stringify(alive)}`);
  }

  /** Unsubscribing ends the processes, but nobody is told when they have gone. */
  async #expectEnd(): Promise<void> {
    const until = performance.now() + ENDING_MS;
    while (markedProcesses(this.mark).length > 0 && performance.now() < until) await sleep(20);
    this.#expectNone('at the end');
    // What is a fault is told, and need not stay.
    for (const { pid } of markedProcesses(this.mark)) process.kill(pid, 'SIGKILL');
  }

  async #endBackground(): Promise<void> {
    this.left = markedProcesses(this.mark).length;
    const running = this.#background.list().filter(({ end }) => end === undefined);
    if (this.left === 0 || running.length !== 1) this.faults.push(`${running.length} in the background`);
    if (!(await firstValueFrom(this.#background.endAll()))) this.faults.push('the background was not ended');
    this.#expectNone('when the background had been ended');
  }

  #killStrays(): void {
    const strays = markedProcesses(this.mark);
    this.left = strays.length;
    if (strays.length === 0) this.faults.push('nothing had escaped');
    for (const { pid } of strays) process.kill(pid, 'SIGKILL');
  }

  #checkListeners(): void {
    const onSignal = getEventListeners(this.#controller.signal, 'abort').length;
    if (onSignal > 0) this.faults.push(`${onSignal} listeners on the caller's signal`);
    for (const subject of [this.#interrupt$, this.#discard$, this.#leave$]) {
      if (subject.observed) this.faults.push('a notifier of the turn is still listened to');
    }
  }
}
