// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the shell's own

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  exitCodeMeaning,
  isReadOnlyCommand,
  parseShell,
  shellTargets,
  simpleCommands,
} from '../../../../src/tools/bash/shell/index.js';

const commandsOf = (text: string): readonly string[] => {
  const shell = parseShell(text);
  if (shell.type === 'unparsed') return [`unparsed: ${shell.reason}`];
  return [...simpleCommands(shell.root)].map(({ words }) => words.map((word) => word.text).join(' '));
};

describe('a shell text', () => {
  it.each([
    ['a; b & c | d |& e && f || ! g', ['a', 'b', 'c', 'd', 'e', 'f', 'g']],
    ['echo "x $(a `b`) y"', ['b', 'a `b`', 'echo "x $(a `b`) y"']],
    ['echo ${x:-$(a)} <(b) > >(c)', ['a', 'b', 'c', 'echo ${x:-$(a)} <(b)']],
    ['cat <<E\n$(a)\nE', ['a', 'cat']],
    ["cat <<'E'\n$(a)\nE\nb", ['cat', 'b']],
    ['cat <<-E\n\t`a`\n\tE\n', ['a', 'cat']],
    ['[[ -n $(a) ]] && (( 1 + $(b) ))', ['a', 'b']],
    ['x=(1 $(a)) y=`b` c', ['a', 'b', 'c']],
    ['case $(a) in x) b ;& y) c ;; esac', ['a', 'b', 'c']],
    ['f() { a; }; function g { b; }; coproc c', ['a', 'b', 'c']],
    ['if a; then b; elif c; then d; else e; fi', ['a', 'b', 'c', 'd', 'e']],
    ['for x in $(a); do b; done; while c; do d; done', ['a', 'b', 'c', 'd']],
    ['{ a; } > x; (b) 2>&1', ['a', 'b']],
    ['# a\nb # c\n', ['b']],
    ['echo \';\' "&& a" \\; b', ['echo \';\' "&& a" \\; b']],
    ['echo a \\\n  b', ['echo a b']],
    ['echo {a,b{c,d}}{1..2}', ['echo a1 a2 bc1 bc2 bd1 bd2']],
  ])('%j is split into its simple commands', (text, expected) => {
    expect(commandsOf(text)).toEqual(expected);
  });

  it.each([
    ['a "b', /unterminated/],
    ['a )', /unexpected/],
    ['if a', /expected/],
    ['a\0b', /NUL/],
    ['a \ud800', /half a character/],
    ['a'.repeat(10_001), /10000 characters/],
    [`${'{ '.repeat(60)}a${'; }'.repeat(60)}`, /too deeply/],
    [`${'$('.repeat(500)}a${')'.repeat(500)}`, /nesting|deeply/],
    [`${'('.repeat(500)}a${')'.repeat(500)}`, /nesting|deeply/],
  ])('%j is not parsed', (text, reason) => {
    expect(parseShell(text)).toMatchObject({ type: 'unparsed', reason: expect.stringMatching(reason) });
  });

  it('of 10,000 characters takes no more than a moment, whatever it is', () => {
    const seeds = [
      '$(',
      '"$(',
      '`',
      '${a:-',
      '{a,',
      '<<a ',
      '( ',
      'env ',
      'cat ',
      'a=1;',
      'sh -c "',
      "watch '",
      '! ',
      'cd a||',
      '[[',
    ];
    for (const seed of seeds) {
      const text = seed.repeat(10_000 / seed.length);
      const start = performance.now();
      shellTargets(text, { cwd: '/p' });
      // A wide bound: only what grows with the square of the text or faster comes near it.
      expect(performance.now() - start, seed).toBeLessThan(5000);
    }
  });

  it('never makes anything throw', () => {
    const tokens = fc.constantFrom(
      'a',
      ' ',
      '"',
      "'",
      '\\',
      '$(',
      ')',
      '`',
      '{',
      '}',
      ';',
      '&',
      '|',
      '\n',
      '<<E',
      '$x',
      '${',
      '((',
      '<(',
      '[',
      '=',
      '#',
      'case ',
      'sh -c ',
      '>',
      '\0',
      '\ud800',
      '🙂',
    );
    fc.assert(
      fc.property(fc.array(tokens, { maxLength: 30 }), fc.string({ unit: 'binary' }), (parts, text) => {
        for (const each of [parts.join(''), text]) {
          shellTargets(each, { cwd: '/p' });
          isReadOnlyCommand(each);
          exitCodeMeaning(each, 1);
        }
      }),
    );
  });
});
