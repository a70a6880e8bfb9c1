import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { Latch } from '../../operators/index.js';
import type { Cause } from '../../src/index.js';
import { callSignal } from '../../src/interop/callSignal.js';
import { fromSignal } from '../../src/interop/fromSignal.js';

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

const listen = (signal: AbortSignal) => {
  const told: string[] = [];
  return { told, stop: fromSignal(signal, (reason) => told.push(reason)) };
};

describe('fromSignal', () => {
  it('adds one listener, and removes it', () => {
    const { signal } = new AbortController();
    const { stop } = listen(signal);
    expect(listeners(signal)).toBe(1);
    stop();
    expect(listeners(signal)).toBe(0);
  });

  it('tells an abort once, and leaves no listener', () => {
    const controller = new AbortController();
    const { told } = listen(controller.signal);
    controller.abort('closing');
    controller.abort('again');
    expect(told).toEqual(['closing']);
    expect(listeners(controller.signal)).toBe(0);
  });

  it('tells an abort that had happened before, at once', () => {
    const signal = AbortSignal.abort('closed');
    const { told, stop } = listen(signal);
    expect(told).toEqual(['closed']);
    expect(listeners(signal)).toBe(0);
    expect(stop).not.toThrow();
  });

  it('tells nothing after it was left', () => {
    const controller = new AbortController();
    const { told, stop } = listen(controller.signal);
    stop();
    controller.abort('late');
    expect(told).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ['no reason', undefined, 'aborted'],
    ['a text', 'closing', 'closing'],
    ['an error', new Error('closing'), 'closing'],
    ['something else', { code: 1 }, 'aborted'],
    ['a timeout', new DOMException('The operation timed out.', 'TimeoutError'), 'The operation timed out.'],
  ])('puts %s into words', (_name, reason, expected) => {
    expect(listen(AbortSignal.abort(reason)).told).toEqual([expected]);
  });
});

describe('callSignal', () => {
  const cause: Cause = { type: 'user', reason: 'stop' };

  it('is aborted by its latch, with the cause for a reason', () => {
    const latch = new Latch<Cause>();
    const signal = callSignal(latch);
    expect(signal.aborted).toBe(false);
    latch.trip(cause);
    expect(signal.aborted).toBe(true);
    expect(signal.reason).toBe(cause);
  });

  it('made after the stop, it is aborted from the first', () => {
    const latch = new Latch<Cause>();
    latch.trip(cause);
    expect(callSignal(latch).aborted).toBe(true);
  });
});
