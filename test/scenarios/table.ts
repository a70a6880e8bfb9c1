import type { ModelCall, VirtualOptions, VirtualTools } from '../../marbles/testing/index.js';
import { marbleTool as tool } from '../../marbles/testing/index.js';

/** A schedule as a picture. The table is run in virtual time, and again with promises under fake timers. */
export interface Scenario {
  readonly name: string;
  /** The model's message: letters are calls, at the time their block ends. */
  readonly model: string;
  readonly calls: Readonly<Record<string, ModelCall>>;
  readonly tools: VirtualTools;
  readonly options?: VirtualOptions;
  readonly rows: string;
}

/** The call `a` is of the tool `x`, and so on: `ab:x c:y`. */
const calls = (text: string): Record<string, ModelCall> =>
  Object.fromEntries(
    text.split(' ').flatMap((group) => {
      const [letters = '', name = ''] = group.split(':');
      return [...letters].map((letter) => [letter, name]);
    }),
  );

const read = tool.safe('---|');
const write = tool.unsafe('--|');
const both = { read, write };

const failing = tool.safe('--#', { abortsSiblings: true });
const failingAlone = tool.unsafe('--#', { abortsSiblings: true });

export const scenarios: readonly Scenario[] = [
  // ── partition ──
  {
    name: 'safe calls run together',
    model: '(abc|)',
    calls: calls('abc:read'),
    tools: both,
    rows: `
      a ^--|
      b ^--|
      c ^--|`,
  },
  {
    name: 'unsafe calls run one after the other',
    model: '(abc|)',
    calls: calls('abc:write'),
    tools: both,
    rows: `
      a ^=|
      b ..^=|
      c ....^=|`,
  },
  {
    name: 'an unsafe call waits for the safe batch before it and holds the one after it',
    model: '(abcd|)',
    calls: calls('ab:read c:write d:read'),
    tools: both,
    rows: `
      a ^--|
      b ^--|
      c ...^=|
      d .....^--|`,
  },
  {
    name: 'a safe call never overtakes a waiting unsafe one',
    model: 'abc|',
    calls: calls('a:long b:write c:read'),
    tools: { ...both, long: tool.safe('-----|') },
    rows: `
      a ^----|
      b  ....^=|
      c   .....^--|`,
  },
  {
    name: 'an unknown tool, invalid input and broken JSON are answered in their place',
    model: '(abcd|)',
    calls: {
      a: 'read',
      b: 'nobody',
      c: { name: 'read', fault: { code: 'invalid_json', text: 'a quote is missing' } },
      d: 'read',
    },
    tools: both,
    rows: `
      a ^--|
      b ...x
      c ...x
      d ...^--|`,
  },
  {
    name: 'a safety question that throws makes the call unsafe',
    model: '(ab|)',
    calls: calls('a:read b:odd'),
    tools: {
      read,
      odd: tool.safe('-|', {
        isConcurrencySafe: () => {
          throw new Error('an unparsable quote');
        },
      }),
    },
    rows: `
      a ^--|
      b ...^|`,
  },
  {
    name: 'safety is a question to the input',
    model: '(abc|)',
    calls: {
      a: { name: 'sql', input: { text: 'select' } },
      b: { name: 'sql', input: { text: 'select' } },
      c: { name: 'sql', input: { text: 'drop' } },
    },
    tools: {
      sql: tool.safe('--|', { isConcurrencySafe: (input) => (input as { text: string }).text === 'select' }),
    },
    rows: `
      a ^-|
      b ^-|
      c ..^=|`,
  },
  // ── mid-stream ──
  {
    name: 'a safe call starts while the model still writes',
    model: 'a--b-|',
    calls: calls('ab:read'),
    tools: both,
    rows: `
      a ^--|
      b    ^--|`,
  },
  {
    name: 'late starters join the open batch',
    model: 'a-b-c-d|',
    calls: calls('abcd:read'),
    tools: both,
    rows: `
      a ^--|
      b   ^--|
      c     ^--|
      d       ^--|`,
  },
  {
    name: 'a call that comes after a silence starts at once',
    model: 'a 9ms b|',
    calls: calls('a:read b:write'),
    tools: both,
    rows: `
      a ^--|
      b           ^=|`,
  },
  {
    name: 'eager-safe holds unsafe calls until the message has ended',
    model: 'ab---|',
    calls: calls('a:read b:write'),
    tools: both,
    options: { start: 'eager-safe' },
    rows: `
      a ^--|
      b  ....^=|`,
  },
  {
    name: 'eager-safe holds the safe calls behind an unsafe one too',
    model: 'abc--|',
    calls: calls('ac:read b:write'),
    tools: both,
    options: { start: 'eager-safe' },
    rows: `
      a ^--|
      b  ....^=|
      c   .....^--|`,
  },
  {
    name: 'after-message starts nothing before the message has ended',
    model: 'ab--|',
    calls: calls('ab:read'),
    tools: both,
    options: { start: 'after-message' },
    rows: `
      a ....^--|
      b  ...^--|`,
  },
  {
    name: 'a message without calls is a turn without rows',
    model: '---|',
    calls: {},
    tools: both,
    rows: '',
  },
  // ── order ──
  {
    name: 'a result is held until those before it are out',
    model: '(abc|)',
    calls: calls('a:slow b:read c:quick'),
    tools: { read, slow: tool.safe('-----|'), quick: tool.safe('-|') },
    rows: `
      a ^----|
      b ^--|_v
      c ^|___v

      results -----(abc)`,
  },
  {
    name: 'progress is not held',
    model: '(ab|)',
    calls: calls('a:slow b:chatty'),
    tools: { slow: tool.safe('------|'), chatty: tool.safe('-o-2|') },
    rows: `
      a ^-----|
      b ^o-2|_v`,
  },
  {
    name: 'a failure is held for its place like any result',
    model: '(ab|)',
    calls: calls('a:read b:broken'),
    tools: { read, broken: tool.safe('-#') },
    rows: `
      a ^--|
      b ^#_v`,
  },
  // ── limits ──
  {
    name: 'a limit holds the calls above it, first in first out',
    model: '(abcd|)',
    calls: calls('abcd:read'),
    tools: both,
    options: { limits: { concurrency: 2 } },
    rows: `
      a ^--|
      b ^--|
      c ...^--|
      d ...^--|`,
  },
  {
    name: 'a limit of one makes safe calls take turns',
    model: '(abc|)',
    calls: calls('abc:read'),
    tools: both,
    options: { limits: { concurrency: 1 } },
    rows: `
      a ^--|
      b ...^--|
      c ......^--|`,
  },
  {
    name: 'a freed slot is taken at once',
    model: '(abc|)',
    calls: calls('a:quick b:slow c:read'),
    tools: { read, quick: tool.safe('-|'), slow: tool.safe('-----|') },
    options: { limits: { concurrency: 2 } },
    rows: `
      a ^|
      b ^----|
      c .^--|v`,
  },
  {
    name: 'a full kind does not hold the others',
    model: '(abcd|)',
    calls: calls('ab:shell cd:file'),
    tools: { shell: tool.safe('---|', { kind: 'shell' }), file: tool.safe('--|', { kind: 'file' }) },
    options: { limits: { shell: 1 } },
    rows: `
      a ^--|
      b ...^--|
      c ^-|___v
      d ^-|___v`,
  },
  {
    name: 'among waiting calls the higher priority goes first',
    model: '(abcd|)',
    calls: calls('abcd:read'),
    tools: both,
    options: { limits: { concurrency: 1 }, priority: (call) => (call.id === 'd' ? 1 : 0) },
    rows: `
      a ^--|
      b ......^--|
      c .........^--|
      d ...^--|_____v`,
  },
  {
    name: 'priority does not reach beyond the batch',
    model: '(abc|)',
    calls: calls('ac:read b:write'),
    tools: both,
    options: { priority: (call) => (call.id === 'c' ? 9 : 0) },
    rows: `
      a ^--|
      b ...^=|
      c .....^--|`,
  },
  // ── failures ──
  {
    name: 'a failure that does not cascade leaves its siblings alone',
    model: '(abc|)',
    calls: calls('ac:read b:broken'),
    tools: { read, broken: tool.safe('-#') },
    rows: `
      a ^--|
      b ^#_v
      c ^--|`,
  },
  {
    name: 'a cascading failure stops running siblings and answers waiting ones',
    model: '(abcd|)',
    calls: calls('ac:read b:failing d:write'),
    tools: { ...both, failing },
    rows: `
      a ^-!
      b ^-#
      c ^-!
      d ..x`,
  },
  {
    name: 'a sibling that had finished keeps its result',
    model: '(abc|)',
    calls: calls('a:quick b:failing c:read'),
    tools: { read, failing, quick: tool.safe('-|') },
    rows: `
      a ^|
      b ^-#
      c ^-!`,
  },
  {
    name: 'calls still being written are answered when their block has ended',
    model: '(ab)--c|',
    calls: calls('a:failing bc:read'),
    tools: { read, failing },
    rows: `
      a ^-#
      b ^-!
      c       x`,
  },
  {
    name: 'an unsafe call that fails answers what has not started',
    model: '(abc|)',
    calls: calls('a:failing b:read c:write'),
    tools: { ...both, failing: failingAlone },
    rows: `
      a ^=#
      b ..x
      c ..x`,
  },
  {
    name: 'scope batch: the next batch runs',
    model: '(abcd|)',
    calls: calls('a:failing b:read c:write d:read'),
    tools: { ...both, failing },
    options: { siblingAbort: 'batch' },
    rows: `
      a ^-#
      b ^-!
      c ..^=|
      d ....^--|`,
  },
  {
    name: 'scope batch: a call that joins the open batch later is answered',
    model: '(ab)--c-d|',
    calls: calls('a:failing bc:read d:write'),
    tools: { ...both, failing },
    options: { siblingAbort: 'batch' },
    rows: `
      a ^-#
      b ^-!
      c       x
      d         ^=|`,
  },
  {
    name: 'scope off: nobody is stopped',
    model: '(abc|)',
    calls: calls('a:failing b:read c:write'),
    tools: { ...both, failing },
    options: { siblingAbort: 'off' },
    rows: `
      a ^-#
      b ^--|
      c ...^=|`,
  },
  {
    name: 'a cascade is decided for each failure',
    model: '(ab|)',
    calls: calls('a:picky b:read'),
    tools: { read, picky: tool.safe('--#', { abortsSiblings: (_failure, call) => call.id !== 'a' }) },
    rows: `
      a ^-#
      b ^--|`,
  },
  {
    name: 'a cascade question that throws is no',
    model: '(ab|)',
    calls: calls('a:picky b:read'),
    tools: {
      read,
      picky: tool.safe('--#', {
        abortsSiblings: () => {
          throw new Error('no idea');
        },
      }),
    },
    rows: `
      a ^-#
      b ^--|`,
  },
  {
    name: 'a call that will not run never cascades',
    model: '(ab|)',
    calls: { a: { name: 'failing', fault: { code: 'cut_off', text: 'max_tokens' } }, b: 'read' },
    tools: { read, failing: failingAlone },
    rows: `
      a x
      b ^--|`,
  },
  // ── time ──
  {
    name: 'a timeout asks to stop, and a safe call has no grace',
    model: '(ab|)',
    calls: calls('a:endless b:read'),
    tools: { read, endless: tool.safe('--', { timeoutMs: 2 }) },
    rows: `
      a ^-@
      b ^--|`,
  },
  {
    name: 'an unsafe call keeps its place until its grace has lapsed',
    model: '(ab|)',
    calls: calls('a:endless b:read'),
    tools: { read, endless: tool.unsafe('--', { timeoutMs: 2, graceMs: 3 }) },
    rows: `
      a ^=sss@
      b .....^--|`,
  },
  {
    name: 'a tool that stops at once gives its place up at once',
    model: '(ab|)',
    calls: calls('a:polite b:read'),
    tools: { read, polite: tool.unsafe('--', { timeoutMs: 2, graceMs: 9, onStop: '-#' }) },
    rows: `
      a ^=s@
      b ...^--|`,
  },
  {
    name: 'what arrives within the grace is a success',
    model: '(ab|)',
    calls: calls('a:late b:read'),
    tools: { read, late: tool.unsafe('----|', { timeoutMs: 2, graceMs: 9 }) },
    rows: `
      a ^=ss|
      b ....^--|`,
  },
  {
    name: 'progress is shown while a call is being stopped',
    model: '(a|)',
    calls: calls('a:chatty'),
    tools: { chatty: tool.unsafe('--', { timeoutMs: 1, graceMs: 4, onStop: '-o-#' }) },
    rows: `
      a ^sos@`,
  },
  {
    name: 'the total clock starts with the call, not with its queue',
    model: '(ab|)',
    calls: calls('a:write b:timed'),
    tools: { write: tool.unsafe('-----|'), timed: tool.safe('--|', { timeoutMs: 3 }) },
    rows: `
      a ^====|
      b .....^-|`,
  },
  {
    name: 'a timeout of a cascading tool cascades',
    model: '(ab|)',
    calls: calls('a:endless b:read'),
    tools: { read: tool.safe('-----|'), endless: tool.safe('--', { timeoutMs: 2, abortsSiblings: true }) },
    rows: `
      a ^-@
      b ^-!`,
  },
  // ── stops ──
  {
    name: 'an interruption stops what runs and answers what waits',
    model: '(abc|)',
    calls: calls('ab:read c:write'),
    tools: both,
    options: { interrupt: '-i' },
    rows: `
      a ^!
      b ^!
      c .x`,
  },
  {
    name: 'an interruption waits for tools that finish',
    model: '(abc|)',
    calls: calls('a:careful b:read c:write'),
    tools: { ...both, careful: tool.safe('----|', { onInterrupt: 'finish' }) },
    options: { interrupt: '-i' },
    rows: `
      a ^---|
      b ^!__v
      c .x__v`,
  },
  {
    name: 'an interruption ends the message: what comes later is not taken in',
    model: 'a---b|',
    calls: calls('ab:read'),
    tools: both,
    options: { interrupt: '-i' },
    rows: `
      a ^!`,
  },
  {
    name: "the caller's signal stops everything, also what would finish",
    model: '(ab|)',
    calls: calls('a:careful b:write'),
    tools: { ...both, careful: tool.safe('----|', { onInterrupt: 'finish' }) },
    options: { abort: '-x' },
    rows: `
      a ^!
      b .x`,
  },
  {
    name: 'the signal also stops what an interruption had left to finish',
    model: '(a|)',
    calls: calls('a:careful'),
    tools: { careful: tool.safe('-----|', { onInterrupt: 'finish' }) },
    options: { interrupt: '-i', abort: '---x' },
    rows: `
      a ^--!`,
  },
  {
    name: 'an interrupted unsafe call has its grace, and nothing starts over it',
    model: '(ab|)',
    calls: calls('a:stubborn b:read'),
    tools: { read, stubborn: tool.unsafe('--', { graceMs: 3 }) },
    options: { interrupt: '-i' },
    rows: `
      a ^sss!
      b .x__v`,
  },
  {
    name: 'a sibling abort gives an unsafe-looking grace to safe calls that ask for one',
    model: '(abc|)',
    calls: calls('a:failing b:slow c:write'),
    tools: { ...both, failing, slow: tool.safe('---------|', { graceMs: 2 }) },
    rows: `
      a ^-#
      b ^-ss!
      c ..x_v`,
  },
  // ── discard ──
  {
    name: 'a discard answers everything at once',
    model: '(abc|)',
    calls: calls('ab:read c:write'),
    tools: both,
    options: { discard: '-d' },
    rows: `
      a ^!
      b ^!
      c .x`,
  },
  {
    name: 'a discard withdraws what had been delivered',
    model: '(abc|)',
    calls: calls('a:quick b:read c:write'),
    tools: { ...both, quick: tool.safe('-|') },
    options: { discard: '--d' },
    rows: `
      a ^|+
      b ^-!
      c ..x`,
  },
  {
    name: 'a discard replaces a result that was held',
    model: '(ab|)',
    calls: calls('a:slow b:quick'),
    tools: { slow: tool.safe('-----|'), quick: tool.safe('-|') },
    options: { discard: '---d' },
    rows: `
      a ^--!
      b ^|_+`,
  },
  {
    name: 'after a discard nothing more is taken in',
    model: 'a---b|',
    calls: calls('ab:read'),
    tools: both,
    options: { discard: '-d' },
    rows: `
      a ^!`,
  },
  {
    name: 'a stream that fails discards the turn',
    model: '(ab)-#',
    calls: calls('a:slow b:write'),
    tools: { ...both, slow: tool.safe('---------|') },
    rows: `
      a ^----!
      b .....x`,
  },
  // ── context ──
  {
    name: 'all calls of a batch see the context as it stood when the batch began',
    model: '(abcd|)',
    calls: calls('ab:read c:set d:read'),
    tools: { read, set: tool.unsafe('-|', { modifyContext: () => 'changed' as never }) },
    options: { context: 'first' },
    rows: `
      a ^--|
      b ^--|
      c ...^|
      d ....^--|`,
  },
];
