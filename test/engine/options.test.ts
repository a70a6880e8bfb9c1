import { NEVER, Subject, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { type ExecuteToolsOptions, executeTools, InvalidOptionError, output } from '../../src/index.js';
import { codes, eventsOf, Seen, safeTool, startedIds, turnOf, use } from './turns.js';

const read = safeTool('read', () => 'done');

describe('options that can not be meant are refused at construction, by name', () => {
  it.each<[string, unknown, RegExp]>([
    ['no options', undefined, /`options`/],
    ['no tools', {}, /`tools`/],
    ['an option that does not exist', { tools: [], permisions: {} }, /`options`.*"permisions"/],
    ['a start rule', { tools: [], start: 'lazy' }, /`start`.*eager, eager-safe, after-message.*"lazy"/],
    ['a scope', { tools: [], siblingAbort: 'all' }, /`siblingAbort`.*"all"/],
    ['a limit of 0', { tools: [], limits: { concurrency: 0 } }, /`limits\.concurrency`.*from 1 up.*got 0/],
    ['a limit that is no number', { tools: [], limits: { shell: Number.NaN } }, /`limits\.shell`.*NaN/],
    ['a limit of a kind that does not exist', { tools: [], limits: { disk: 1 } }, /`limits`.*"disk"/],
    ['limits that are a number', { tools: [], limits: 3 }, /`limits`.*an object of limits.*3/],
    ['a timeout below 0', { tools: [], timeoutMs: -1 }, /`timeoutMs`.*-1/],
    ['a timeout that is no number', { tools: [], timeoutMs: '5' }, /`timeoutMs`.*"5"/],
    ['a grace below 0', { tools: [], graceMs: -1 }, /`graceMs`/],
    ['a signal', { tools: [], signal: {} }, /`signal`.*AbortSignal/],
    ['a control', { tools: [], interrupt$: Promise.resolve() }, /`interrupt\$`.*an Observable/],
    ['a callback', { tools: [], onLate: 'log' }, /`onLate`.*a function/],
    ['a pool that was not made', { tools: [], pool: { limits: {} } }, /`pool`.*createPool/],
  ])('%s', (_name, options, message) => {
    const make = () => executeTools(options as ExecuteToolsOptions);
    expect(make).toThrow(InvalidOptionError);
    expect(make).toThrow(message);
  });
});

describe('callbacks that throw or answer nonsense are survived and told', () => {
  const boom = (): never => {
    throw new Error('boom');
  };

  it('`offered`: nothing is offered then', () => {
    const seen = new Seen(turnOf([use('a', 'read')], [read], { offered: boom }));
    expect(codes(seen.values)).toEqual(['a unknown_tool']);
    expect(eventsOf(seen.values, 'anomaly').every(({ code }) => code === 'offered_failed')).toBe(true);
    expect(eventsOf(seen.values, 'anomaly').length).toBeGreaterThan(0);
  });

  it.each<[string, () => number]>([
    ['throws', boom],
    ['is no number', () => Number.NaN],
  ])('`priority` that %s counts as 0', (_name, priority) => {
    const work$ = new Subject<unknown>();
    const slow = safeTool('slow', () => work$);
    const calls = [use('a', 'slow'), use('b', 'read'), use('c', 'read')];
    const seen = new Seen(turnOf(calls, [slow, read], { priority, limits: { concurrency: 1 } }));
    work$.next(output('done'));
    expect(startedIds(seen.values)).toEqual(['a', 'b', 'c']);
    expect(new Set(eventsOf(seen.values, 'anomaly').map(({ code }) => code))).toEqual(
      new Set(['priority_failed']),
    );
  });

  it('a control that fails is taken as used: a stop must never be lost', () => {
    const endless = safeTool('endless', () => NEVER);
    const seen = new Seen(
      turnOf([use('a', 'endless')], [endless], {
        interrupt$: throwError(() => new Error('the keyboard is gone')),
      }),
    );
    expect(codes(seen.values)).toEqual(['a interrupted']);
    expect(startedIds(seen.values)).toEqual([]);
  });
});
