import { basename } from 'node:path';
import { from, lastValueFrom } from 'rxjs';
import { harmless } from '../../../marbles/draw/harmless.js';
import type { ModelStreamError, ToolEvent } from '../../contract/index.js';
import { toolResultMessage } from '../../engine/toolResultMessage.js';
import { builtinTools, hiddenBy } from '../../tools/index.js';
import type { RunGuard } from '../guard/readGuard.js';
import { RecordingFile } from '../recordingFile.js';
import type { Reply } from '../reply/parseReply.js';
import type { Terminal } from '../terminal.js';
import type { RunEnd, RunView } from '../view/runView.js';
import { runReply } from './runReply.js';
import type { StopSignals } from './stopSignals.js';

export interface PerformRunOptions {
  /** Absolute folder the tools work in. */
  readonly cwd: string;
  readonly speed: number;
  /** Where the events are recorded. */
  readonly record: string | undefined;
  readonly guard: RunGuard;
  readonly signals: StopSignals;
  readonly terminal: Terminal;
  readonly view: RunView;
}

/** `limits.concurrency`, where no settings name one. */
const LIMIT = 10;
/** The shells' code for a program whose reader has gone: 128 and SIGPIPE. */
const CLOSED = 141;

/**
 * Runs a recorded reply, shows and records it.
 *
 * @returns the exit code: 0 when every call has its result, 1 when the reply failed and its turn was discarded,
 * 130, 143 or 129 when a signal stopped it.
 */
export const performRun = async (reply: Reply, options: PerformRunOptions): Promise<number> => {
  const { cwd, speed, record, guard, signals, terminal, view } = options;
  const limit = guard.limits?.limits?.concurrency ?? LIMIT;
  const name = basename(reply.path).replace(/\.sse$/, '');
  const recorder = new Recorder(record, { run: name, limit }, terminal);
  terminal.whenClosed(() => signals.abort('nobody reads the output any more', CLOSED));
  const release = signals.listen(() => view.interrupting());
  view.begin({ name, path: reply.path, cwd, speed, limit });
  try {
    const end = await watch(reply, options, limit, (event) => recorder.add(event));
    view.end(end);
    const why = failureOf(end);
    if (why !== undefined) terminal.problem(`millrace: ${harmless(why)} The turn was discarded.`);
    return signals.exitCode ?? (why !== undefined || recorder.failed ? 1 : 0);
  } finally {
    release();
    recorder.close();
  }
};

/** Runs to the end, whatever that is. */
const watch = async (
  reply: Reply,
  { cwd, speed, guard, signals, view }: PerformRunOptions,
  concurrency: number,
  record: (event: ToolEvent) => void,
): Promise<RunEnd> => {
  const events: ToolEvent[] = [];
  let failure: ModelStreamError | undefined;
  await runReply(reply, {
    ...{ tools: toolsOf(cwd, guard), limits: { concurrency }, speed },
    ...{ interrupt$: signals.interrupt$, signal: signals.signal },
    ...turnOf(guard),
    onModel: (event, at) => view.model(event, at),
    onFailure: (error) => {
      failure = error;
    },
    onLate: (late) => view.late(late),
  }).forEach((event) => {
    events.push(event);
    record(event);
    view.event(event);
  });
  const message$ = from(events).pipe(toolResultMessage());
  return { events, failure, message: await lastValueFrom(message$, { defaultValue: undefined }) };
};

const toolsOf = (cwd: string, { permissions, limits, env }: RunGuard) =>
  builtinTools({
    ...{ cwd, ...limits?.bash },
    ...(env && { env: { ...process.env, ...env } }),
    ...(permissions && {
      isHidden: hiddenBy(permissions),
      additionalDirectories: permissions.options.additionalDirectories ?? [],
    }),
  });

const turnOf = ({ hooks, permissions, classifier, canUseTool, limits }: RunGuard) => ({
  ...(hooks && { hooks }),
  ...(permissions && { permissions }),
  ...(classifier && { classifier }),
  ...(canUseTool && { canUseTool }),
  ...(limits?.timeoutMs && { timeoutMs: limits.timeoutMs }),
  ...(limits?.hookTimeoutMs && { hookTimeoutMs: limits.hookTimeoutMs }),
});

/** Why the turn was discarded, where it was. */
const failureOf = ({ events, failure }: RunEnd): string | undefined => {
  if (failure !== undefined) return failure.message;
  const discarded = events.find((event) => event.type === 'discarded');
  return discarded && `The reply was abandoned: ${discarded.cause}.`;
};

/** A disk that is full must not cost the run: it is told once, and the run goes on unrecorded. */
class Recorder {
  #file: RecordingFile | undefined;
  failed = false;

  constructor(
    path: string | undefined,
    info: { readonly run: string; readonly limit: number },
    private readonly terminal: Terminal,
  ) {
    if (path !== undefined) this.#file = new RecordingFile(path, info);
  }

  add(event: ToolEvent): void {
    try {
      this.#file?.add(event);
    } catch (error) {
      this.failed = true;
      this.terminal.problem(`millrace: ${(error as Error).message}; the run goes on without`);
      this.close();
    }
  }

  close(): void {
    this.#file?.close();
    this.#file = undefined;
  }
}
