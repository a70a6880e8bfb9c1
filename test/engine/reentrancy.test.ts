import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  checkLaws,
  defineTool,
  executeTools,
  output,
  type ToolEvent,
  type ToolUse,
} from '../../src/index.js';

const use = (id: string, name: string): ToolUse => ({ type: 'tool_use', id, name, input: {} });
const later = defineTool({
  name: 'later',
  inputSchema: z.object({}).refine(async () => true),
  isConcurrencySafe: () => true,
  call: () => 'done',
});
const never = defineTool({
  name: 'never',
  inputSchema: z.object({}).refine(() => new Promise<boolean>(() => undefined)),
  call: () => 'done',
});
const slow = defineTool({
  name: 'slow',
  inputSchema: z.object({}),
  isConcurrencySafe: () => true,
  call: () => new Promise(() => undefined),
});

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));
const answers = (events: readonly ToolEvent[]) =>
  events.flatMap((event) => (event.type === 'result' ? [`${event.toolUseId} ${event.outcome.code}`] : []));

/** Runs a turn whose observer acts on its events; the turn must end, and nothing may escape. */
const run = async (
  begin: (source$: Subject<ToolUse>, interrupt$: Subject<string>) => void,
  act: (event: ToolEvent, source$: Subject<ToolUse>) => void,
  signal?: AbortSignal,
) => {
  const source$ = new Subject<ToolUse>();
  const interrupt$ = new Subject<string>();
  const events: ToolEvent[] = [];
  let ended = false;
  source$
    .pipe(
      executeTools({ tools: [later, never, slow], interrupt$, ...(signal === undefined ? {} : { signal }) }),
    )
    .subscribe({
      next: (event) => {
        events.push(event);
        act(event, source$);
      },
      complete: () => {
        ended = true;
      },
    });
  begin(source$, interrupt$);
  await settled();
  return { answers: answers(events), ended };
};

describe('a turn that is acted on from inside its own events', () => {
  it('loses no call when the source ends in the handler of a late `queued`', async () => {
    const seen = await run(
      (source$) => source$.next(use('a', 'later')),
      (event, source$) => event.type === 'queued' && source$.complete(),
    );
    expect(seen).toEqual({ answers: ['a ok'], ended: true });
  });

  it('answers what is pushed while it is being interrupted, and asks no schema', async () => {
    let pushed = 0;
    const seen = await run(
      (source$, interrupt$) => {
        source$.next(use('a', 'slow'));
        source$.next(use('b', 'slow'));
        interrupt$.next('enough');
      },
      (event, source$) => {
        if (event.type === 'completed' && pushed++ < 2) source$.next(use(`x${pushed}`, 'never'));
      },
    );
    expect(seen).toEqual({
      answers: ['a interrupted', 'b interrupted', 'x1 interrupted', 'x2 interrupted'],
      ended: true,
    });
  });

  it('delivers no progress and no context once it is discarded', async () => {
    const discard$ = new Subject<string>();
    const source$ = new Subject<ToolUse>();
    const chatty = defineTool({
      name: 'chatty',
      inputSchema: z.object({}),
      graceMs: 3,
      call: (_input, ctx) => {
        ctx.abort$.subscribe(() => ctx.report('still here'));
        return new Promise(() => undefined);
      },
    });
    const changing = defineTool({
      name: 'changing',
      inputSchema: z.object({}),
      call: () =>
        output('done', {
          modifyContext: () => {
            discard$.next('enough');
            return 'changed';
          },
        }),
    });
    for (const name of ['chatty', 'changing']) {
      const types: string[] = [];
      const turn$ = source$.pipe(executeTools({ tools: [chatty, changing], discard$ }), checkLaws());
      turn$.subscribe({ next: ({ type }) => types.push(type), error: (error) => types.push(String(error)) });
      source$.next(use('a', name));
      if (name === 'chatty') discard$.next('enough');
      await settled();
      expect(types.slice(types.indexOf('tombstone'))).toEqual(['tombstone', 'discarded']);
    }
  });

  it('keeps its calls apart when a tool changes the id of its tool use', async () => {
    const changed = use('a', 'later') as { -readonly [K in keyof ToolUse]: ToolUse[K] };
    const seen = await run(
      (source$) => {
        source$.next(changed);
        source$.complete();
      },
      (event) => {
        if (event.type === 'started') changed.id = 'evil';
      },
    );
    expect(seen).toEqual({ answers: ['a ok'], ended: true });
  });
});
