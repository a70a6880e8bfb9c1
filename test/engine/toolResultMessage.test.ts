import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { output, type ToolEvent, toolResultMessage } from '../../src/index.js';
import { Seen, safeTool, turnOf, use } from './turns.js';

const messages = (events$: ReturnType<typeof turnOf>, options = {}) =>
  new Seen(events$.pipe(toolResultMessage(options)));

const noting = (name: string, ...notes: readonly string[]) =>
  safeTool(name, () =>
    output(name, { newMessages: notes.map((content) => ({ role: 'user' as const, content })) }),
  );

const ids = (seen: ReturnType<typeof messages>) =>
  seen.values[0]?.content.map((block) =>
    'tool_use_id' in block ? block.tool_use_id : (block as { text: string }).text,
  );

describe('toolResultMessage', () => {
  it('holds all results in call order, then what the tools added, in call order', () => {
    const slow$ = new Subject<unknown>();
    const tools = [
      safeTool('slow', () => slow$),
      noting('noted', 'first', 'second'),
      noting('also', 'third'),
    ];
    const seen = messages(turnOf([use('a', 'slow'), use('b', 'noted'), use('c', 'also')], tools));
    expect(seen.values).toEqual([]);
    slow$.next(
      output('done', { newMessages: [{ role: 'user', content: [{ type: 'text', text: 'zeroth' }] }] }),
    );
    expect(ids(seen)).toEqual(['a', 'b', 'c', 'zeroth', 'first', 'second', 'third']);
    expect(seen.values[0]?.role).toBe('user');
    expect(seen.ended).toBe('completed');
  });

  it('comes once, when the turn has ended', () => {
    const source = new Subject<ToolEvent>();
    const seen = new Seen(source.pipe(toolResultMessage()));
    source.next({
      type: 'result',
      at: 0,
      toolUseId: 'a',
      name: 'tool',
      synthetic: false,
      outcome: {
        code: 'ok',
        executed: 'yes',
        durations: { queued: 0, hooks: 0, permission: 0, running: 0, held: 0 },
      },
      block: { type: 'tool_result', tool_use_id: 'a', content: 'x' },
    });
    expect(seen.values).toEqual([]);
    source.complete();
    expect(seen.values).toHaveLength(1);
  });

  it('is none where there was no call', () => {
    expect(messages(turnOf([], []))).toMatchObject({ values: [], ended: 'completed' });
  });

  it('is none after a discard, though results had been delivered', () => {
    const discard$ = new Subject<string>();
    const tools = [safeTool('quick', () => 1), safeTool('endless', () => new Subject())];
    const seen = messages(turnOf([use('a', 'quick'), use('b', 'endless')], tools, { discard$ }));
    discard$.next('another model');
    expect(seen).toMatchObject({ values: [], ended: 'completed' });
  });

  const interrupted = (control: 'interrupt$' | 'signal', options = {}) => {
    const interrupt$ = new Subject<string>();
    const controller = new AbortController();
    const tools = [noting('noted', 'a note'), safeTool('endless', () => new Subject())];
    const stops = control === 'signal' ? { signal: controller.signal } : { interrupt$ };
    const seen = messages(turnOf([use('a', 'noted'), use('b', 'endless')], tools, stops), options);
    interrupt$.next('wrong file');
    interrupt$.next('again');
    controller.abort('closing');
    return ids(seen);
  };

  it('ends with one notice where the user stopped the run, with the reason', () => {
    const [a, b, note, notice, ...more] = interrupted('interrupt$') ?? [];
    expect([a, b, note, more]).toEqual(['a', 'b', 'a note', []]);
    expect(notice).toMatch(/The user stopped the run: wrong file/);
  });

  it('has no notice where the program did', () => {
    expect(interrupted('signal')).toEqual(['a', 'b', 'a note']);
  });

  it('is bare where that is asked for: results alone', () => {
    expect(interrupted('interrupt$', { bare: true })).toEqual(['a', 'b']);
  });

  it('fails where the turn fails', () => {
    const source = new Subject<ToolEvent>();
    const seen = new Seen(source.pipe(toolResultMessage()));
    source.error(new Error('a defect'));
    expect(seen.ended).toHaveProperty('error');
  });

  it('leaves out texts that are empty', () => {
    expect(ids(messages(turnOf([use('a', 'noted')], [noting('noted', '', 'kept')])))).toEqual(['a', 'kept']);
  });
});
