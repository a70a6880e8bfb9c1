import { AsyncSubject, map, merge, Observable, Subject, type Subscriber, take, timer } from 'rxjs';
import type { CallContext, Output, Progress, ToolFailure } from '../../contract/index.js';
import { progress } from '../../contract/index.js';
import { endGroup } from '../../node/endGroup.js';
import { isGroupAlive, reapedLeader } from '../../node/groupSignals.js';
import { type ProcessEvent, type ProcessExit, processGroup } from '../../node/index.js';
import { forgetGoneGroups } from '../../node/liveGroups.js';
import type { ProcessStarted } from '../../node/processEvents.js';
import type { BackgroundEnd } from './backgroundCommands.js';
import type { BashOutput, StopReason } from './bashResult.js';
import type { BashSettings } from './bashSettings.js';
import { CommandRun } from './commandRun.js';
import { OutputFile } from './outputFile.js';

/** A piece of output while a command runs. */
export interface BashProgress {
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

type Emitted = Progress<BashProgress> | Output<BashOutput> | ToolFailure;
type CommandContext = Pick<CallContext, 'abort$' | 'scheduler' | 'toolUse'>;

/** What to run, and for how many milliseconds. */
export interface Command {
  readonly command: string;
  readonly ms: number;
}

/** Runs a command: what it prints, then how it ended. Unsubscribing ends it, unless it has gone to the background. */
export const runCommand = (
  command: Command,
  ctx: CommandContext,
  settings: BashSettings,
): Observable<Emitted> =>
  new Observable((subscriber) => new CommandCall(command, ctx, settings, subscriber).begin());

class CommandCall {
  readonly #stop = new Subject<void>();
  readonly #gone = new AsyncSubject<boolean>();
  #run: CommandRun;
  #why: StopReason | undefined;
  #started: ProcessStarted | undefined;
  /** Where what it prints goes, once it is in the background. */
  #file: OutputFile | undefined;
  #end: BackgroundEnd | undefined;

  constructor(
    private readonly command: Command,
    private readonly ctx: CommandContext,
    private readonly settings: BashSettings,
    private readonly subscriber: Subscriber<Emitted>,
  ) {
    this.#run = new CommandRun(command.command, settings);
  }

  begin(): () => void {
    const { ms } = this.command;
    const limits = merge(
      this.ctx.abort$.pipe(map((cause): StopReason => ({ type: 'asked', cause }))),
      timer(ms, this.ctx.scheduler).pipe(map((): StopReason => ({ type: 'timeout', ms }))),
    )
      .pipe(take(1))
      .subscribe((why) => this.#limited(why));
    if (this.#why !== undefined) {
      this.#conclude(this.#run.notBegun(this.#why));
      return () => undefined;
    }
    const running = this.#process().subscribe((event) => this.#take(event));
    return () => {
      limits.unsubscribe();
      if (this.#file === undefined) running.unsubscribe();
    };
  }

  #process(): Observable<ProcessEvent> {
    const { shell, cwd, env, killAfterMs } = this.settings;
    const onStart = (started: ProcessStarted): void => {
      this.#started = started;
    };
    const args = ['-c', this.command.command];
    return processGroup({ command: shell, args, cwd, env, killAfterMs, onStart, stop$: this.#stop });
  }

  #limited(why: StopReason): void {
    if (why.type === 'timeout' && this.settings.onTimeout === 'background' && this.#goOn()) return;
    this.#why = why;
    this.#stop.next();
  }

  #take(event: ProcessEvent): void {
    if (event.type === 'not-started') this.#conclude(this.#run.notStarted(event));
    else if (event.type === 'exit') this.#ended(event);
    else if (this.#file !== undefined) this.#file.write(event.text);
    else {
      this.#run.kept[event.stream].add(event.text);
      this.subscriber.next(progress({ stream: event.stream, text: event.text }));
    }
  }

  #ended(exit: ProcessExit): void {
    const left = exit.leftRunning ? this.#leave() : undefined;
    if (this.#file === undefined) this.#conclude(this.#run.ended(exit, this.#why, left));
    else {
      this.#file.close();
      this.#end = { exitCode: exit.exitCode, signal: exit.signal };
    }
    this.#gone.next(!exit.survives);
    this.#gone.complete();
  }

  #conclude(end: Output<BashOutput> | ToolFailure): void {
    this.subscriber.next(end);
    this.subscriber.complete();
  }

  /** Ends the call and not the command; `false` where there is no place for what it prints. */
  #goOn(): boolean {
    const { command, ms } = this.command;
    const file = newFile();
    if (file === undefined || this.#started === undefined) return false;
    const { stdout, stderr } = this.#run.kept;
    file.write(stdout.text + stderr.text);
    this.#file = file;
    const [pid, outputPath] = [this.#started.group, file.path];
    const id = this.settings.background.add({
      ...{ command, pid, outputPath, why: 'timeout', toolUseId: this.ctx.toolUse.id },
      ended: () => this.#end,
      stop: () => this.#stopLater(),
    });
    this.#started.unref();
    const end = this.#run.goesOn(ms, { id, pid, outputPath });
    // What was printed is in the file, and must not be kept as long as the command runs (B34).
    this.#run = new CommandRun(command, this.settings);
    this.#conclude(end);
    return true;
  }

  #stopLater(): Observable<boolean> {
    // Somebody waits for its end now, so the program has to live to see it.
    this.#started?.ref();
    this.#stop.next();
    return this.#gone;
  }

  /** The shell has ended, and what it had started in the background goes on. */
  #leave(): BashOutput['background'] {
    const pid = this.#started?.group;
    if (pid === undefined) return undefined;
    const { background, killAfterMs } = this.settings;
    const id = background.add({
      ...{ command: this.command.command, pid, why: 'left-running', toolUseId: this.ctx.toolUse.id },
      ended: () => (isGroupAlive(pid, reapedLeader) ? undefined : {}),
      stop: () => {
        const ended$ = endGroup(pid, killAfterMs, reapedLeader);
        ended$.subscribe(forgetGoneGroups);
        return ended$;
      },
    });
    return { id, pid };
  }
}

const newFile = (): OutputFile | undefined => {
  try {
    return new OutputFile();
  } catch {
    // A full or missing disk: the command is ended, as without a background.
    return undefined;
  }
};
