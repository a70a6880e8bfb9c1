import type { OutcomeCode } from '../../src/index.js';

/** What ends a run before its command has ended by itself. */
export type Stop = 'signal' | 'interrupt' | 'discard' | 'unsubscribe';

/** One way a command may run and end. */
export interface Kind {
  readonly name: string;
  /** Prints `ready` when it may be stopped. */
  readonly command: string;
  /** Comes when `ready` has been printed, or with the start of the call. */
  readonly stop?: Stop;
  readonly stopAt?: 'ready' | 'start';
  /** Milliseconds the call names; its limit in the engine; both off by default. */
  readonly timeout?: number;
  readonly engineTimeoutMs?: number;
  readonly onTimeout?: 'background';
  readonly shell?: string;
  /** Left out where the result is never seen. */
  readonly code?: OutcomeCode;
  /** What the result's text has to hold. */
  readonly says?: readonly string[];
  /** `background`: listed, and ended by the registry; `escaped`: told of in the result, and ended by the test. */
  readonly leaves?: 'background' | 'escaped';
}

const ignoring = 'trap "" TERM; while :; do sleep 0.05; done';
const family = `sh -c 'sh -c "sleep 30 & sleep 30" & sleep 30' & echo ready; wait`;
const forever = 'echo ready; sleep 30; echo never';
const hold = 'still held the output and was ended';
const stray = 'left the session of the command';

/** All kinds; runs go through them in turn. */
export const kinds: readonly Kind[] = [
  { name: 'ends well', command: 'echo ready; echo aside >&2', code: 'ok', says: ['ready', 'aside'] },
  { name: 'fails', command: 'echo ready; exit 3', code: 'tool_error', says: ['Exit code 3', 'ready'] },
  {
    name: 'is killed from outside',
    command: 'echo ready; kill -9 $$',
    code: 'infrastructure',
    says: ['ready'],
  },
  { name: 'has no shell', command: 'true', shell: '/no/such/shell', code: 'infrastructure' },
  { name: 'child holds the pipe', command: 'sleep 30 & echo ready', code: 'ok', says: ['ready', hold] },
  {
    name: 'child prints on',
    command: '(while :; do echo tick; sleep 0.02; done) & sleep 0.1; echo ready',
    ...{ code: 'ok', says: ['tick', 'ready', hold] },
  },
  { name: 'child ignores TERM', command: `(${ignoring}) & echo ready`, code: 'ok', says: ['ready', hold] },
  {
    name: 'child in the background',
    command: 'sleep 30 >/dev/null 2>&1 & echo ready',
    ...{ code: 'ok', says: ['ready', 'goes on in the background as bash_1'], leaves: 'background' },
  },
  {
    name: 'deaf child in background',
    command: `(${ignoring}) >/dev/null 2>&1 & echo ready; exit 2`,
    ...{ code: 'tool_error', says: ['Exit code 2', 'ready', 'bash_1'], leaves: 'background' },
  },
  {
    name: 'timeout',
    command: forever,
    timeout: 300,
    code: 'tool_error',
    says: ['timeout of 300 ms', 'ready'],
  },
  {
    name: 'timeout, ignores TERM',
    command: `echo ready; ${ignoring}`,
    ...{ timeout: 300, code: 'tool_error', says: ['timeout of 300 ms', 'ready'] },
  },
  { name: 'timeout, grandchildren', command: family, timeout: 300, code: 'tool_error', says: ['ready'] },
  {
    name: 'timeout, prints all along',
    command: 'yes ready',
    timeout: 200,
    code: 'tool_error',
    says: ['left out'],
  },
  {
    name: 'timeout to background',
    command: `echo ready; (${ignoring})`,
    ...{ timeout: 300, onTimeout: 'background', code: 'ok', says: ['ready', 'bash_1'], leaves: 'background' },
  },
  {
    name: 'limit of the engine',
    command: forever,
    engineTimeoutMs: 300,
    code: 'timeout',
    says: ['300 ms', 'ready'],
  },
  { name: 'aborted', command: forever, stop: 'signal', code: 'interrupted', says: ['ready'] },
  { name: 'aborted at its start', command: forever, stop: 'signal', stopAt: 'start', code: 'interrupted' },
  {
    name: 'aborted, deaf child',
    command: `(${ignoring}) >/dev/null 2>&1 & echo ready; wait`,
    ...{ stop: 'signal', code: 'interrupted', says: ['ready'] },
  },
  { name: 'interrupted', command: family, stop: 'interrupt', code: 'interrupted', says: ['ready'] },
  {
    name: 'interrupted, says farewell',
    command: 'trap "echo bye; exit" TERM; echo ready; while :; do sleep 0.02; done',
    ...{ stop: 'interrupt', code: 'interrupted', says: ['ready\nbye'] },
  },
  {
    name: 'interrupted, other groups',
    command: 'set -m; sleep 30 & timeout 30 sleep 30 & echo ready; wait',
    ...{ stop: 'interrupt', code: 'interrupted', says: ['ready'] },
  },
  {
    name: 'interrupted while halted',
    command: 'sleep 30 & echo ready; kill -STOP $$; sleep 30',
    ...{ stop: 'interrupt', code: 'interrupted', says: ['ready'] },
  },
  { name: 'discarded', command: family, stop: 'discard', code: 'discarded' },
  { name: 'discarded, ignores TERM', command: `echo ready; ${ignoring}`, stop: 'discard', code: 'discarded' },
  { name: 'unsubscribed', command: family, stop: 'unsubscribe' },
  { name: 'unsubscribed, ignores TERM', command: `echo ready; ${ignoring}`, stop: 'unsubscribe' },
  { name: 'unsubscribed at its start', command: forever, stop: 'unsubscribe', stopAt: 'start' },
  {
    name: 'setsid, holds the pipe',
    command: 'setsid sh -c "echo ready; sleep 30" & sleep 0.2',
    ...{ code: 'ok', says: ['ready', stray], leaves: 'escaped' },
  },
  {
    name: 'setsid, interrupted',
    command: 'setsid sh -c "echo ready >&3; exec sleep 30 3>&-" 3>&1 >/dev/null 2>&1 & wait',
    ...{ stop: 'interrupt', code: 'interrupted', says: [stray], leaves: 'escaped' },
  },
];
