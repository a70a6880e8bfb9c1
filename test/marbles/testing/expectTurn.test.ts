import { Observable, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { NotationError } from '../../../marbles/notation/notationError.js';
import { type MarbleKit, runMarbles } from '../../../marbles/testing/marbles.js';
import { marbleTool } from '../../../marbles/testing/marbleTool.js';
import { defineTool, type Tool } from '../../../src/index.js';

const errorOf = (body: (kit: MarbleKit) => void): Error => {
  try {
    runMarbles(body);
  } catch (error) {
    return error as Error;
  }
  throw new Error('it passed');
};

/** Why a turn of the calls a, b, … of the named tools fails; column by column as drawn. */
const failureOf = (
  message: string,
  tools: Readonly<Record<string, Tool | ReturnType<typeof marbleTool.safe>>>,
  picture: string,
): string =>
  errorOf(({ model, expectTurn }) => {
    const names = Object.keys(tools);
    const calls = Object.fromEntries([...'abc'].map((id, i) => [id, names[i] ?? 'nothing']));
    expectTurn(model(message, calls), tools).toBe(picture);
  }).message;

const anything = { inputSchema: z.any(), isConcurrencySafe: () => true };
const promised = defineTool({ name: 'promised', ...anything, call: async () => 1 });
const later = defineTool({ name: 'later', ...anything, call: () => new Promise(() => undefined) });

describe('a turn that does not end', () => {
  it('for a promise says so, in place of rows that do not differ', () => {
    expect(failureOf('a|', { promised }, 'a ^')).toBe(
      `the rows are as drawn, but:

a is still running. Promises do not resolve in virtual time: draw the tool, or use ctx.scheduler`,
    );
  });

  it('names all calls that are still running, and no other', () => {
    const read = marbleTool.safe('-|');
    const message = failureOf('abc|', { promised, later, read }, 'a ^\nb  ^\nc   ^|');
    expect(message).toContain('\na, b are still running. Promises');
  });

  it('for a check that answers by a promise names the check', () => {
    const checked = defineTool({
      name: 'checked',
      ...anything,
      validateInput: async () => undefined,
      call: () => 1,
    });
    expect(failureOf('a|', { checked }, 'a ^')).toContain(
      'a is still being checked. Promises do not resolve in virtual time: let the schema and validateInput',
    );
  });

  it('for a drawing of the model without an end asks for one', () => {
    expect(failureOf('a', { read: marbleTool.safe('-|') }, 'a ^|')).toBe(
      "the rows are as drawn, but:\n\nthe model's drawing has no end: add |",
    );
  });

  it('for a tool that is drawn without an end asks for one', () => {
    expect(failureOf('a|', { read: marbleTool.safe('--') }, 'a ^')).toContain(
      'a is still running, and its tool is drawn without an end: add | or #',
    );
  });

  it('for a tool that takes longer than the time it was given names the option', () => {
    const read = marbleTool.safe('- 200000ms |');
    expect(failureOf('a|', { read }, 'a ^')).toContain('had not ended after 100000 ms: raise maxMs');
  });

  it('is none where the tool uses the virtual clock', () => {
    const timed = defineTool({
      name: 'timed',
      ...anything,
      call: (_, ctx) =>
        new Observable<never>((subscriber) =>
          timer(2, ctx.scheduler).subscribe(() => subscriber.error('no')),
        ),
    });
    runMarbles(({ model, expectTurn }) => {
      expectTurn(model('a|', { a: 'timed' }), { timed }).toBe('a ^-#');
    });
  });
});

describe('a turn that is not as drawn', () => {
  const read = marbleTool.safe('--|');

  it('shows both pictures, marks the difference and tells how calls were answered', () => {
    expect(failureOf('ab|', { read }, 'a ^-|\nb  ^|')).toBe(
      `the turn is not as drawn

expected
  a ^-|
  b  ^|

received
  a ^-|
  b  .x
     ^ differs

b unknown_tool: no tool is named "nothing". Tools you can use: read.`,
    );
  });

  it('says what was wrong with an input, on one line of at most 100 columns', () => {
    const inputSchema = z.object({ city: z.string(), day: z.number(), hour: z.number() });
    const strict = defineTool({ name: 'strict', inputSchema, call: () => 1 });
    const lines = failureOf('a|', { strict }, 'a ^|').split('\n');
    expect(lines.at(-1)).toBe(
      'a invalid_input: `city`: Invalid input: expected string, received undefined; `day`: Invalid input: …',
    );
  });

  it('tells what a drawn failure said, and nothing of calls that ended well', () => {
    const broken = marbleTool.safe('#');
    expect(failureOf('ab|', { read, broken }, 'a ^|').split('\n\n').at(-1)).toBe(
      'b tool_error: failed as drawn',
    );
  });

  it('keeps the list of answers short', () => {
    const ids = [...'abcdefghijklmnopqrstuvwxy'];
    const message = errorOf(({ model, expectTurn }) =>
      expectTurn(model(`${ids.join('')}|`, Object.fromEntries(ids.map((id) => [id, 'no']))), {}).toBe('a x'),
    ).message;
    expect(message.split('\n\n').at(-1)?.split('\n')).toHaveLength(21);
    expect(message).toMatch(/and 5 more$/);
  });

  it.each([
    ['unsafe', 'a ^-|', ': = is - of an unsafe call'],
    ['safe', 'a ^=|', ': - is = of a safe call'],
  ] as const)('by the kind of its %s call gets a hint', (kind, picture, hint) => {
    expect(failureOf('a|', { tool: marbleTool[kind]('--|') }, picture)).toContain(
      `^ differs${hint}\n`.trimEnd(),
    );
  });
});

describe('a turn that leaves something behind', () => {
  it('counts in words', () => {
    const forgetful = defineTool({
      name: 'forgetful',
      ...anything,
      call: (_, ctx) => {
        ctx.scheduler.schedule(() => undefined, 50);
        return 1;
      },
    });
    expect(failureOf('a|', { forgetful }, 'a |')).toBe(
      'the rows are as drawn, but:\n\nlaw 12: 1 timer was left set',
    );
  });
});

describe('an expectation that can not be read', () => {
  const read = marbleTool.safe('-|');

  it.each([
    ['a ^$', 'line 1, column 4: expected a glyph of the notation, got "$"'],
    ['\n  a ^|\n\n  results %', 'line 4, column 11: expected a call of the rows above: a, got "%"'],
  ])('%j names the place', (picture, message) => {
    const error = errorOf(({ model, expectTurn }) =>
      expectTurn(model('a|', { a: 'read' }), { read }).toBe(picture),
    );
    expect(error).toBeInstanceOf(NotationError);
    expect(error.message).toBe(message);
  });
});

describe('the stack of a failure', () => {
  it.each(['a ^', 'a $'])('begins at the line of the test: toBe(%j)', (picture) => {
    const error = errorOf(function theTest({ model, tool, expectTurn }) {
      expectTurn(model('a|', { a: 'read' }), { read: tool.safe('-|') }).toBe(picture);
    });
    expect(error.stack?.slice(error.stack.indexOf('\n    at ')).split('\n')[1]).toContain('theTest');
  });
});
