import { defer, finalize, merge, mergeMap, Observable, type SchedulerLike, takeUntil } from 'rxjs';
import { type Emission, failure, output, progress } from '../../src/contract/emission.js';
import type { StandardSchema, Tool } from '../../src/contract/tool.js';
import { NotationError } from '../notation/notationError.js';

/** A tool drawn by what it does once it runs; its name is the key it is given under. */
export interface MarbleTool {
  readonly marbles: string;
  readonly isConcurrencySafe: boolean;
  readonly options: MarbleToolOptions;
}

export interface MarbleToolOptions
  extends Partial<
    Pick<
      Tool,
      | 'aliases'
      | 'kind'
      | 'timeoutMs'
      | 'graceMs'
      | 'abortsSiblings'
      | 'onInterrupt'
      | 'mapResult'
      | 'maxResultSizeChars'
    >
  > {
  /** Default: by `tool.safe` or `tool.unsafe`. */
  readonly isConcurrencySafe?: (input: unknown) => boolean;
  /** Default: takes anything. */
  readonly inputSchema?: StandardSchema;
  /** What it does from a stop request on, drawn the same way. Default: it goes on as if nothing had been asked. */
  readonly onStop?: string;
  /** What it ends with. Default: its call's id. */
  readonly output?: unknown;
  readonly validateInput?: (input: unknown) => string | undefined;
  readonly modifyContext?: (context: never) => never;
}

export const marbleTool = {
  /** May overlap others. */
  safe: (marbles: string, options: MarbleToolOptions = {}): MarbleTool => draw(marbles, true, options),
  /** Runs alone, in its place. */
  unsafe: (marbles: string, options: MarbleToolOptions = {}): MarbleTool => draw(marbles, false, options),
};

export const isMarbleTool = (value: unknown): value is MarbleTool =>
  typeof value === 'object' && value !== null && typeof (value as MarbleTool).marbles === 'string';

const draw = (marbles: string, isConcurrencySafe: boolean, options: MarbleToolOptions): MarbleTool => {
  read(marbles);
  if (options.onStop !== undefined) read(options.onStop);
  return { marbles, isConcurrencySafe, options };
};

const anything: StandardSchema = {
  '~standard': { version: 1, vendor: 'millrace', validate: (value) => ({ value }) },
};

/** Counts what is subscribed: a tool that is left running is a defect. */
export interface Watch {
  running: number;
}

/** The real tool a drawing stands for, on the turn's own clock. */
export const toTool = (
  name: string,
  { marbles, isConcurrencySafe, options }: MarbleTool,
  watch: Watch,
): Tool => {
  const {
    onStop,
    output: result,
    modifyContext,
    inputSchema = anything,
    validateInput,
    ...members
  } = options;
  return {
    name,
    inputSchema,
    isConcurrencySafe: () => isConcurrencySafe,
    ...members,
    ...(validateInput === undefined ? undefined : { validateInput: (input: never) => validateInput(input) }),
    call: (_input: never, ctx) => {
      const end = output(result ?? ctx.toolUse.id, modifyContext === undefined ? {} : { modifyContext });
      const perform = (picture: string): Observable<Emission> => played(read(picture), end, ctx.scheduler);
      const drawn$ = perform(marbles);
      const performed$ =
        onStop === undefined
          ? drawn$
          : merge(drawn$.pipe(takeUntil(ctx.abort$)), ctx.abort$.pipe(mergeMap(() => perform(onStop))));
      return defer(() => {
        watch.running++;
        return performed$.pipe(finalize(() => watch.running--));
      });
    },
  };
};

type Step = { readonly at: number; readonly what: 'progress' | 'output' | 'failure' };

/** Emits what is drawn, at its time; goes on for ever where no end is drawn. */
const played = (steps: readonly Step[], end: Emission, scheduler: SchedulerLike): Observable<Emission> =>
  new Observable((subscriber) => {
    for (const { at, what } of steps) {
      const run = (): void => {
        if (what === 'progress') subscriber.next(progress(at));
        else if (what === 'output') subscriber.next(end);
        else subscriber.error(failure('failed as drawn'));
      };
      if (at === 0) run();
      else subscriber.add(scheduler.schedule(run, at));
    }
  });

/** `-` and `=` run, `o` `2`…`9` `*` progress, `|` output, `#` failure; ` 9ms ` nine columns. */
const read = (marbles: string): readonly Step[] => {
  const steps: Step[] = [];
  let at = 0;
  for (const token of marbles.trim().split(/(\s\d+ms\s)/)) {
    const time = /^\s(\d+)ms\s$/.exec(token);
    if (time !== null) {
      at += Number(time[1]);
      continue;
    }
    for (const glyph of token) {
      if (steps.at(-1)?.what === 'output' || steps.at(-1)?.what === 'failure')
        throw wrong(marbles, at, 'nothing after the end', glyph);
      steps.push(...stepsOf(glyph, at, marbles));
      at++;
    }
  }
  return steps;
};

const stepsOf = (glyph: string, at: number, marbles: string): readonly Step[] => {
  const times = (n: number): readonly Step[] => Array.from({ length: n }, () => ({ at, what: 'progress' }));
  if (glyph === '-' || glyph === '=') return [];
  if (glyph === '|') return [{ at, what: 'output' }];
  if (glyph === '#') return [{ at, what: 'failure' }];
  if (glyph === 'o') return times(1);
  if (glyph === '*') return times(10);
  if (/[2-9]/.test(glyph)) return times(Number(glyph));
  throw wrong(marbles, at, 'one of - = o 2…9 * | #', glyph);
};

const wrong = (marbles: string, column: number, expected: string, got: string): NotationError =>
  new NotationError({ line: 1, column: column + 1 }, `${expected}, in the tool drawn "${marbles}"`, got);
